/** The command that packs the clients: what each archive holds, that its content is usable, and that it is the same each time. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ARCHIVES } from '#bindings/pack/archives.ts'
import { missingFrom } from '#bindings/pack/named.ts'
import { type Made, pack, ROOT } from '#bindings/pack/pack.ts'
import { roslyn } from '#bindings/pack/roslyn.ts'
import { isInstalled } from '#test/support/c-build.ts'
import { CSHARP_BINDING, nugetObstacle } from '#test/support/csharp-build.ts'
import { godotObstacle, WINDOWS_COMPILER } from '#test/support/godot-build.ts'
import { luaObstacle } from '#test/support/lua-build.ts'
import { packagingObstacle } from '#test/support/python.ts'
import { unzip } from '#bindings/pack/zip.ts'
import { linksIn } from '#test/architecture/documents.ts'

const run = promisify(execFile)
/** What every archive must hold, and what none may. */
const HELD: Readonly<Record<string, readonly string[]>> = {
  protocol: ['package/package.json', 'package/dist/index.js', 'package/dist/index.d.ts'],
  typescript: ['package/package.json', 'package/dist/index.js', 'package/dist/index.d.ts', 'package/README.md'],
  csharp: ['Sallyport.nuspec', 'lib/netstandard2.0/Sallyport.dll', 'lib/netstandard2.1/Sallyport.pdb'],
  python: ['sallyport/__init__.py', 'sallyport/py.typed', 'sallyport/types.pyi', 'sallyport-0.1.0.dist-info/METADATA'],
  'python-source': ['sallyport-0.1.0/README.md', 'sallyport-0.1.0/docs/from-pypresence.md', 'sallyport-0.1.0/examples/dockside.py'],
  c: ['sallyport-c/CMakeLists.txt', 'sallyport-c/single/sallyport.h', 'sallyport-c/src/client.c', 'sallyport-c/LICENSE'],
  cpp: [
    'sallyport-cpp/cpp/CMakeLists.txt',
    'sallyport-cpp/cpp/include/sallyport/sdk.hpp',
    'sallyport-cpp/cpp/src/client.cpp',
    'sallyport-cpp/cpp/generated/sallyport/records.hpp',
    'sallyport-cpp/c/src/client.c',
    'sallyport-cpp/ports/sallyport-cpp/portfile.cmake',
    'sallyport-cpp/conanfile.py',
    'sallyport-cpp/LICENSE',
  ],
  unity: ['package/package.json', 'package/Runtime/Client/SallyportClient.cs', 'package/Runtime/Client/Protocol.cs', 'package/LICENSE.md'],
  unreal: ['Sallyport/Sallyport.uplugin', 'Sallyport/Source/SallyportClient/Private/Client/client.c', 'Sallyport/LICENSE'],
  godot: [
    'demo/dockside.tscn',
    'addons/sallyport/sallyport.gd',
    'addons/sallyport/bin/libsallyport.windows.template_release.x86_64.dll',
    'addons/sallyport/plugin.cfg',
    'addons/sallyport/LICENSE',
    'addons/sallyport/README.md',
    'addons/sallyport/bin/libsallyport.linux.template_debug.x86_64.so',
    'addons/sallyport/bin/libsallyport.linux.template_release.x86_64.so',
  ],
  lua: [
    'sallyport-lua/sallyport.lua',
    'sallyport-lua/sallyport/libsallyport.so',
    'sallyport-lua/examples/dockside/main.lua',
    'sallyport-lua/LICENSE',
  ],
  luarocks: [
    'sallyport-luarocks/sallyport-0.1.0-1.rockspec',
    'sallyport-luarocks/library/sallyport.c',
    'sallyport-luarocks/library/sallyport.h',
    'sallyport-luarocks/LICENSE',
  ],
}
/** An archive that lacks a library of Windows is not made. */
const windowsObstacle = (await isInstalled(WINDOWS_COMPILER)) ? undefined : `There is no ${WINDOWS_COMPILER}.`
/** Why an archive cannot be made here. */
const OBSTACLES: Readonly<Record<string, string | undefined>> = {
  csharp: await nugetObstacle(),
  godot: godotObstacle ?? windowsObstacle,
  python: packagingObstacle,
  'python-source': packagingObstacle,
  lua: (await isInstalled('gcc')) ? windowsObstacle : 'There is no gcc.',
}
const PACK_MS = 600_000

/** Lines 7, 9 and 10 use what may be null; line 8 asks first. */
const NULLABLE_PROGRAM = `#nullable enable
using System;
using Sallyport;
static class Program {
  static async System.Threading.Tasks.Task Main() {
    var client = new SallyportClient(new ClientOptions { ApplicationId = "1" });
    Console.WriteLine(client.CurrentUser.Username);
    if (client.CurrentUser != null) Console.WriteLine(client.CurrentUser.Username.Length);
    Console.WriteLine(Lobby.Read(await client.CallAsync(new GetLobbyArguments(5), null)).Id);
    Console.WriteLine(client.State.Error.Message);
    client.SetActivity(new ActivityInput { Details = null }, null);
    System.Collections.Generic.IAsyncEnumerable<object> stream = client.Stream(Events.ActivityJoin);
    await foreach (var data in stream) Console.WriteLine(JoinReceived.Read(data)?.Secret);
  }
}
`

/** The Markdown files of an archive, by their path in it. */
async function pagesOf({ path, content }: Made): Promise<ReadonlyMap<string, string>> {
  const names = content.flatMap(([name]) => (/\.md$|\/METADATA$/.test(name) ? [name] : []))
  if (!path.endsWith('gz')) {
    const files = unzip(await readFile(path))
    return new Map(names.map((name) => [name, String(files.get(name))]))
  }
  return new Map(await Promise.all(names.map(async (name) => [name, (await run('tar', ['-xOzf', path, name])).stdout] as const)))
}

/** A page may say how its package is built from the repository, under this heading. */
const withoutRepositorySection = (text: string): string => text.replace(/^## In the repository\n[\s\S]*?(?=^## |$(?![\s\S]))/m, '')

const NOT_FOR_USERS = /(?:^|\/)(?:tests?|node_modules|features\.json|\.(?!rels$)[^/]+)(?:\/|$)|\.(?:o|tsbuildinfo)$/

describe('the packages of the clients', () => {
  let folder: string
  const made = new Map<string, Made>()
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'spp-'))
    for (const archive of ARCHIVES.filter(({ name }) => OBSTACLES[name] === undefined)) made.set(archive.name, await pack(archive, folder))
  }, PACK_MS)
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('are one row each', () => {
    expect(ARCHIVES.map(({ name }) => name).toSorted()).toEqual(Object.keys(HELD).toSorted())
  })

  test.for(ARCHIVES.map(({ name }) => name))('%s holds what its users need, and nothing else', (name, context) => {
    const one = made.get(name)
    if (one === undefined) return context.skip(OBSTACLES[name])
    const paths = one.content.map(([path]) => path)
    for (const path of HELD[name] ?? []) expect(paths).toContain(path)
    expect(paths.filter((path) => NOT_FOR_USERS.test(path))).toEqual([])
    expect(one.content.filter(([path, bytes]) => bytes === 0 && !/\.d\.ts$|\/py\.typed$/.test(path))).toEqual([])
  })

  test.for(ARCHIVES.map(({ name }) => name))('%s has no page with a link to what it lacks', async (name, context) => {
    const one = made.get(name)
    if (one === undefined) return context.skip(OBSTACLES[name])
    const pages = await pagesOf(one)
    const { broken } = linksIn({ paths: one.content.map(([path]) => path), textOf: (path) => pages.get(path) ?? '' })
    expect([pages.size > 0, broken]).toEqual([true, []])
  })

  test.for(ARCHIVES.map(({ name }) => name))('%s has no page that points into the repository', async (name, context) => {
    const one = made.get(name)
    if (one === undefined) return context.skip(OBSTACLES[name])
    const lines = [...(await pagesOf(one))].flatMap(([page, text]) =>
      withoutRepositorySection(text)
        .split('\n')
        .filter((line) => /(?:^|[^\w/.:-])(?<!SOURCE_SUBDIR )(?:bindings|daemon|protocol|test)\/\w/.test(line))
        .map((line) => `${page}: ${line}`),
    )
    expect(lines).toEqual([])
  })

  test('are not made when a file that one names is missing', () => {
    const files = new Map([
      ['addons/x.gdextension', Buffer.from('linux.x86_64 = "res://addons/bin/x.so"\n')],
      ['addons/README.md', Buffer.from('[design](DESIGN.md), [web](https://example.com), [there](docs), [part](#part)\n')],
      ['addons/docs/one.md', Buffer.from('[up](../README.md)\n')],
    ])
    expect(missingFrom(files, ['addons/x.dll'])).toEqual([
      'addons/x.gdextension names addons/bin/x.so, which is missing',
      'addons/README.md names addons/DESIGN.md, which is missing',
      'addons/x.dll is missing',
    ])
  })

  test('are listed as they are', async () => {
    for (const name of ['c', 'unity']) {
      const one = made.get(name)
      const { stdout } = await run('tar', ['-tzf', one?.path ?? ''])
      const listed = stdout.split('\n').filter((path) => path !== '' && !path.endsWith('/'))
      expect(listed.toSorted()).toEqual(one?.content.map(([path]) => path).toSorted())
    }
    const plugin = made.get('unreal')
    const files = unzip(await readFile(plugin?.path ?? ''))
    expect([...files].map(([path, data]) => [path, data.length])).toEqual(plugin?.content)
    expect(files.get('Sallyport/LICENSE')).toEqual(await readFile(join(ROOT, 'LICENSE')))
  })

  test('are the same when they are made again', { timeout: PACK_MS }, async () => {
    const again = await mkdtemp(join(tmpdir(), 'spp-'))
    try {
      for (const archive of ARCHIVES.filter(
        ({ name }) => ['c', 'unity', 'unreal', 'godot', 'lua', 'luarocks', 'python'].includes(name) && made.has(name),
      )) {
        const one = await pack(archive, again)
        // A difference of files of this size would take minutes to print.
        expect((await readFile(one.path)).equals(await readFile(made.get(archive.name)?.path ?? '')), archive.name).toBe(true)
      }
    } finally {
      await rm(again, { recursive: true, force: true })
    }
  })

  test('of npm are enough for a game, with the packages that they name', async () => {
    const home = join(folder, 'game')
    const modules = join(home, 'node_modules')
    for (const [name, archive] of [
      ['@sallyport/client', 'typescript'],
      ['@sallyport/protocol', 'protocol'],
    ] as const) {
      await mkdir(join(modules, name), { recursive: true })
      await run('tar', ['-xzf', made.get(archive)?.path ?? '', '-C', join(modules, name), '--strip-components=1'])
      const { dependencies } = JSON.parse(await readFile(join(modules, name, 'package.json'), 'utf8')) as {
        readonly dependencies: Readonly<Record<string, string>>
      }
      for (const other of Object.keys(dependencies).filter((one) => !one.startsWith('@sallyport/')))
        if (!existsSync(join(modules, other))) await symlink(join(ROOT, 'node_modules', other), join(modules, other))
    }
    const program = `import { SallyportClient } from '@sallyport/client'
const client = new SallyportClient({ applicationId: '42', runtimeDir: '${folder}' })
console.log(await client.connect().catch((error) => error.name))`
    await writeFile(join(home, 'game.mjs'), program)
    expect((await run(process.execPath, [join(home, 'game.mjs')])).stdout.trim()).toBe('ServerNotFoundError')
  })

  test('of C is enough to compile a game', async (context) => {
    if (!(await isInstalled('gcc'))) return context.skip('There is no gcc.')
    await run('tar', ['-xzf', made.get('c')?.path ?? '', '-C', folder])
    const home = join(folder, 'sallyport-c')
    await writeFile(join(home, 'all.c'), '#define SALLYPORT_IMPLEMENTATION\n#include "single/sallyport.h"\n')
    await run('gcc', [
      '-std=c99',
      `-I${join(home, 'include')}`,
      join(home, 'examples/dockside.c'),
      join(home, 'all.c'),
      '-o',
      join(home, 'game'),
    ])
    await expect(run(join(home, 'game'), ['--rounds', '0'])).rejects.toMatchObject({ code: 2 })
  })

  test('of C# have symbols, and say what may be null', async (context) => {
    const one = made.get('csharp')
    if (one === undefined) return context.skip(OBSTACLES['csharp'])
    expect(one.path).toMatch(/Sallyport\.\d+\.\d+\.\d+\.nupkg$/)
    const files = unzip(await readFile(one.path))
    expect([...files.keys()]).toEqual([
      '[Content_Types].xml',
      '_rels/.rels',
      'Sallyport.nuspec',
      'README.md',
      'DESIGN.md',
      ...['netstandard2.0', 'netstandard2.1'].flatMap((target) =>
        ['dll', 'pdb', 'xml'].map((extension) => `lib/${target}/Sallyport.${extension}`),
      ),
    ])
    expect(files.get('Sallyport.nuspec')?.toString()).toContain('<id>Sallyport</id>')
    for (const [name, data] of files) expect(data.includes(tmpdir().slice(1)), name).toBe(false)
    expect(files.get('lib/netstandard2.1/Sallyport.pdb')?.subarray(0, 4).toString()).toBe('BSJB')
    // A program compiles and runs with the library of the package.
    const game = join(folder, 'csharp')
    await mkdir(game)
    await writeFile(join(game, 'Sallyport.dll'), files.get('lib/netstandard2.0/Sallyport.dll') ?? '')
    const program = join(game, 'reads.exe')
    await run('mcs', [`-r:${join(game, 'Sallyport.dll')}`, `-out:${program}`, join(CSHARP_BINDING, 'tests/ReadsRecords.cs')])
    expect((await run('mono', [program])).stdout).toContain('18446744073709551615')
    // The newer library is an IAsyncEnumerable, and the compiler of .NET warns where a member may be null.
    const { netstandard, compile } = await roslyn()
    await writeFile(join(game, 'new.dll'), files.get('lib/netstandard2.1/Sallyport.dll') ?? '')
    await writeFile(join(game, 'nullable.cs'), NULLABLE_PROGRAM)
    const references = [netstandard, join(game, 'new.dll')].map((path) => `-r:${path}`)
    const words = ['-nologo', '-noconfig', '-nostdlib', '-langversion:8', ...references, `-out:${join(game, 'nullable.exe')}`]
    const said = await compile([...words, join(game, 'nullable.cs')])
    expect([...said.matchAll(/\((\d+),\d+\): (\w+ \w+)/g)].map(([, line, what]) => `${line}: ${what}`)).toEqual([
      '7: warning CS8602',
      '9: warning CS8602',
      '10: warning CS8602',
    ])
  })

  test('of LuaRocks is built and packed by luarocks, and LuaJIT loads it', async (context) => {
    if (!(await isInstalled('luarocks'))) return context.skip('There is no luarocks; install luarocks.')
    if (luaObstacle !== undefined) return context.skip(luaObstacle)
    await run('tar', ['-xzf', made.get('luarocks')?.path ?? '', '-C', folder])
    const home = join(folder, 'sallyport-luarocks')
    const tree = join(folder, 'tree')
    const luarocks = (...words: readonly string[]) =>
      run('luarocks', ['--lua-version', '5.1', '--tree', tree, ...words], { cwd: home, env: { ...process.env, HOME: folder } })
    const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { readonly version: string }
    await luarocks('make', `sallyport-${version}-1.rockspec`)
    expect((await luarocks('pack', 'sallyport')).stdout).toMatch(/^Packed: .*\.rock$/m)
    // Without the library the client cannot connect.
    const program = `local sallyport = require 'sallyport'
print(sallyport.VERSION, assert(sallyport.new({ application_id = '42', runtime_dir = '${folder}' })):connect(0))`
    const env = { ...process.env, LUA_PATH: `${tree}/share/lua/5.1/?.lua`, LUA_CPATH: `${tree}/lib/lua/5.1/?.so` }
    expect((await run('luajit', ['-e', program], { cwd: folder, env })).stdout.trim()).toBe(`${version}\ttrue`)
  })

  test('are listed with sizes by the command', async () => {
    const words = [join(ROOT, 'bindings/pack/main.ts'), folder, '--only', 'unreal']
    const { stdout } = await run(process.execPath, words)
    const { path, content } = made.get('unreal') ?? { path: '', content: [] }
    const size = (await readFile(path)).length
    const lines = stdout.split('\n')
    expect(lines[0]).toBe(`${basename(path)}: ${size} bytes, ${content.length} files`)
    expect(lines.slice(1, 1 + content.length)).toEqual(content.map(([name, bytes]) => `${String(bytes).padStart(9)}  ${name}`))
    await expect(run(process.execPath, [...words.slice(0, 3), 'nothing'])).rejects.toMatchObject({ code: 2 })
  })
})
