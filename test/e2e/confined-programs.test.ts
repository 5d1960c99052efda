/**
 * A confined program gets nothing that its confinement denies it: no file of the user, no command, no stored sign-in. Real
 * control groups and Flatpak are in `systemd/containers`, because few machines let a test start a system.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createPkce } from '@sallyport/client'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ended } from '#test/support/ended.ts'
import { type Daemon, type Folders, folders, startDaemon, SMOKE_TARGETS } from './support/daemon.ts'
import { makeProgram, ProgramClient, type Run } from './support/program-client.ts'

const APPLICATION = '888000556'
const OURS = { client_id: APPLICATION, contract: '1.0', streams: true }
const REFUSED = { evt: 'ERROR', data: { code: 5000, message: expect.stringContaining('access_denied') as string } }
const SILENT = { evt: null, data: { user: { username: 'ada' } } }

const USER_SPACE = ['unshare', '--user', '--map-root-user', '--'] as const
const PROCESS_SPACE = ['unshare', '--user', '--map-root-user', '--pid', '--fork', '--kill-child', '--'] as const
const BUBBLEWRAP = ['bwrap', '--unshare-pid', '--dev-bind', '/', '/', '--'] as const

/** The ways into a sandbox that this machine has, and the words with which a file by path is refused there. */
const WAYS: readonly (readonly [name: string, run: Run, words: string])[] = [
  ['a mount namespace', { by: ['unshare', '--mount', '--'] }, 'in a container'],
  ['a user namespace', { by: USER_SPACE }, 'namespace of its own'],
  ['a process namespace', { by: PROCESS_SPACE }, 'namespace of its own'],
  ['bubblewrap', { by: BUBBLEWRAP }, 'in a container'],
  ['no_new_privs', { by: ['setpriv', '--no-new-privs', '--'] }, 'no_new_privs'],
  ['Landlock, after it connected', { flags: ['--limit'] }, 'no_new_privs'],
]
const works = ([starter, ...words]: readonly string[]): boolean =>
  starter === undefined || spawnSync(starter, [...words, 'true']).status === 0
const USABLE = WAYS.filter(([, { by = [] }]) => works(by))

describe.runIf(process.platform === 'linux').each(SMOKE_TARGETS)('$name', (target) => {
  let at: Folders
  let daemon: Daemon
  let game: string
  const clients: ProgramClient[] = []
  const children: ChildProcess[] = []

  beforeAll(async () => {
    at = await folders()
    game = makeProgram(join(at.base, 'games', 'game'))
    writeFileSync(join(at.base, 'diary.txt'), 'dear diary')
  })
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.end()
    for (const child of children.splice(0)) {
      child.kill('SIGKILL')
      await ended(child)
    }
    await daemon.stop()
  })
  afterAll(() => at.remove())

  const open = (program: string, run: Run = {}): ProgramClient => {
    const client = ProgramClient.open(program, daemon.socket, run)
    clients.push(client)
    return client
  }
  const start = async (program: string, run: Run = {}): Promise<ProgramClient> => {
    const client = open(program, run)
    await client.greet(OURS)
    return client
  }

  /** Signs in with a daemon that asks no user, then starts one that refuses every prompt: what works, works without one. */
  async function allowOnce(program: string, run: Run = {}): Promise<unknown> {
    daemon = await startDaemon(target, at)
    const client = await start(program, run)
    const { verifier, challenge } = createPkce()
    const asked = await client.call('AUTHORIZE', { scopes: ['identify'], code_challenge: challenge, code_challenge_method: 'S256' })
    const { code, redirect_uri } = asked.data as { readonly code: string; readonly redirect_uri: string }
    const tokens = await client.call('GET_TOKEN', { code, code_verifier: verifier, redirect_uri })
    await client.end()
    await daemon.stop()
    daemon = await startDaemon(target, at, ['--consent', 'deny'])
    return tokens
  }

  describe.each(USABLE)('a program in %s', (_, run, words) => {
    const refusal = (path: string) => ({ evt: 'ERROR', data: { code: 4000, path, message: expect.stringContaining(words) as string } })

    test('names no file and no command', async () => {
      daemon = await startDaemon(target, at, [], { SALLYPORT_BOT_TOKEN: `sandbox-bot-${APPLICATION}` })
      const client = await start(game, run)
      const file = await client.call('CREATE_MESSAGE', { channel_id: '1', files: [{ path: join(at.base, 'diary.txt') }] })
      expect(file).toMatchObject(refusal('files[0].path'))
      const command = { command: `/usr/bin/touch ${join(at.base, 'escaped')}` }
      expect(await client.call('REGISTER_LAUNCH_COMMAND', command)).toMatchObject(refusal('command'))
    })

    test('does not use the grant of the same program outside, and keeps none', async () => {
      await allowOnce(game)
      expect(await (await start(game)).call('AUTHENTICATE', {}), 'outside').toMatchObject(SILENT)
      expect(await (await start(game, run)).call('AUTHENTICATE', {})).toMatchObject(REFUSED)
      for (const one of clients.splice(0)) await one.end()
      await daemon.stop()
      expect(await allowOnce(game, run)).toMatchObject({ data: { kept: false } })
      expect(await (await start(game, run)).call('AUTHENTICATE', {})).toHaveProperty('evt', 'ERROR')
    })
  })

  const canEnter = works(['unshare', '--mount', '--'])
  test.runIf(canEnter)('a grant is not for the next container that has the number of the mount namespace', async () => {
    const holder = spawn('unshare', ['--mount', '--', 'sleep', 'infinity'], { stdio: 'ignore' })
    children.push(holder)
    const own = readlinkSync('/proc/self/ns/mnt')
    await expect.poll(() => readlinkSync(`/proc/${holder.pid}/ns/mnt`)).not.toBe(own)
    const inside = { by: ['nsenter', `--mount=/proc/${holder.pid}/ns/mnt`, '--'] }
    expect(await allowOnce(game, inside)).toMatchObject({ data: { kept: false } })
    expect(await (await start(game, inside)).call('AUTHENTICATE', {})).toHaveProperty('evt', 'ERROR')
  })

  test.runIf(works(USER_SPACE))(
    'a container takes its own share, also from namespaces that it makes, and none of another container',
    async () => {
      daemon = await startDaemon(target, at)
      const [first, second] = [0, 1].map(() => {
        const holder = spawn(USER_SPACE[0], [...USER_SPACE.slice(1), 'sleep', 'infinity'], { stdio: 'ignore' })
        children.push(holder)
        return holder
      })
      const own = readlinkSync('/proc/self/ns/user')
      const inside = ({ pid }: ChildProcess) => ['nsenter', `--user=/proc/${pid}/ns/user`, '--preserve-credentials', '--']
      for (const { pid } of children) await expect.poll(() => readlinkSync(`/proc/${pid}/ns/user`)).not.toBe(own)
      /** How many sign-ins on other devices a program gets. */
      const taken = async (by: readonly string[]): Promise<number> => {
        const client = await start(game, { by })
        const answers = await Promise.all(Array.from({ length: 20 }, () => client.call('AUTHORIZE_DEVICE', { scopes: ['identify'] })))
        return answers.filter(({ evt }) => evt === null).length
      }
      if (first === undefined || second === undefined) throw new Error('There is no container.')
      expect(await taken(inside(first))).toBe(16)
      expect(await taken([...inside(first), ...USER_SPACE]), 'nested').toBe(0)
      expect(await taken(inside(second)), 'another container').toBe(8)
      expect(await taken([]), 'outside').toBe(16)
    },
  )

  test.runIf(works(PROCESS_SPACE))(
    'a child that names its parent as the sender of a PONG, in its own process namespace, gets nothing',
    async () => {
      await allowOnce(game)
      const thief = makeProgram(join(at.base, 'games', 'thief'))
      const isGame = (pid: string): boolean => {
        try {
          return readlinkSync(`/proc/${pid}/exe`) === game
        } catch {
          return false
        }
      }
      process.kill(daemon.ready.pid, 'SIGSTOP')
      const client = open(thief, { by: PROCESS_SPACE, flags: ['--forge', '--leave', game] })
      await expect.poll(() => readdirSync('/proc').some(isGame)).toBe(true)
      process.kill(daemon.ready.pid, 'SIGCONT')
      await client.greet(OURS)
      expect(await client.call('AUTHENTICATE', {})).toMatchObject(REFUSED)
    },
  )
})
