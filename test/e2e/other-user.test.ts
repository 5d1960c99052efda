/**
 * Another user of the machine takes the places of the daemon before it: the first socket, the lock, the folders, the databases. That user
 * receives nothing, their files are never treated as the user's own, and they never block the daemon.
 */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { SallyportClient } from '@sallyport/client'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ended } from '#test/support/ended.ts'
import { asOther, canBeOther, NO_OTHER_USER, spawnAsOther } from '#test/support/other-user.ts'
import { connectedGame } from './support/connected-game.ts'
import { type Daemon, type Folders, sallyport, startDaemon, TARGETS } from './support/daemon.ts'
import { RawClient } from './support/raw-client.ts'

const APPLICATION = '555000'
const BOT_TOKEN = `sandbox-bot-${APPLICATION}`

/** Listens at a path, says of itself that it is the bridge, answers every call with what was asked for, and prints all that it is sent. */
const IMPOSTOR = `
  const [path] = process.argv.slice(1)
  const frame = (payload) => {
    const body = Buffer.from(JSON.stringify(payload)), head = Buffer.alloc(8)
    head.writeUInt32LE(1, 0); head.writeUInt32LE(body.length, 4)
    return Buffer.concat([head, body])
  }
  const user = { id: '5', username: 'ada', discriminator: '0', avatar: null }
  const ready = { v: 1, config: {}, user, contract: '1.0', bridge: { name: 'sallyport', version: '0' } }
  const server = require('node:net').createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      const text = bytes.subarray(8).toString()
      process.stdout.write(text + '\\n')
      const { nonce, cmd } = JSON.parse(text)
      const data = { application_id: '1', name: 'Nice Bot', outcome: 'allowed', pid: 1 }
      socket.write(frame(nonce === undefined ? { cmd: 'DISPATCH', evt: 'READY', nonce: null, data: ready } : { cmd, evt: null, nonce, data }))
    })
  })
  process.umask(0)
  server.listen(path, () => process.stdout.write('listening\\n'))`

describe.each(TARGETS)('$name', (target) => {
  /** Like /tmp: every user can create files there, and no user can delete the files of others. */
  let shared = ''
  let base = ''
  let at: Folders
  let impostor: ChildProcess | undefined
  let daemon: Daemon | undefined
  const own = () => join(shared, `sallyport-${process.getuid?.()}`)
  const lock = () => join(shared, `.sallyport-slots-${process.getuid?.()}.lock`)
  const env = () => ({ TMPDIR: shared, HOME: base })

  beforeEach((context) => {
    context.skip(!canBeOther, NO_OTHER_USER)
    // Not in the folder of the tests, which other users cannot enter.
    base = mkdtempSync('/tmp/sp-')
    chmodSync(base, 0o755)
    shared = join(base, 'shared')
    mkdirSync(shared)
    chmodSync(shared, 0o1777)
    at = { base, runtime: '', data: join(base, 'data'), remove: async () => {} }
  })
  afterEach(async () => {
    await daemon?.stop()
    daemon = undefined
    impostor?.kill('SIGKILL')
    if (impostor !== undefined) await ended(impostor)
    impostor = undefined
    if (base !== '') rmSync(base, { recursive: true, force: true, maxRetries: 5 })
  })

  const start = async (runtime = '', flags: readonly string[] = []): Promise<Daemon> => {
    daemon = await startDaemon(target, { ...at, runtime }, flags, env())
    return daemon
  }

  describe('another user listens first on the path of games', () => {
    let received: string
    const squat = async (path: string): Promise<void> => {
      received = ''
      impostor = spawnAsOther(IMPOSTOR, path)
      impostor.stdout?.setEncoding('utf8').on('data', (text: string) => (received += text))
      await once(impostor.stdout as NodeJS.ReadableStream, 'data')
      expect(statSync(path).uid).not.toBe(process.getuid?.())
    }
    /** All that the impostor received, after it has printed the message of a last caller. */
    const receivedAt = async (path: string): Promise<string> => {
      const socket = connect(path)
      socket.write(Buffer.concat([Buffer.alloc(8), Buffer.from('{"nonce":"last words"}')]))
      await once(socket, 'data')
      socket.destroy()
      return received.replace('listening\n', '').replace('{"nonce":"last words"}\n', '')
    }

    test('gets no bot token, no code, and no message of a game on our binding, which all reach the user’s own daemon', async () => {
      const first = join(shared, 'discord-ipc-0')
      await squat(first)
      const { ready, output } = await start()
      expect(ready.ipc).toEqual([join(shared, 'discord-ipc-1'), join(own(), 'discord-ipc-0')])
      await expect.poll(output).toContain('Another server')
      expect(statSync(own()).mode & 0o777).toBe(0o700)

      const status = await sallyport(target, ['status', '--json', '--data-dir', at.data], env())
      expect(JSON.parse(status.out)).toMatchObject({ pid: ready.pid, ipc: ready.ipc })

      const login = await sallyport(target, ['login', '--bot', '--data-dir', at.data], { ...env(), SALLYPORT_BOT_TOKEN: BOT_TOKEN })
      expect(login).toMatchObject({ code: 0, err: '' })
      expect(login.out).toContain(`Stored the bot token of application ${APPLICATION}`)

      const url = 'mygame:/authorize/callback?code=SECRET-CODE&state=S'
      expect(await sallyport(target, ['callback', '--data-dir', at.data, url], env())).toMatchObject({ code: 4 })

      const usual = await connectedGame({ applicationId: APPLICATION, environment: { env: env() } })
      expect(usual.server?.path).toBe(join(own(), 'discord-ipc-0'))
      const chosen = await connectedGame({ applicationId: APPLICATION, runtimeDir: shared })
      expect(chosen.server?.path).toBe(join(shared, 'discord-ipc-1'))
      await Promise.all([usual.close(), chosen.close()])

      expect(await receivedAt(first)).toBe('')
    })

    test('gets nothing either when no daemon runs, and the user learns that it listens', async () => {
      const first = join(shared, 'discord-ipc-0')
      await squat(first)
      const secret = { ...env(), SALLYPORT_BOT_TOKEN: BOT_TOKEN }
      expect(await sallyport(target, ['status'], env())).toMatchObject({ code: 3 })
      const status = await sallyport(target, ['status', '--runtime-dir', shared], env())
      expect([status.code, status.err]).toEqual([3, expect.stringContaining(`${first} belongs to another user`)])
      const login = await sallyport(target, ['login', '--bot', '--runtime-dir', shared, '--data-dir', at.data], secret)
      expect([login.code, login.err]).toEqual([3, expect.stringContaining('No bridge is running with the data folder')])
      await expect(SallyportClient.connect({ applicationId: APPLICATION, runtimeDir: shared })).rejects.toThrow('another user')
      expect(await receivedAt(first)).toBe('')
    })
  })

  test('every path of the sandbox refuses another user’s program, and serves the user’s own', async () => {
    const { ready } = await start()
    const { origin } = new URL(ready.apiBase)
    const asked = ['/', '/sandbox/state', '/oauth2/authorize', '/api/v10/gateway'].map((path) => origin + path)
    const other = spawnAsOther(
      `Promise.all(process.argv.slice(1).map((url) => fetch(url).then(({ status }) => status))).then((all) => console.log(all.join()))`,
      ...asked,
    )
    const [printed] = (await once(other.stdout as NodeJS.ReadableStream, 'data')) as [Buffer]
    await ended(other)
    expect(printed.toString().trim()).toBe('403,403,403,403')
    expect((await fetch(`${origin}/sandbox/state`)).status).toBe(200)
  })

  describe('what lies at the path of the lock', () => {
    test.each([
      ['a FIFO', () => asOther(`mkfifo -m 666 ${lock()}`)],
      ['a file that names a process that lives', () => asOther(`echo -n 1 > ${lock()}; chmod 666 ${lock()}`)],
      ['a file of the right form, of a process that lives', () => asOther(`echo -n "1 $(cut -d' ' -f22 /proc/1/stat)" > ${lock()}`)],
      ['a link', () => asOther(`ln -s /proc/1/stat ${lock()}`)],
      ['a folder', () => asOther(`mkdir ${lock()}`)],
    ])('%s keeps no daemon from starting, serving and stopping', async (_, put) => {
      put()
      const { socket, stop } = await start(shared)
      expect(socket).toBe(join(shared, 'discord-ipc-0'))
      const client = await RawClient.ready(socket)
      client.hangUp()
      expect(await stop()).toBe(0)
      expect(existsSync(socket)).toBe(false)
    })
  })

  describe('a folder', () => {
    test.each([
      ['of another user for the data', () => asOther(`mkdir -m 777 ${shared}/data`), ['--data-dir', 'data'], /another user.*--data-dir/],
      ['of ours for the data that others may enter', () => chmodSync(own0755('data'), 0o755), ['--data-dir', 'data'], /chmod 700 /],
      [
        'for the data below one of another user',
        () => asOther(`mkdir -m 777 ${shared}/x`),
        ['--data-dir', 'x/data'],
        /Another user.*--data-dir/,
      ],
      ['behind a link of another user', () => asOther(`ln -s ${base}/data ${shared}/data`), ['--data-dir', 'data'], /is not a folder/],
      [
        'of another user for sockets',
        () => asOther(`mkdir -m 1777 ${shared}/run`),
        ['--runtime-dir', 'run'],
        /another user.*--runtime-dir/,
      ],
      ['of ours for sockets that others may change', () => chmodSync(own0755('run'), 0o777), ['--runtime-dir', 'run'], /chmod go-w/],
      ['of another user in the place of our own', () => asOther(`mkdir -m 777 ${own()}`), [], /another user.*--runtime-dir/],
    ] as const)('%s is refused with a sentence', async (_, put, flags, sentence) => {
      mkdirSync(at.data, { mode: 0o700 })
      put()
      const [name, folder] = flags
      const words = name === undefined ? [] : [name, join(shared, folder ?? '')]
      await expect(start('', words)).rejects.toThrow(sentence)
    })
    function own0755(name: string): string {
      const path = join(shared, name)
      mkdirSync(path)
      return path
    }
  })

  describe('a database', () => {
    const file = () => join(at.data, 'grants.sqlite')
    beforeEach(() => mkdirSync(at.data, { mode: 0o700 }))

    /** The daemon reads its data when a connection needs it. It goes on without what it must not read, and says so. */
    async function isLeft(why: RegExp): Promise<void> {
      const running = await start('', ['--preload', 'idle'])
      await expect.poll(() => running.output()).toMatch(why)
      expect(running.hasExited).toBe(false)
      expect(await running.stop()).toBe(0)
    }

    test('of another user is not opened', async () => {
      chmodSync(at.data, 0o777)
      asOther(`touch ${file()}; chmod 666 ${file()}`)
      chmodSync(at.data, 0o700)
      await isLeft(/grants\.sqlite belongs to another user/)
    })

    test('that others may write is not opened', async () => {
      writeFileSync(file(), '')
      chmodSync(file(), 0o666)
      await isLeft(/chmod 600 .*grants\.sqlite/)
    })

    test.each(['', '-wal'])('that is a link is not followed %#', async (companion) => {
      const elsewhere = join(base, 'elsewhere')
      writeFileSync(elsewhere, 'precious', { mode: 0o600 })
      symlinkSync(elsewhere, `${file()}${companion}`)
      await isLeft(/is not a file \(/)
      expect(readFileSync(elsewhere, 'utf8')).toBe('precious')
    })
  })
})
