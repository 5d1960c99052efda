/** The C library as a package: installed with CMake, found by CMake and pkg-config, fetched as a part of another project, and what it exports. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BINDING, isInstalled } from '#test/support/c-build.ts'
import { buildShared, exportedNames, textBytes } from '#test/support/c-library.ts'

const run = promisify(execFile)
const ROOT = resolve(BINDING, '../..')
const CONSUMER = join(BINDING, 'tests/consumer/main.c')
const PRINTED = 'UNKNOWN_ERROR\n'
const MOST_TEXT = 100 * 1024
const hasTools = process.platform === 'linux' && (await isInstalled('cmake')) && (await isInstalled('gcc'))

if (!hasTools) {
  test('the C package', (context) => context.skip('There is no CMake with gcc to build the package with; install cmake and gcc.'))
} else {
  let folder: string
  let prefix: string
  let library: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'spi-'))
    prefix = join(folder, 'prefix')
    library = join(prefix, 'lib', 'libsallyport.so')
    const build = join(folder, 'build')
    await run('cmake', ['-S', BINDING, '-B', build, '-DCMAKE_BUILD_TYPE=MinSizeRel', `-DCMAKE_INSTALL_PREFIX=${prefix}`])
    await run('cmake', ['--build', build])
    await run('cmake', ['--install', build, '--prefix', prefix])
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  describe('the C package', () => {
    test('is found by CMake, static and shared', async () => {
      const game = join(folder, 'game')
      await run('cmake', ['-S', join(BINDING, 'tests/consumer'), '-B', game, `-DCMAKE_PREFIX_PATH=${prefix}`])
      await run('cmake', ['--build', game])
      expect((await run(join(game, 'consumer_static'))).stdout).toBe(PRINTED)
      expect((await run(join(game, 'consumer_shared'))).stdout).toBe(PRINTED)
    })

    test('is a part of a project that fetches the repository', async () => {
      const game = join(folder, 'fetching')
      await run('cmake', ['-S', join(BINDING, 'tests/fetching'), '-B', game, `-DSALLYPORT_REPOSITORY=${ROOT}`])
      await run('cmake', ['--build', game])
      expect((await run(join(game, 'fetching'))).stdout).toBe(PRINTED)
    })

    test('is found by pkg-config, static and shared', async (context) => {
      if (!(await isInstalled('pkg-config'))) return context.skip('pkg-config is not installed.')
      const env = { ...process.env, PKG_CONFIG_PATH: join(prefix, 'lib', 'pkgconfig') }
      const flags = (await run('pkg-config', ['--cflags', '--libs', 'sallyport'], { env })).stdout.trim().split(/\s+/)
      for (const [name, more] of [
        ['shared', [`-Wl,-rpath,${join(prefix, 'lib')}`]],
        ['static', ['-static']],
      ] as const) {
        const program = join(folder, `with-${name}`)
        await run('gcc', [CONSUMER, ...flags, ...more, '-o', program])
        expect((await run(program)).stdout).toBe(PRINTED)
      }
    })

    test('links with mingw as its pkg-config file says', async (context) => {
      const compiler = 'x86_64-w64-mingw32-gcc'
      if (!(await isInstalled(compiler)) || !(await isInstalled('pkg-config'))) return context.skip('mingw or pkg-config is not installed.')
      const [build, windows] = [join(folder, 'windows-build'), join(folder, 'windows')]
      const words = [
        `-DCMAKE_C_COMPILER=${compiler}`,
        '-DCMAKE_SYSTEM_NAME=Windows',
        '-DSALLYPORT_SHARED_LIBRARY=OFF',
        '-DSALLYPORT_EXAMPLES=OFF',
      ]
      await run('cmake', ['-S', BINDING, '-B', build, ...words, `-DCMAKE_INSTALL_PREFIX=${windows}`])
      await run('cmake', ['--build', build])
      await run('cmake', ['--install', build])
      const env = { ...process.env, PKG_CONFIG_PATH: join(windows, 'lib', 'pkgconfig') }
      const flags = (await run('pkg-config', ['--cflags', '--libs', 'sallyport'], { env })).stdout.trim().split(/\s+/)
      await run(compiler, [CONSUMER, ...flags, '-o', join(folder, 'consumer.exe')])
    })

    test('exports its functions with a version, and nothing else', async () => {
      const names = await exportedNames(library)
      expect(names.length).toBeGreaterThan(50)
      expect(names.filter((name) => !name.startsWith('sallyport_'))).toEqual([])
      const { stdout } = await run('nm', ['-D', '--defined-only', '--with-symbol-versions', library])
      expect(stdout).toContain('sallyport_create@@SALLYPORT_0\n')
      expect((await run('objdump', ['-p', library])).stdout).toContain('SONAME               libsallyport.so.0')
    })

    test('has names of its own only in the static library', async () => {
      const { stdout } = await run('nm', ['-g', '--defined-only', join(prefix, 'lib', 'libsallyport.a')])
      const names = stdout.split('\n').flatMap((line) => /^[\da-f]+ \w (\S+)$/.exec(line)?.[1] ?? [])
      expect(names.length).toBeGreaterThan(100)
      expect(names.filter((name) => !/^sally(?:port)?_/.test(name))).toEqual([])
    })

    test('has less than 100 KiB of text, as CMake and as plain gcc build it', async () => {
      expect(await textBytes(library)).toBeLessThan(MOST_TEXT)
      const plain = await buildShared(join(folder, 'plain'))
      expect(await textBytes(plain)).toBeLessThan(MOST_TEXT)
      expect([...(await exportedNames(plain))].toSorted()).toEqual([...(await exportedNames(library))].toSorted())
    })
  })
}
