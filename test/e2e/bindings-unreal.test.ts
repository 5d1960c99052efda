/** The plugin for Unreal, compiled from its archive against our stand-in of the engine, and played with the real daemon under the sanitizers. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isInstalled } from '#test/support/c-build.ts'
import { csharpObstacle } from '#test/support/csharp-build.ts'
import { buildUnreal, compileGame, descriptor, runRules, SANITIZERS, type UnrealPlugin, unpackUnreal } from '#test/support/unreal-build.ts'
import { errorFor, event, type Peer, responseTo, ScriptedServer } from '#test/support/scripted-server.ts'
import { type Daemon, type Folders, folders, SOURCE, startDaemon } from './support/daemon.ts'
import { onceSaid, playDockside, playInvited, shown } from './support/dockside.ts'
import { SHIPS, UncertainLobby } from './support/uncertain-lobby.ts'

const COMPILE_MS = 300_000
const OVER = /^over$/m
const run = promisify(execFile)
/** A user with a quote in the name, because the game makes JSON of it. */
const INVITE = {
  type: 1,
  user: { id: '78', username: 'gra"ce', discriminator: '0' },
  activity: { name: 'Dockside', type: 0 },
  channel_id: '5',
  message_id: '6',
  session_id: 's"1',
  application_id: '42',
}

/** The answers to the calls of six sign-ins; a number is a code of an error. */
const SIGN_INS: readonly (object | number)[] = [5011, 4009, 5000, { user: { id: '1', username: 'ada' }, scopes: [] }, 4009, 5000, {}]

/** Answers the next call that is no subscription; returns its name. */
async function answered(peer: Peer, answer: object | number): Promise<string> {
  for (;;) {
    const call = await peer.message()
    if (call.cmd === 'SUBSCRIBE') {
      peer.write(responseTo(call, null))
      continue
    }
    const failure = { code: answer, message: 'no', ...(answer === 5011 ? { retry_after: 1.5 } : {}) }
    peer.write(typeof answer === 'number' ? errorFor(call, failure) : responseTo(call, answer))
    return call.cmd
  }
}

if (!(await isInstalled('g++'))) {
  test('the plugin for Unreal', (context) => context.skip('There is no g++ to build the plugin with; install g++.'))
} else {
  describe('the plugin for Unreal', () => {
    let folder: string
    let plugin: UnrealPlugin
    let game: string
    let at: Folders
    let daemon: Daemon | undefined
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'spe-'))
      at = await folders()
      plugin = await unpackUnreal(folder)
      game = await buildUnreal(plugin, { c: 'gcc', cpp: 'g++', standard: 'c++17', flags: SANITIZERS })
    }, COMPILE_MS)
    afterAll(async () => {
      await daemon?.stop()
      await at.remove()
      await rm(folder, { recursive: true, force: true })
    })

    const play = async (what: string, onText: (all: string) => void = () => {}): Promise<readonly string[]> =>
      (await playDockside([game, what], { env: { XDG_RUNTIME_DIR: at.runtime }, last: OVER, onText })).trim().split('\n')

    test('describes a module that is loaded before those of the game', async () => {
      expect(await descriptor(plugin)).toMatchObject({
        FileVersion: 3,
        Modules: [{ Name: 'SallyportClient', Type: 'Runtime', LoadingPhase: 'PreDefault' }],
      })
      expect(plugin.paths).toContain('Sallyport/Sallyport.uplugin')
    })

    test('holds the C client as sources, and nothing that must be staged', () => {
      expect(plugin.paths).toContain('Sallyport/Source/SallyportClient/Private/Client/transport_windows.c')
      expect(plugin.paths).toContain('Sallyport/Source/SallyportClient/Private/sallyport/protocol.h')
      expect(plugin.paths.filter((path) => /\.(?:a|so|dll|lib|dylib|o)$/.test(path))).toEqual([])
    })

    test('has rules that link what each system needs', async (context) => {
      if (csharpObstacle !== undefined) return context.skip(csharpObstacle)
      const modules = 'Core CoreUObject DeveloperSettings Engine'
      expect((await runRules(plugin)).trim().split('\n')).toEqual([
        `Win64: ${modules} | advapi32.lib bcrypt.lib |  | staged 0`,
        ...['Linux', 'LinuxArm64', 'Mac'].map((system) => `${system}: ${modules} |  |  | staged 0`),
        ...['Android', 'IOS'].map((system) => `${system}: ${modules} |  | SALLYPORT_NO_SYSTEM=1 | staged 0`),
      ])
    })

    test('compiles where no bridge can run, as one unit and with clang, and is not available there', {
      timeout: COMPILE_MS,
    }, async (context) => {
      if (!(await isInstalled('clang++'))) return context.skip('clang++ is not installed.')
      const flags = ['-Wshadow-all', '-DSALLYPORT_NO_SYSTEM=1']
      const elsewhere = await buildUnreal(plugin, { c: 'clang', cpp: 'clang++', standard: 'c++20', flags, isOneUnit: true })
      expect((await run(elsewhere, ['alone'])).stdout.trim().split('\n')).toEqual([
        'LogSallyport: Warning: Not available: not available on this platform. The game goes on.',
        'event: not available: not available on this platform',
        'event: failed: E_NOT_READY not available',
        'node failed: E_NOT_READY not available',
        'node is over: 1',
        'subscription: 0',
        'supported: 0',
        'text: b',
        'tickers: 0',
        'over',
      ])
    })

    test('is described by a page whose code compiles', async () => {
      const page = await readFile(join(plugin.home, 'README.md'), 'utf8')
      const file = join(folder, 'page.cpp')
      await writeFile(
        file,
        `${/```cpp\n([\s\S]*?)```/.exec(page)?.[1] ?? ''}\nint main() { ShowPresence(nullptr), SignIn(nullptr), Leave(nullptr); }\n`,
      )
      await compileGame(plugin, file)
    })

    test('reads and makes JSON and records, and escapes every text', async () => {
      expect(await play('values')).toEqual([
        'id: 18446744073709551615',
        'integer: 3',
        'number of half: 1',
        'flag: 1',
        'second member: 2',
        'third member: ',
        'no number: ',
        'null: ',
        'has null: 1',
        'has nothing: 0',
        'items: 2',
        'items of a text: 0',
        'item: {"id":"1","flags":0}',
        'text item: ü"',
        'count: 2',
        'fields: "1"',
        'json: {"Ship":"Wren","ship":"Ada"}',
        'no JSON: ',
        String.raw`text: "a \"b\" \\ \u000a ü 🚢"`,
        'half a character: "x?"',
        'empty text: ""',
        'not finite: null',
        'LogSallyport: Warning: A value is no JSON, so it became null. Make texts with Make Text.',
        'list: [-9007199254740993,null,false]',
        'empty list: []',
        String.raw`texts: ["","\""]`,
        String.raw`object: {"pier \"9\"":{}}`,
        'object by fields: {"Name":0.5,"name":7,"on":true}',
        'LogSallyport: Warning: a was added to what is no JSON object; begin with an empty text.',
        'object of a list: {"a":1}',
        'lobby: 7 of 42 pier',
        'members: 2',
        'flags of a member: 1',
        'flags of another type: 0',
        'member list: 5',
        'friend: grace plays Dockside',
        'party: 4',
        'no record: ',
        'empty presence: {}',
        String.raw`presence: {"details":"the \"Wren\"","timestamps":{"start":1700000000000},"party":{"size":[0,4]},"secrets":{"join":"pier-9"},"buttons":[{"label":"Watch","url":"https://example.com"}]}`,
        'over',
      ])
    })

    test('lets the game go on without a bridge, with one line in the log', async () => {
      expect(await play('alone')).toEqual([
        expect.stringMatching(/^LogSallyport: Log: Not available: no server was found.* The game goes on; it tries again\.$/),
        expect.stringMatching(/^event: not available: no server was found/),
        'event: failed: E_NOT_READY not available',
        'node failed: E_NOT_READY not available',
        'node is over: 1',
        'subscription: 1',
        'supported: 1',
        'text: b',
        'tickers: 0',
        'over',
      ])
    })

    test('asks for an application id', async () => {
      const why = 'there is no application id; set one in Project Settings > Plugins > Sallyport'
      expect((await play('unset')).slice(0, 6)).toEqual([
        `LogSallyport: Warning: Not available: ${why}. The game goes on.`,
        `event: not available: ${why}`,
        'event: failed: E_NOT_READY not available',
        'node failed: E_NOT_READY not available',
        'node is over: 1',
        'subscription: 0',
      ])
    })

    test('has no subsystem on a dedicated server, and nodes end there', async () => {
      expect(await play('server')).toEqual(['node failed: E_NOT_READY not available', 'node is over: 1', 'tickers: 0', 'over'])
    })

    test('connects one of two players of a process', async () => {
      expect((await play('players')).filter((line) => /^(?:event|second|tickers)/.test(line))).toEqual([
        expect.stringMatching(/^event: not available: no server was found/),
        expect.stringMatching(/^event: not available: another player of this process has the connection/),
        'second: ',
        'tickers: 0',
      ])
    })

    test('has latent nodes that end once, with a result or an error', async () => {
      daemon ??= await startDaemon(SOURCE, at)
      expect((await play('nodes')).filter((line) => !line.startsWith('LogSallyport: Log: Connected'))).toEqual([
        expect.stringMatching(/^event: signed in: \w+$/),
        expect.stringMatching(/^node: \w+$/),
        'node is over: 1',
        expect.stringMatching(/^node: \d+$/),
        'node is over: 1',
        'node failed: INVALID_LOBBY refused',
        'node is over: 1',
        'node failed: INVALID_COMMAND refused',
        'node is over: 1',
        'node failed: E_JSON refused',
        'node is over: 1',
        'node failed: E_NOT_READY not available',
        'node is over: 1',
        'with a key: E_ARGUMENT',
        'with an empty key: E_ARGUMENT',
        'signed in: 1',
        'user: 1',
        expect.stringMatching(/^event: signed in: \w+$/),
        expect.stringMatching(/^node: \w+$/),
        'disconnected: the game disconnected; it can call Connect',
        'event: failed: E_NOT_READY not available',
        'node failed: E_NOT_READY not available',
        'node is over: 1',
        'connected again: 1',
        'tickers: 0',
        'over',
      ])
    })

    test('ends what waits when the game stops', async () => {
      daemon ??= await startDaemon(SOURCE, at)
      expect((await play('stop')).slice(1)).toEqual([
        'event: failed: E_CLOSED not available',
        'node failed: E_CLOSED not available',
        'tickers: 0',
        'over',
      ])
    })

    test('signs in silently, asks only for INVALID_TOKEN, and reports refused, failed and signed out', async () => {
      const alone = await folders()
      const server = await ScriptedServer.listen(alone.runtime)
      const said = run(game, ['sign-in'], { env: { ...process.env, XDG_RUNTIME_DIR: alone.runtime } })
      const sent: string[] = []
      const peer = await server.peer()
      await peer.ready()
      for (const answer of SIGN_INS) sent.push(await answered(peer, answer))
      const { stdout } = await said
      await server.close()
      await alone.remove()
      expect(sent).toEqual(['AUTHENTICATE', 'AUTHENTICATE', 'AUTHORIZE', 'AUTHENTICATE', 'AUTHENTICATE', 'AUTHORIZE', 'FORGET_TOKENS'])
      expect(stdout.trim().split('\n').slice(1)).toEqual([
        'event: failed: RATE_LIMITED retryable after 1500 ms',
        'node failed: RATE_LIMITED retryable after 1500 ms',
        'node is over: 1',
        'event: refused: OAUTH2_ERROR refused',
        'node failed: OAUTH2_ERROR refused',
        'node is over: 1',
        'event: signed in: ada',
        'node: ada',
        'node is over: 1',
        'node failed: INVALID_TOKEN refused',
        'node is over: 1',
        'event: refused: OAUTH2_ERROR refused',
        'node failed: OAUTH2_ERROR refused',
        'node is over: 1',
        'node: ',
        'event: signed out',
        'node is over: 1',
        'signed in: 0',
        'tickers: 0',
        'over',
      ])
    })

    test('keeps a presence without a connection, and says once how it ended', async () => {
      const alone = await folders()
      let late: Daemon | undefined
      const acts: Promise<void>[] = []
      const begun = new Set<string>()
      const once = (name: string, act: () => Promise<void>): void => {
        if (begun.has(name)) return
        begun.add(name)
        acts.push((acts.at(-1) ?? Promise.resolve()).then(act))
      }
      const start = async (): Promise<void> => {
        late = await startDaemon(SOURCE, alone)
      }
      const onText = (all: string): void => {
        const outages = all.split('event: not available').length - 1
        if (outages > 0) once('start', start)
        // An outage before the connection is ready would be the same one.
        if (all.includes('second: shown') && all.includes('Connected to')) once('kill', async () => late?.kill())
        if (outages > 1) once('start again', start)
      }
      const text = await playDockside([game, 'late'], { env: { XDG_RUNTIME_DIR: alone.runtime }, last: OVER, onText })
      await Promise.all(acts)
      expect(text.split('\n').filter((line) => /^(?:first|second|third):/.test(line))).toEqual([
        'first: E_REPLACED',
        'second: shown',
        'third: shown',
      ])
      await late?.stop()
      await alone.remove()
    })

    test('plays the sample', async () => {
      daemon ??= await startDaemon(SOURCE, at)
      const lines = await play('play')
      const text = lines.join('\n')
      expect(text).toMatch(/LogSallyport: Log: Connected to \S+discord-ipc-0\./)
      expect(text).toMatch(/signed in as \w+/)
      expect(text).toMatch(/the lobby remembers: Quiet Quorum: 9 crates of snow globes ashore/)
      expect(text).toContain('53 crates ashore. Fair winds!')
      expect(lines.slice(-2)).toEqual(['tickers: 0', 'over'])
      const { origin } = daemon
      await expect.poll(() => shown({ origin })).toContain('ended 204')
      expect(await shown({ origin })).toContain('shown 200')
    })

    test('sends each message once, also when it cannot know whether it was sent', async () => {
      const alone = await folders()
      const lobby = await UncertainLobby.listen(alone.runtime)
      const text = await playDockside([game, 'play'], { env: { XDG_RUNTIME_DIR: alone.runtime }, last: OVER })
      await lobby.close()
      await alone.remove()
      expect(lobby.ships).toEqual(SHIPS)
      expect(text).toContain('53 crates ashore. Fair winds!')
    })

    test('joins a friend, and lets a friend join', async () => {
      const alone = await folders()
      const { subscriptions, answer } = await playInvited([game, 'play'], alone.runtime, /you join the pier of a friend/)
      expect(subscriptions.toSorted()).toEqual(['ACTIVITY_INVITE', 'ACTIVITY_JOIN', 'ACTIVITY_JOIN_REQUEST', 'AUTHORIZE_REQUEST'])
      expect(answer?.args).toMatchObject({ user_id: '78' })
      await alone.remove()
    })

    test('accepts an invite with what the event said', async () => {
      const alone = await folders()
      const server = await ScriptedServer.listen(alone.runtime)
      const until = server.peer().then(async (peer) => {
        await peer.ready()
        for (;;) {
          const call = await peer.message()
          if (call.cmd === 'ACCEPT_ACTIVITY_INVITE') return call.args as unknown
          if (call.cmd === 'SUBSCRIBE') peer.write(responseTo(call, null))
          if (call.cmd === 'AUTHENTICATE') peer.write(event('ACTIVITY_INVITE', INVITE))
        }
      })
      const text = await playDockside([game, 'play'], { env: { XDG_RUNTIME_DIR: alone.runtime }, last: /$^/, until })
      await server.close()
      await alone.remove()
      expect(text).toContain('~ gra"ce invites you')
      expect(await until).toEqual({ type: 1, user_id: '78', session_id: 's"1', channel_id: '5', message_id: '6', application_id: '42' })
    })

    test('plays on after the daemon was killed', async () => {
      daemon ??= await startDaemon(SOURCE, at)
      const restart = onceSaid('[2/5]', async () => {
        await daemon?.kill()
        daemon = await startDaemon(SOURCE, at)
      })
      const lines = await play('play', restart.onText)
      await restart.done()
      const text = lines.join('\n')
      expect(text).toMatch(/~ no bridge, waiting: [^]*~ the bridge is here, signed in again/)
      expect(text).toContain('53 crates ashore. Fair winds!')
      const { origin } = daemon
      await expect.poll(() => shown({ origin })).toContain('shown 200')
    })
  })
}
