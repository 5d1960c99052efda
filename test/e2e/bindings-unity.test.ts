/** The package for Unity, compiled by its assembly definitions against our stand-in of the engine, and played on mono with the real daemon. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { csharpObstacle } from '#test/support/csharp-build.ts'
import { buildUnity, type UnityPackage } from '#test/support/unity-build.ts'
import { type Call, errorFor, event, responseTo, ScriptedServer, type Peer } from '#test/support/scripted-server.ts'
import { type Daemon, type Folders, folders, SOURCE, startDaemon } from './support/daemon.ts'
import { onceSaid, playDockside, playInvited, shown } from './support/dockside.ts'
import { playUnknownOutcome } from './support/unknown-outcome.ts'

const run = promisify(execFile)
const COMPILE_MS = 120_000
const OVER = /^over$/m

if (csharpObstacle !== undefined) {
  test('the package for Unity', { tags: ['1-2'] }, (context) => context.skip(csharpObstacle))
} else {
  describe('the package for Unity', () => {
    let folder: string
    let unity: UnityPackage
    let at: Folders
    let daemon: Daemon | undefined
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'spu-'))
      unity = await buildUnity(folder)
      at = await folders()
    }, COMPILE_MS)
    afterAll(async () => {
      await daemon?.stop()
      await at.remove()
      await rm(folder, { recursive: true, force: true })
    })

    const play = async (what: string, onText?: (all: string) => void): Promise<readonly string[]> =>
      (await playDockside(['mono', unity.program, what], { env: { XDG_RUNTIME_DIR: at.runtime }, last: OVER, ...(onText && { onText }) }))
        .trim()
        .split('\n')

    test('has a name for each file and folder that the editor imports', async () => {
      const visible = unity.files.filter((path) => !path.split('/').some((part) => part.endsWith('~')))
      const metas = visible.filter((path) => path.endsWith('.meta'))
      const named = new Set(metas.map((path) => path.slice(0, -'.meta'.length)))
      expect(visible.filter((path) => !path.endsWith('.meta') && !named.has(path))).toEqual([])
      for (const path of ['Runtime', 'Runtime/Client', 'Editor']) expect(named).toContain(path)
      const guids = await Promise.all(
        metas.map(async (path) => /^guid: ([0-9a-f]{32})$/m.exec(await readFile(join(unity.home, path), 'utf8'))?.[1]),
      )
      expect(new Set(guids).size).toBe(metas.length)
      expect(guids).not.toContain(undefined)
    })

    test('keeps its assemblies from the linker', async () => {
      const link = await readFile(join(unity.home, 'link.xml'), 'utf8')
      for (const name of ['Sallyport', 'Sallyport.Unity']) expect(link).toContain(`<assembly fullname="${name}" preserve="all" />`)
      const lines = await play('settings')
      expect(lines.at(-2)).toMatch(/^link: \/.*\/Packages\/com\.sallyport\.client\/link\.xml$/)
    })

    test('has a page of settings that makes their asset, and asks for an id', async () => {
      const lines = await play('settings')
      expect(lines.slice(0, -2)).toEqual([
        'page: Project/Sallyport',
        'asset: Assets/Sallyport/Resources/SallyportSettings.asset',
        'field: True',
        'help: Enter the id of your application: a number of 17 to 20 digits.',
        'field: True',
        'field: True',
        'field: True',
        'scopes: openid sdk.social_layer',
        'warning: Sallyport: there is no application id; set one in Project Settings > Sallyport.',
        'field: True',
        'field: True',
        'field: True',
        'field: True',
      ])
    })

    test('lets the game go on without a bridge, with one line in the log', async () => {
      const lines = await play('absent')
      expect(lines.filter((line) => line.startsWith('log: Sallyport'))).toEqual([
        expect.stringMatching(/^log: Sallyport: not available: no server was found .* The game goes on; it tries again\.$/),
      ])
      expect(lines).toContain('ready: False')
      expect(lines.slice(-3)).toEqual(['stopped at once: True True', 'busy threads: 0', 'over'])
    })

    test('is there on every platform, and says once that it is not available', async () => {
      for (const path of ['Runtime/Sallyport.Unity.asmdef', 'Runtime/Client/Sallyport.asmdef'])
        expect(JSON.parse(await readFile(join(unity.home, path), 'utf8')), path).toMatchObject({ includePlatforms: [] })
      expect(await play('elsewhere')).toEqual([
        'log: Sallyport: not available on this platform. The game goes on without it.',
        'reason: not available on this platform',
        'sign-in: not available on this platform',
        'client: False, ready: False',
        'over',
      ])
    })

    /** Plays with a server of the test, which answers each call. */
    async function served(what: string, answer: (call: Call, peer: Peer) => void): Promise<string> {
      const alone = await folders()
      const server = await ScriptedServer.listen(alone.runtime)
      try {
        const serve = async (): Promise<void> => {
          const peer = await server.peer()
          await peer.ready()
          for (;;) answer(await peer.message(), peer)
        }
        serve().catch(() => {})
        return await playDockside(['mono', unity.program, what], { env: { XDG_RUNTIME_DIR: alone.runtime }, last: OVER })
      } finally {
        await server.close()
        await alone.remove()
      }
    }

    test('accepts an invite, once the player wants to', async () => {
      const accepted: unknown[] = []
      const invite = { type: 1, user: { id: '7' }, activity: {}, channel_id: '8', message_id: '9', session_id: 's', application_id: '42' }
      const text = await served('invite', (call, peer) => {
        peer.write(responseTo(call, {}))
        if (call.cmd === 'SUBSCRIBE' && call.evt === 'ACTIVITY_INVITE') peer.write(event('ACTIVITY_INVITE', invite))
        if (call.cmd !== 'ACCEPT_ACTIVITY_INVITE') return
        accepted.push(call.args)
        peer.write(event('ACTIVITY_JOIN', { secret: 'pier-9' }))
      })
      expect(accepted).toEqual([{ type: 1, user_id: '7', session_id: 's', channel_id: '8', message_id: '9', application_id: '42' }])
      expect(text).toContain('warning: Sallyport: AcceptInvite did nothing: there is no invite 0, or it is too old.')
      expect(text).toContain('joins with pier-9')
    })

    test('reports a refused sign-in apart from one that may succeed later, and from a revoked permission', async () => {
      let signIns = 0
      const text = await served('refused', (call, peer) => {
        if (call.cmd !== 'AUTHENTICATE') return peer.write(responseTo(call, {}))
        signIns += 1
        if (signIns === 1) return peer.write(errorFor(call, { code: 4006, message: 'No.' }))
        if (signIns === 2) return peer.write(errorFor(call, { code: 5011, message: 'Too many requests.', retry_after: 1 }))
        const user = { id: '7', username: 'ada', discriminator: '0' }
        const expires = '2030-01-01T00:00:00.000Z'
        peer.write(responseTo(call, { user, scopes: [], expires, application: { id: '42', name: 'x' }, access_token: 'of-the-test' }))
        peer.write(event('TOKEN_REVOKED', { application_id: '42', user_id: '7', reason: 'revoked' }))
      })
      expect(text.split('\n').filter((line) => /^(?:refused|failed|signed|revoked)/.test(line))).toEqual([
        'refused: No.',
        'failed: Too many requests.',
        'signed in: ada',
        'revoked',
      ])
    })

    test('ends a sign-in that waits when it is disabled', async () => {
      const text = await served('disabled', (call, peer) => {
        if (call.cmd !== 'AUTHENTICATE') peer.write(responseTo(call, {}))
      })
      expect(text).toContain('sign-in: ConnectionLostException')
    })

    test('keeps one connection, however often its scene is loaded', async () => {
      const alone = await folders()
      const server = await ScriptedServer.listen(alone.runtime)
      try {
        const seen: string[] = []
        const serve = async (): Promise<void> => {
          const peer = await server.peer()
          await peer.ready()
          for (;;) {
            const call = await peer.message()
            if (call.cmd === 'SET_ACTIVITY') seen.push(call.args?.activity?.state)
            peer.write(responseTo(call, null))
          }
        }
        serve().catch(() => {})
        const text = await playDockside(['mono', unity.program, 'scenes'], { env: { XDG_RUNTIME_DIR: alone.runtime }, last: OVER })
        expect(text.trim().split('\n')).toEqual([
          expect.stringMatching(/^log: Sallyport: connected to /),
          ...Array.from({ length: 3 }, () => 'components: 1, ready 1 times'),
          'kept: False',
          expect.stringMatching(/^warning: Sallyport: SetActivity did nothing: the component Sallyport is disabled/),
          'over',
        ])
        expect(server.connections).toBe(1)
        expect(seen).toEqual(['round 1', 'round 2', 'round 3'])
      } finally {
        await server.close()
        await alone.remove()
      }
    })

    test('plays the sample, and stops without a thread that is left', { tags: ['1-2'] }, async () => {
      daemon ??= await startDaemon(SOURCE, at)
      const lines = await play('play')
      const text = lines.join('\n')
      expect(text).toMatch(/log: Sallyport: connected to \S+discord-ipc-0 \(Unix socket\)\./)
      expect(text).toMatch(/log: signed in as \w+/)
      expect(text).toContain('log:   ada: Quiet Quorum: 9 crates of snow globes ashore')
      expect(text).toContain('log: 53 crates ashore. Fair winds!')
      expect(lines.slice(-3)).toEqual(['stopped at once: True True', 'busy threads: 0', 'over'])
      const { origin } = daemon
      await expect.poll(() => shown({ origin })).toContain('ended 204')
      expect(await shown({ origin })).toContain('shown 200')
    })

    test('reads the history after an unknown outcome, so that each line is there once', async () => {
      const alone = await folders()
      const { text, lines, keys } = await playUnknownOutcome(['mono', unity.program, 'play'], alone.runtime, OVER)
      expect(text).toContain('log: 53 crates ashore. Fair winds!')
      expect(lines).toEqual(['Copper Wren', 'Patient Ada', 'Salt Margin', 'Northern Comma', 'Quiet Quorum'])
      expect(new Set(keys).size).toBe(lines.length + 1)
      await alone.remove()
    })

    test.each(['reload', 'unclean'])('signs in again after the scripts were reloaded (%s)', async (what) => {
      daemon ??= await startDaemon(SOURCE, at)
      const lines = await play(what)
      const [before, after] = [
        lines.slice(0, lines.indexOf('unloaded at once: True')),
        lines.slice(lines.indexOf('unloaded at once: True') + 1),
      ]
      expect(before).toContain('ready: True')
      if (what === 'reload') expect(before.at(-1)).toBe('closed: True')
      expect(after.join('\n')).toMatch(/signed in as \w+/)
      expect(after).toContain('log: 53 crates ashore. Fair winds!')
      expect(after.slice(-3)).toEqual(['stopped at once: True True', 'busy threads: 0', 'over'])
    })

    test('joins a friend, and lets a friend join', async () => {
      const alone = await folders()
      const { subscriptions, answer } = await playInvited(['mono', unity.program, 'play'], alone.runtime, /you join the pier of a friend/)
      expect(subscriptions.toSorted()).toEqual(['ACTIVITY_INVITE', 'ACTIVITY_JOIN', 'ACTIVITY_JOIN_REQUEST', 'AUTHORIZE_REQUEST'])
      expect(answer?.args).toMatchObject({ user_id: '78' })
      await alone.remove()
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
      expect(text).toMatch(/not available: [^]*~ the bridge is here, signed in again/)
      expect(text).toContain('log: 53 crates ashore. Fair winds!')
      const { origin } = daemon
      await expect.poll(() => shown({ origin })).toContain('shown 200')
    })

    test('is described by a page whose code compiles', async () => {
      const page = await readFile(join(unity.home, 'README.md'), 'utf8')
      const file = join(folder, 'Pier.cs')
      await writeFile(file, /```csharp\n([\s\S]*?)```/.exec(page)?.[1] ?? '')
      const references = ['Sallyport', 'Sallyport.Unity', 'UnityStubs'].map((name) => `-r:${join(folder, `${name}.dll`)}`)
      await run('mcs', ['-langversion:7.2', '-warnaserror', '-nowarn:649', '-target:library', ...references, `-out:${file}.dll`, file])
    })
  })
}
