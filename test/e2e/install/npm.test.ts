/** The published npm packages as users get them: `npx` in an empty home on an older Node, and a game of its own in an empty project. */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { basename, delimiter, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packPublished } from '#daemon/packaging/npm/pack.ts'
import { filesOf, PUBLISHED } from '#daemon/packaging/npm/published.ts'
import { ended } from '#test/support/ended.ts'
import { connectedGame } from '../support/connected-game.ts'
import { type Folders, folders } from '../support/daemon.ts'
import { type NpmRegistry, npmRegistry } from '../support/npm-registry.ts'

const run = promisify(execFile)
const ROOT = resolve(import.meta.dirname, '../../..')
const MODULES = join(ROOT, 'node_modules')
/** npm unpacks Node, and the compiler makes the modules. */
const LONG_MS = 400_000

/** A folder of the path with npx and a Node that cannot run the daemon itself. */
const OLD = (process.env['PATH'] ?? '')
  .split(delimiter)
  .find(
    (folder) =>
      existsSync(join(folder, 'npx')) &&
      spawnSync(join(folder, 'node'), ['-p', 'process.execve']).stdout?.toString().trim() === 'undefined',
  )
const obstacle =
  process.platform !== 'linux'
    ? 'This test reads what Linux shows of processes.'
    : OLD === undefined
      ? 'There is no Node before 22.15 with npx on the path.'
      : undefined

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null
/** As Ctrl-C does: the signal reaches npx and all that it started. */
const interrupt = ({ pid }: ChildProcess): boolean => process.kill(-(pid ?? 0), 'SIGINT')

/** Scripts that npm runs when it installs a package. */
const AT_INSTALLATION = ['preinstall', 'install', 'postinstall', 'prepare'] as const

async function manifestsBelow(
  folder: string,
): Promise<readonly { readonly name: string; readonly scripts?: Readonly<Record<string, string>> }[]> {
  const paths = (await readdir(folder, { recursive: true })).filter((path) => /(?:^|\/)package\.json$/.test(path))
  return Promise.all(paths.map(async (path) => JSON.parse(await readFile(join(folder, path), 'utf8')) as { name: string }))
}

describe.skipIf(obstacle !== undefined)(
  `npm packages${obstacle === undefined ? '' : ` (skipped: ${obstacle})`}`,
  { timeout: LONG_MS },
  () => {
    let at: Folders
    let registry: NpmRegistry
    let home: string
    let env: NodeJS.ProcessEnv
    const archives = new Map<string, string>()
    let daemon: ChildProcess | undefined

    beforeAll(async () => {
      at = await folders()
      home = join(at.base, 'home')
      for (const folder of [home, at.runtime]) await mkdir(folder, { mode: 0o700 })
      registry = await npmRegistry()
      for (const published of PUBLISHED) archives.set(published.name, (await packPublished(ROOT, published, join(at.base, 'packed'))).path)
      env = {
        PATH: `${OLD}:/usr/bin:/bin`,
        HOME: home,
        XDG_RUNTIME_DIR: at.runtime,
        npm_config_registry: registry.url,
        SALLYPORT_VAULT: 'file',
      }
    }, LONG_MS)
    afterAll(async () => {
      if (daemon !== undefined && isRunning(daemon)) interrupt(daemon)
      await registry.close()
      await at.remove()
    })

    const archiveOf = (name: string): string => archives.get(name) ?? ''

    describe('npx in an empty home', () => {
      let text = ''

      beforeAll(async () => {
        const archive = archiveOf('sallyport')
        await copyFile(archive, join(home, basename(archive)))
        const words = ['--yes', `./${basename(archive)}`, 'run', '--consent', 'allow']
        const child = spawn(join(OLD ?? '', 'npx'), words, { cwd: home, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
        daemon = child
        let said = ''
        child.stderr.setEncoding('utf8').on('data', (part: string) => (said += part))
        await new Promise<void>((take, reject) => {
          child.stdout.setEncoding('utf8').on('data', (part: string) => {
            text += part
            if (text.includes('Press Ctrl-C')) take()
          })
          child.once('exit', (code) => reject(new Error(`npx ended with ${code}: ${said}`)))
        })
      }, LONG_MS)

      test('runs the daemon with the sandbox, for games', async () => {
        expect(text).toMatch(/Platform +sandbox/)
        expect(text).toContain(join(at.runtime, 'discord-ipc-0'))
        const game = await connectedGame({ applicationId: '1180000000000000042', runtimeDir: at.runtime, requireBridge: true })
        expect(game.server).toMatchObject({ path: join(at.runtime, 'discord-ipc-0') })
        await game.close()
      })

      test('prints lines that can be typed next, in that home', async () => {
        const lines = [...text.matchAll(/^ {2}(npx .+?) {2,}\S/gm)].map(([, line = '']) => line)
        expect(lines).toEqual(
          ['open', 'login', 'call GET_CURRENT_USER_GUILDS'].map(
            (words) => `npx --package=./${basename(archiveOf('sallyport'))} sallyport ${words}`,
          ),
        )
        expect(text).not.toContain('npm run')
        // No browser is here for the first.
        for (const line of lines.slice(1)) await run('/bin/sh', ['-c', `${line} --non-interactive`], { cwd: home, env })
      })

      test('brings Node for this system and the keychain library, and runs no script', async () => {
        const target = `linux-${process.arch}`
        expect([...new Set(registry.downloaded)].toSorted()).toEqual([
          '@napi-rs/keyring',
          `@napi-rs/keyring-${target}-gnu`,
          `node-${target}`,
        ])
        const [tree = ''] = await readdir(join(home, '.npm', '_npx'))
        const installed = join(home, '.npm', '_npx', tree, 'node_modules')
        const manifests = await manifestsBelow(installed)
        expect(manifests.map(({ name }) => name)).toEqual(expect.arrayContaining(['sallyport', `node-${target}`]))
        expect(manifests.filter(({ scripts }) => AT_INSTALLATION.some((name) => scripts?.[name] !== undefined))).toEqual([])
        // Without the library the reason is another one: nothing has a session bus here.
        const { stdout } = await run('/bin/sh', ['-c', `npx ./${basename(archiveOf('sallyport'))} doctor --json || true`], {
          cwd: home,
          env: { ...env, SALLYPORT_VAULT: 'auto' },
        })
        expect(stdout).toMatch(/"keychain"/)
        expect(stdout).not.toMatch(/keychain library|No library/i)
      })
    })

    describe('a project of a game', () => {
      let project: string
      beforeAll(async () => {
        project = join(at.base, 'game')
        await mkdir(project)
        await writeFile(join(project, 'package.json'), JSON.stringify({ name: 'game', version: '1.0.0', type: 'module' }))
        const words = ['install', '--no-audit', '--no-fund', archiveOf('@sallyport/client'), archiveOf('@sallyport/protocol')]
        await run(join(OLD ?? '', 'npm'), words, { cwd: project, env })
        await mkdir(join(project, 'node_modules', '@types'))
        await symlink(join(MODULES, '@types/node'), join(project, 'node_modules', '@types', 'node'))
        const readme = await readFile(join(project, 'node_modules/@sallyport/client/README.md'), 'utf8')
        const [, program = ''] = /^```ts\n([\s\S]*?)^```$/m.exec(readme) ?? []
        await writeFile(join(project, 'presence.ts'), program)
        // It has no types to remove.
        await writeFile(join(project, 'presence.js'), program)
      }, LONG_MS)

      test('gets no package with a script', async () => {
        const manifests = await manifestsBelow(join(project, 'node_modules/@sallyport'))
        expect(manifests.filter(({ scripts }) => AT_INSTALLATION.some((name) => scripts?.[name] !== undefined))).toEqual([])
      })

      test.for([
        ['node16', 'node16'],
        ['esnext', 'bundler'],
      ] as const)('compiles the program of the README with modules of %s, resolved as by %s', async ([module, resolution]) => {
        const compiler = join(MODULES, 'typescript/bin/tsc')
        // As `tsc --init` sets it; without it the compiler takes a minute for the tables of the protocol.
        const options = [
          '--skipLibCheck',
          '--strict',
          '--target',
          'es2023',
          '--module',
          module,
          '--moduleResolution',
          resolution,
          '--types',
          'node',
        ]
        const words = [compiler, ...options, '--outDir', join(project, resolution), 'presence.ts']
        const { stdout } = await run(process.execPath, words, { cwd: project })
        expect(stdout).toBe('')
      })

      test.for(['presence.js', 'node16/presence.js'])('runs %s on the older Node', async (program) => {
        const { stdout } = await run(join(OLD ?? '', 'node'), [program, '1'], { cwd: project, env })
        expect(stdout).toContain(`connected through ${join(at.runtime, 'discord-ipc-0')}`)
        expect(stdout).toContain('shown as: Unloading the Copper Wren')
      })

      test('reads the tables of the protocol', async () => {
        const program = "import { COMMANDS } from '@sallyport/protocol'; console.log(Object.hasOwn(COMMANDS, 'SET_ACTIVITY'))"
        const { stdout } = await run(join(OLD ?? '', 'node'), ['--input-type=module', '--eval', program], { cwd: project, env })
        expect(stdout.trim()).toBe('true')
      })
    })

    test('Ctrl-C ends npx and the daemon', async () => {
      const socket = join(at.runtime, 'discord-ipc-0')
      expect(existsSync(socket)).toBe(true)
      if (daemon === undefined) throw new Error('npx was not started')
      interrupt(daemon)
      await ended(daemon)
      expect(existsSync(socket)).toBe(false)
    })

    test.for(PUBLISHED)('$name holds what the list says', async (published) => {
      const { stdout } = await run('tar', ['-tzf', archiveOf(published.name)])
      const paths = stdout.split('\n').flatMap((path) => (path === '' ? [] : [path.replace(/^package\//, '')]))
      expect(paths.toSorted()).toEqual(await filesOf(ROOT, published))
    })

    test('no archive is written that would hold a file of an earlier build', async () => {
      const program = PUBLISHED.find(({ name }) => name === 'sallyport')
      if (program === undefined) throw new Error('the program is not published')
      const left = join(ROOT, 'daemon/dist/sallyport-earlier.cjs')
      await writeFile(left, '')
      try {
        await expect(packPublished(ROOT, program, at.base)).rejects.toThrow('dist/sallyport-earlier.cjs does not belong into sallyport')
        expect((await readdir(at.base)).filter((name) => name.endsWith('.tgz'))).toEqual([])
      } finally {
        await rm(left)
      }
    })
  },
)
