/** No other program can use the grant of a program: not with its process id, its path, its content or its connection. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, copyFileSync, linkSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createPkce } from '@sallyport/client'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ended } from '#test/support/ended.ts'
import { stateOf } from './support/bridge-state.ts'
import { type Daemon, type Folders, folders, startDaemon, SMOKE_TARGETS } from './support/daemon.ts'
import { frame, handshake, OP } from '#test/support/frames.ts'
import { makeProgram, ProgramClient } from './support/program-client.ts'

const APPLICATION = '888000555'
const OURS = { client_id: APPLICATION, contract: '1.0', streams: true }
const SCOPES = ['identify', 'guilds']
const BOT = { SALLYPORT_BOT_TOKEN: `sandbox-bot-${APPLICATION}` }
const REFUSED = { evt: 'ERROR', data: { code: 5000, message: expect.stringContaining('access_denied') as string } }
const SILENT = { evt: null, data: { user: { username: 'ada' } } }

const isRoot = process.getuid?.() === 0
const canContain = spawnSync('unshare', ['--mount', 'true']).status === 0

async function signIn(game: ProgramClient): Promise<void> {
  const { verifier, challenge } = createPkce()
  const asked = await game.call('AUTHORIZE', { scopes: SCOPES, code_challenge: challenge, code_challenge_method: 'S256' })
  const { code, redirect_uri } = asked.data as { readonly code: string; readonly redirect_uri: string }
  expect(await game.call('GET_TOKEN', { code, code_verifier: verifier, redirect_uri })).toMatchObject({ evt: null })
}

describe.runIf(process.platform === 'linux').each(SMOKE_TARGETS)('$name', (target) => {
  let at: Folders
  let daemon: Daemon
  let game: string
  const children: ChildProcess[] = []
  const clients: ProgramClient[] = []

  beforeAll(async () => {
    at = await folders()
    game = makeProgram(join(at.base, 'games', 'game'))
    daemon = await startDaemon(target, at, [], BOT)
    const first = await start(game)
    await signIn(first)
    await daemon.stop()
    await first.end()
    // From here on every prompt is answered no: what works, works without one.
    daemon = await startDaemon(target, at, ['--consent', 'deny'], BOT)
  })
  /** A program that runs cannot be written to. */
  async function endAll(): Promise<void> {
    for (const client of clients.splice(0)) await client.end()
  }
  afterEach(async () => {
    await endAll()
    for (const child of children.splice(0)) {
      child.kill('SIGKILL')
      await ended(child)
    }
  })
  afterAll(async () => {
    await daemon.stop()
    await at.remove()
  })

  const open = (program: string, run = {}): ProgramClient => {
    const client = ProgramClient.open(program, daemon.socket, run)
    clients.push(client)
    return client
  }
  const start = async (program: string, run = {}): Promise<ProgramClient> => {
    const client = open(program, run)
    await client.greet(OURS)
    return client
  }
  const signInSilently = async (program: string, run = {}) => (await start(program, run)).call('AUTHENTICATE', {})

  /** While the daemon stands still, connections wait to be accepted. */
  async function whileStopped(work: () => Promise<unknown>): Promise<void> {
    process.kill(daemon.ready.pid, 'SIGSTOP')
    try {
      await work()
    } finally {
      process.kill(daemon.ready.pid, 'SIGCONT')
    }
  }

  test('the program that was allowed is signed in without a prompt, and no other program is', async () => {
    expect(await signInSilently(game)).toMatchObject(SILENT)
    expect(await signInSilently(makeProgram(join(at.base, 'games', 'other')))).toMatchObject(REFUSED)
  })

  test('a file that was only linked is the same program; one whose content changed is not, though its mtime was set back', async () => {
    linkSync(game, join(at.base, 'games', 'link'))
    expect(await signInSilently(game)).toMatchObject(SILENT)

    const bytes = readFileSync(game)
    const last = bytes.length - 1
    /** To the nanosecond. */
    const keepingTime = async (change: () => void): Promise<void> => {
      await endAll()
      const { mtimeNs } = statSync(game, { bigint: true })
      const time = join(at.base, 'time')
      spawnSync('touch', ['-r', game, time])
      change()
      spawnSync('touch', ['-r', time, game])
      expect(statSync(game, { bigint: true }).mtimeNs).toBe(mtimeNs)
    }
    const flip = (): void => {
      bytes.writeUInt8(bytes.readUInt8(last) ^ 1, last)
      writeFileSync(game, bytes)
    }
    await keepingTime(flip)
    expect(await signInSilently(game)).toMatchObject(REFUSED)
    await keepingTime(flip)
    expect(await signInSilently(game), 'the content that was allowed').toMatchObject(SILENT)
  })

  test('a hidden program causes a prompt each time, and two hidden programs are not the same', async () => {
    expect(await signInSilently(game, { flags: ['--hide'] })).toMatchObject(isRoot ? SILENT : REFUSED)
    expect(await signInSilently(makeProgram(join(at.base, 'games', 'hidden')), { flags: ['--hide'] })).toMatchObject(REFUSED)
  })

  test('a child of a process that became the allowed program gets nothing', async () => {
    const thief = makeProgram(join(at.base, 'games', 'thief'))
    let client: ProgramClient | undefined
    await whileStopped(async () => {
      client = open(thief, { flags: ['--leave', game] })
      const pid = await client.connector
      await expect.poll(() => spawnSync('readlink', [`/proc/${pid}/exe`], { encoding: 'utf8' }).stdout.trim()).toBe(game)
    })
    await client?.greet(OURS)
    expect(await client?.call('AUTHENTICATE', {})).toMatchObject(REFUSED)
  })

  describe('a client without a contract', () => {
    const OLD = { client_id: APPLICATION }

    test('is signed in without a prompt and without a PING, by its first frame', async () => {
      const client = open(game, { answersPing: false })
      await client.greet(OLD)
      expect(await client.call('AUTHENTICATE', {})).toMatchObject(SILENT)
      expect(client.unread, 'frames that it did not ask for').toBe(0)
    })

    test('gets nothing as a child of a process that became the allowed program, also by AUTHORIZE', async () => {
      const thief = makeProgram(join(at.base, 'games', 'thief'))
      for (const [cmd, args] of [
        ['AUTHENTICATE', {}],
        ['AUTHORIZE', { scopes: ['identify'] }],
      ] as const) {
        let client: ProgramClient | undefined
        await whileStopped(async () => {
          client = open(thief, { flags: ['--leave', game], answersPing: false })
          const pid = await client.connector
          await expect.poll(() => spawnSync('readlink', [`/proc/${pid}/exe`], { encoding: 'utf8' }).stdout.trim()).toBe(game)
        })
        await client?.greet(OLD)
        expect(await client?.call(cmd, args)).toMatchObject(REFUSED)
        expect(client?.unread).toBe(0)
      }
    })

    test('gets nothing by frames that were sent before the process became the allowed program', async () => {
      const thief = makeProgram(join(at.base, 'games', 'thief'))
      let client: ProgramClient | undefined
      await whileStopped(async () => {
        client = open(thief, { flags: ['--leave', game], answersPing: false })
        const pid = await client.connector
        client.send(Buffer.concat([handshake(OLD), frame(OP.FRAME, { cmd: 'AUTHENTICATE', args: {}, nonce: 'early' })]))
        await expect.poll(() => spawnSync('readlink', [`/proc/${pid}/exe`], { encoding: 'utf8' }).stdout.trim()).toBe(game)
      })
      await client?.message()
      expect(await client?.message()).toMatchObject(REFUSED)
    })

    test('of a program for which nothing is stored receives the answer as its first frame', async () => {
      const client = open(makeProgram(join(at.base, 'games', 'new')), { answersPing: false })
      await client.greet({ ...OLD, client_id: '888000557' })
      expect(await client.call('AUTHENTICATE', {})).toMatchObject(REFUSED)
      expect(client.unread).toBe(0)
    })
  })

  describe('a container whose process has ended', () => {
    beforeEach((context) => context.skip(!canContain || !isRoot, 'Only root can make a container here, and "unshare --mount" must work.'))
    const inside = { by: ['unshare', '--mount', '--'], flags: ['--orphan'] }

    /** Another process of this user gets the number of the one that connected. */
    async function takeNumber(pid: number): Promise<void> {
      await expect.poll(() => spawnSync('kill', ['-0', String(pid)]).status, { timeout: 30_000 }).not.toBe(0)
      const taker = spawn(makeProgram(join(at.base, 'games', 'desktop')), ['--as', String(pid)], { stdio: ['ignore', 'pipe', 'inherit'] })
      children.push(taker)
      await once(taker.stdout, 'data')
    }

    test('can name neither a file of the user nor a launch command, even when another process has its id', async () => {
      const container = makeProgram(join(at.base, 'games', 'contained'))
      const client = await start(container, inside)
      await takeNumber(await client.connector)
      const file = await client.call('CREATE_MESSAGE', { channel_id: '1', files: [{ path: '/etc/hostname' }] })
      expect(file.evt).toBe('ERROR')
      const command = { command: `/usr/bin/touch ${join(at.base, 'escaped')}` }
      expect(await client.call('REGISTER_LAUNCH_COMMAND', command)).toMatchObject({ evt: 'ERROR', data: { code: 4000, path: 'command' } })
      expect(await client.call('AUTHENTICATE', {})).toMatchObject(REFUSED)
    })

    test('is refused the same while it runs', async () => {
      const client = await start(makeProgram(join(at.base, 'games', 'contained')), { by: inside.by })
      const command = { command: `/usr/bin/touch ${join(at.base, 'escaped')}` }
      expect(await client.call('REGISTER_LAUNCH_COMMAND', command)).toMatchObject({
        evt: 'ERROR',
        data: { code: 4000, path: 'command', message: expect.stringContaining('container') as string },
      })
    })
  })

  const script = (name: string): string => {
    const path = join(at.base, 'games', name)
    writeFileSync(
      path,
      `const s=require('node:net').connect(process.argv[2]);process.stdin.pipe(s);s.pipe(process.stdout);s.on('close',()=>process.exit());console.error(process.pid)`,
    )
    return path
  }

  test('an interpreter under the name of a game keeps no grant, so none of its scripts has one', async () => {
    const mygame = join(at.base, 'games', 'mygame')
    copyFileSync(process.execPath, mygame)
    const by = { by: [mygame] }
    const path = script('mine.cjs')
    await daemon.stop()
    daemon = await startDaemon(target, at, [], BOT)
    const { verifier, challenge } = createPkce()
    const first = await start(path, by)
    const asked = await first.call('AUTHORIZE', { scopes: SCOPES, code_challenge: challenge, code_challenge_method: 'S256' })
    const { code, redirect_uri } = asked.data as { readonly code: string; readonly redirect_uri: string }
    const given = await first.call('GET_TOKEN', { code, code_verifier: verifier, redirect_uri })
    expect(given).toMatchObject({ evt: null, data: { kept: false } })
    expect((await stateOf(daemon)).games.map(({ program }) => program)).toEqual([
      `a program that cannot be identified, because ${mygame} runs ${path} and is no known interpreter`,
    ])
    await daemon.stop()
    daemon = await startDaemon(target, at, ['--consent', 'deny'], BOT)
    for (const name of ['mine.cjs', 'other.cjs']) expect(await signInSilently(script(name), by)).toMatchObject(REFUSED)
  })

  test('a script is its own program, independent of other scripts of its interpreter', async () => {
    const [one, two] = [script('one.cjs'), script('two.cjs')]
    await daemon.stop()
    daemon = await startDaemon(target, at, [], BOT)
    await signIn(await start(one, { by: [process.execPath] }))
    await daemon.stop()
    daemon = await startDaemon(target, at, ['--consent', 'deny'], BOT)
    expect(await signInSilently(one, { by: [process.execPath] })).toMatchObject(SILENT)
    expect(await signInSilently(two, { by: [process.execPath] })).toMatchObject(REFUSED)
    appendFileSync(one, '\n')
    expect(await signInSilently(one, { by: [process.execPath] })).toMatchObject(REFUSED)
  })
})
