/**
 * What a game and the C library share in binary form: symbols, layouts and the C library that they need. `bindings/c/abi` has it as it is
 * released; a difference fails here. After a change that is meant: SALLYPORT_WRITE_ABI=1 npm test -- e2e/bindings-c-abi
 */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { BINDING, compileSources, INCLUDES, isInstalled, sources, WARNINGS } from '#test/support/c-build.ts'
import { exportedNames } from '#test/support/c-library.ts'

const run = promisify(execFile)
const ABI = join(BINDING, 'abi')
const LIBRARY = ['-std=c99', '-g', '-Og', '-fPIC', '-shared', '-fvisibility=hidden', '-DSALLYPORT_SHARED', '-DSALLYPORT_BUILDING']
/** The oldest glibc of the runtimes that stores ship. */
const NEWEST_GLIBC = [2, 28] as const
const isHere = process.platform === 'linux' && process.arch === 'x64' && (await isInstalled('gcc'))
const hasAbigail = await isInstalled('abidw')
const mayWrite = process.env['SALLYPORT_WRITE_ABI'] === '1'

/** Versions of glibc that a library needs, which are newer than the limit. */
async function tooNew(library: string): Promise<readonly string[]> {
  const { stdout } = await run('objdump', ['-T', library])
  const needed = [...stdout.matchAll(/\*UND\*.*?\(?GLIBC_(\d+)\.(\d+)[\d.]*\)?\s+(\S+)/g)]
  expect(needed.length).toBeGreaterThan(10)
  const [major, minor] = NEWEST_GLIBC
  return needed
    .filter(([, one, other]) => Number(one) > major || Number(other) > minor)
    .map(([, one, other, name]) => `${name} needs glibc ${one}.${other}`)
}

/** Compares with the file of the release, or writes it. */
async function asReleased(name: string, text: string): Promise<void> {
  const path = join(ABI, name)
  if (mayWrite) await writeFile(path, text)
  expect(text, `a change of bindings/c/abi/${name}`).toBe(await readFile(path, 'utf8'))
}

describe('the binary interface of the C library', () => {
  let folder: string
  let library: string
  beforeAll(async () => {
    if (!isHere) return
    folder = await mkdtemp(join(tmpdir(), 'spb-'))
    library = join(folder, 'libsallyport.so')
    await run('gcc', [...LIBRARY, ...INCLUDES, ...sources(), '-o', library])
  })
  afterAll(() => (isHere ? rm(folder, { recursive: true, force: true }) : undefined))
  beforeEach((context) => context.skip(!isHere, 'The interface is recorded for Linux on x64, and needs gcc.'))

  test('has the symbols of the release', async () => {
    await asReleased('symbols.txt', `${(await exportedNames(library)).toSorted().join('\n')}\n`)
  })

  test('has the layouts and numbers of the release', async () => {
    const program = join(folder, 'layout')
    await run('gcc', [...WARNINGS, ...INCLUDES, join(BINDING, 'tests/layout.c'), library, `-Wl,-rpath,${folder}`, '-o', program])
    await asReleased('layout.txt', (await run(program)).stdout)
  })

  test('is what the tool for interfaces recorded', async (context) => {
    if (!hasAbigail) return context.skip('abidw is not installed; install abigail-tools.')
    const [record, ours] = [join(ABI, 'libsallyport.abi'), join(folder, 'now.abi')]
    const words = ['--headers-dir', join(BINDING, 'include'), '--headers-dir', join(BINDING, 'generated'), '--drop-private-types']
    await run('abidw', [...words, '--no-corpus-path', '--no-comp-dir-path', '--no-show-locs', '--out-file', ours, library])
    // Debug information has the whole paths of the sources.
    if (mayWrite) await writeFile(record, (await readFile(ours, 'utf8')).replaceAll(`${BINDING}/`, ''))
    const { stdout } = await run('abidiff', [record, ours]).catch((failure: unknown) => failure as { readonly stdout: string })
    expect(stdout).toBe('')
  })

  test('needs no newer glibc than 2.28, shared and static', async () => {
    const parts = await compileSources(join(folder, 'objects'), { compiler: 'gcc', flags: ['-O2', '-fPIC'] })
    const whole = join(folder, 'whole.so')
    await run('gcc', ['-shared', ...parts, '-o', whole])
    expect([...(await tooNew(library)), ...(await tooNew(whole))]).toEqual([])
  })
})
