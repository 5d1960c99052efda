/** The packages of Python: setuptools makes them from a copy of the client, because it writes into the folder that it packs. */
import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import type { PythonArchive } from './archives.ts'
import { unzip } from './zip.ts'

const run = promisify(execFile)
/** 1 January 1980, as in the other archives. */
const EPOCH_S = '315532800'

/** Calls the build tool as installers do (PEP 517), without pip, which many systems lack. */
const BUILD = 'import sys, setuptools.build_meta as tool; print("MADE", getattr(tool, "build_" + sys.argv[1])(sys.argv[2]))'

/** A Python that a user put first on the path may lack the build tool, which the one of the system has. */
const PYTHONS = ['python3', '/usr/bin/python3']

/** The first Python with the build tool. */
async function builder(): Promise<string> {
  for (const python of PYTHONS)
    if (
      await run(python, ['-c', 'import setuptools, wheel']).then(
        () => true,
        () => false,
      )
    )
      return python
  throw new Error('no Python here has setuptools and wheel; install python3-setuptools and python3-wheel')
}

async function sizesIn(path: string): Promise<readonly (readonly [string, number])[]> {
  if (path.endsWith('.whl')) return [...unzip(await readFile(path))].map(([name, data]) => [name, data.length])
  const { stdout } = await run('tar', ['-tvzf', path])
  return stdout
    .split('\n')
    .filter((line) => line.startsWith('-'))
    .map((line) => line.split(/\s+/))
    .map(([, , size, , , ...name]) => [name.join(' '), Number(size)])
}

/** Rejects with the words of the build tool. */
export async function packPython({ format, home }: PythonArchive, root: string, folder: string) {
  const scratch = await mkdtemp(join(tmpdir(), 'spy-'))
  try {
    const copy = join(scratch, 'client')
    await cp(join(root, home), copy, {
      recursive: true,
      filter: (path) => !/^(?:__pycache__|\.mypy_cache|tests|build)$/.test(basename(path)),
    })
    const env = { ...process.env, SOURCE_DATE_EPOCH: EPOCH_S }
    const { stdout } = await run(await builder(), ['-c', BUILD, format, folder], { cwd: copy, env })
    const path = join(folder, /^MADE (.+)$/m.exec(stdout)?.[1] ?? '')
    return { path, content: await sizesIn(path) }
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}
