/** The Python client, as a program has it on its path. */
import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import type { Command } from '../conformance/clients/adapter.ts'
import { isInstalled } from './c-build.ts'

const run = promisify(execFile)
export const PYTHON_BINDING = resolve(import.meta.dirname, '../../bindings/python')
const SOURCES = resolve(PYTHON_BINDING, 'src')

const OLDEST = 'import sys; sys.exit(sys.version_info < (3, 9))'
const isRunning = (python: string, program: string): Promise<boolean> =>
  run(python, ['-c', program]).then(
    () => true,
    () => false,
  )

/** Why the client cannot run here; undefined if it can. */
export const pythonObstacle: string | undefined =
  process.platform === 'win32'
    ? 'The tests of the Python client need Unix sockets.'
    : (await isRunning('python3', OLDEST))
      ? undefined
      : 'There is no Python 3.9 or later; install python3.'

const BUILD_TOOL = 'import setuptools, wheel'
/** Why its packages cannot be made here; undefined if they can. */
export const packagingObstacle: string | undefined =
  (await isRunning('python3', BUILD_TOOL)) || (await isRunning('/usr/bin/python3', BUILD_TOOL))
    ? undefined
    : 'No Python here has setuptools and wheel; install python3-setuptools and python3-wheel.'

/** Why its types cannot be checked here; undefined if they can. */
export const mypyObstacle: string | undefined = (await isInstalled('mypy')) ? undefined : 'There is no mypy; install mypy.'

/** Runs a program of the binding. Python writes no compiled files beside the sources. */
export const pythonProgram = (path: string, ...words: readonly string[]): Command => [
  'env',
  `PYTHONPATH=${SOURCES}`,
  'PYTHONDONTWRITEBYTECODE=1',
  'python3',
  '-u',
  resolve(PYTHON_BINDING, path),
  ...words,
]
