/** Which servers the clients believe where containers are: real mount and process namespaces, and a bridge of an ordinary user. */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { release } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, type TestContext } from 'vitest'
import { Adapter, type Command } from '../conformance/clients/adapter.ts'
import { CLIENTS } from '../conformance/clients/clients.ts'
import { claimsOfStranger } from '../conformance/clients/features.ts'
import { must, type Step } from '../conformance/clients/play.ts'
import { isBad, playAll } from '../conformance/clients/run.ts'
import { STEPS } from '../conformance/clients/steps/index.ts'
import { asOther, canBeOther, NO_OTHER_USER } from '#test/support/other-user.ts'
import { SOON } from '#test/support/soon.ts'
import { SOURCE, startDaemon } from './support/daemon.ts'
import { AS_USER, foldersOfUser, ofUser } from './support/ordinary-user.ts'
import { makeProgram } from './support/program-client.ts'

const isRoot = process.getuid?.() === 0
const BUILD_MS = 240_000
const FOLDER = 'app/com.discordapp.Discord'

let folder: string
beforeAll(() => {
  // No other user can read the folder of the tests.
  folder = mkdtempSync('/tmp/spk-')
  chmodSync(folder, 0o755)
  writeFileSync(join(folder, 'flatpak-info'), '[Application]\nname=org.example.Game\n')
  if (!namesProcess) return
  execFileSync('gcc', ['-Wall', '-Werror', '-o', join(folder, 'heir'), join(import.meta.dirname, 'support/heir.c')])
  makeProgram(join(folder, 'relay'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))

/** What bubblewrap makes of the root of the system, with the mark of a Flatpak or without. */
function sandbox(more: readonly string[]): Command {
  const kept = readdirSync('/').filter((name) => !['proc', 'dev', 'tmp', '.flatpak-info'].includes(name))
  const isLink = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true
  const binds = kept.filter((name) => !isLink(`/${name}`)).flatMap((name) => ['--bind', `/${name}`, `/${name}`])
  return ['bwrap', '--die-with-parent', ...binds, '--bind', '/tmp', '/tmp', '--dev', '/dev', '--proc', '/proc', ...more, '--']
}
const mark = (): readonly string[] => ['--ro-bind', join(folder, 'flatpak-info'), '/.flatpak-info']
const canSandbox = process.platform === 'linux' && spawnSync('bwrap', ['--dev-bind', '/', '/', '--unshare-pid', 'true']).status === 0

const INSIDE: Step = {
  id: 'contained-servers/inside',
  title: 'takes the bridge that a container has',
  async run(play) {
    const server = await play.listen(0, FOLDER)
    play.adapter.connect()
    await (await server.peer()).ready()
    await play.adapter.state('ready')
  },
}

/** Begins to listen in a container, and leaves the socket to a child. Resolves with the number that is then free. */
async function leftSocket(path: string): Promise<{ readonly number: number; said(): string; end(): void }> {
  const first = spawn('unshare', ['--mount', join(folder, 'heir'), path], { env: {}, stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  first.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  await Promise.all([once(first, 'exit'), once(first.stdout, 'data')])
  return { number: first.pid ?? 0, said: () => said, end: () => process.kill(Number.parseInt(said, 10), 'SIGKILL') }
}

const LEFT_SOCKET: Step = {
  id: 'peer-check/left-socket',
  title: 'sends nothing to a server whose first process has ended, also when a process outside has its number',
  async run(play) {
    mkdirSync(play.runtime, { mode: 0o700 })
    const server = await leftSocket(join(play.runtime, 'discord-ipc-0'))
    const namesake = spawn(join(folder, 'relay'), ['--as', String(server.number)], { stdio: ['ignore', 'pipe', 'inherit'] })
    try {
      await once(namesake.stdout, 'data')
      play.adapter.connect({ timeout_ms: 0 })
      await play.adapter.down()
      await play.adapter.quit()
      must(/^\d+\n$/.test(server.said()), 'the client sent its handshake to a process in a container')
    } finally {
      namesake.kill('SIGKILL')
      server.end()
    }
  },
}
/** Kernels before 6.5 do not say whether the process that began to listen has ended. */
const [MAJOR = 0, MINOR = 0] = release().split('.').map(Number)
const namesProcess = isRoot && (MAJOR > 6 || (MAJOR === 6 && MINOR >= 5))

const OUTSIDE = STEPS.filter(({ id }) => id === 'handshake/fields' || id === 'contained-servers/flatpak')
const failures = async (name: string, command: Command, steps: readonly Step[]) =>
  (await playAll({ command, claims: claimsOfStranger(name) }, steps, SOON.timeout, 1)).filter(isBad)

const PLAYED = CLIENTS.filter(({ name }) => ['typescript', 'c', 'csharp'].includes(name))

describe.each(PLAYED)('the client $name', ({ name, prepare }) => {
  let command: Command | string
  beforeAll(async () => {
    command = await prepare(join(folder, name))
    execFileSync('chmod', ['-R', 'a+rX', folder])
  }, BUILD_MS)
  const made = (context: TestContext): Command => (typeof command === 'string' ? context.skip(command) : command)

  test.skipIf(!canSandbox)('inside of a Flatpak believes the bridge in the folder that it has', async (context) => {
    const inside = [...sandbox(['--unshare-pid', '--unshare-user', ...mark()]), ...made(context)] as const
    expect(await failures(name, inside, [INSIDE])).toEqual([])
  })

  test.skipIf(!canSandbox)(
    'in a container that shows the processes of the system, or none of them, believes a bridge outside',
    async (context) => {
      const own = made(context)
      for (const more of [[], ['--unshare-pid']]) expect(await failures(name, [...sandbox(more), ...own], OUTSIDE)).toEqual([])
    },
  )

  test.skipIf(name === 'typescript' || !namesProcess)('believes no socket that a container left to another process', async (context) => {
    expect(await failures(name, made(context), [LEFT_SOCKET])).toEqual([])
  })

  test.skipIf(!canBeOther)(
    `finds the bridge of an ordinary user (${canBeOther ? 'it cannot be traced' : NO_OTHER_USER})`,
    async (context) => {
      const own = made(context)
      const at = foldersOfUser()
      const daemon = await startDaemon(await ofUser(SOURCE, at.base), at)
      const adapter = new Adapter([...AS_USER, ...own], at.runtime, at.base)
      try {
        expect(() => asOther(`readlink /proc/${daemon.ready.pid}/ns/mnt`)).toThrow()
        adapter.connect()
        await adapter.state('ready')
      } finally {
        await adapter.kill()
        await daemon.stop()
        await at.remove()
      }
    },
  )
})
