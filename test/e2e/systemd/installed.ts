/** The package of this tree, installed in a machine for its users, and programs of the player that connect to its bridge. */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createPkce } from '@sallyport/client'
import type { BridgeState } from '@sallyport/protocol'
import { TARGETS } from '#daemon/packaging/base-node.ts'
import { makeDeb } from '#daemon/packaging/installers/deb.ts'
import type { InstallerInput } from '#daemon/packaging/installers/installer.ts'
import { makeRpm } from '#daemon/packaging/installers/rpm.ts'
import type { Message } from '#test/support/frames.ts'
import { cleanEnvironment, type Folders, folders, SMOKE_TARGETS } from '../support/daemon.ts'
import { makeProgram, ProgramClient } from '../support/program-client.ts'
import { ROOT } from '../wine/wine.ts'
import { Machine, SHARED, type User } from './machine.ts'
import { obstacleToRoot, type SystemName } from './root.ts'

const executable = SMOKE_TARGETS.find(({ name }) => name === 'packaged')?.command[0]
const target = TARGETS.find(({ platform, arch }) => platform === 'linux' && arch === process.arch)

/** Makes what is missing and can be made. Resolves to a sentence where the tests cannot run. */
export const obstacleToInstalled = async (system: SystemName = 'plain'): Promise<string | undefined> =>
  (process.env['TEST_SYSTEMD'] === undefined ? 'A system is started for it: npm run test:long -- systemd' : undefined) ??
  (await obstacleToRoot(system)) ??
  (executable === undefined || target === undefined ? 'There is no packaged file; run "npm run package" on Linux.' : undefined)

/** Making the root takes minutes, once. */
export const PREPARE_MS = 900_000

export const PROGRAM = '/usr/bin/sallyport'
export const SERVICE = 'sallyport.service'
export const UNIT_SOCKET = 'sallyport.socket'
export const SOCKET = '/run/user/1000/discord-ipc-0'
/** Made without libraries, so that it runs in any container. */
export const GAME = `${SHARED}/game`
export const FIRST_VERSION = '1.0.0'
/** Of the files in the package, in seconds since the epoch. */
const TIME = 1_767_225_600

export const OURS = { client_id: '888000557', contract: '1.0', streams: true }
export const SETTINGS = '/home/player/.config/sallyport/config.json'

export class Installed {
  readonly machine: Machine
  /** A folder that the machine shows as `SHARED`. */
  readonly shared: string
  readonly #at: Folders
  readonly #clients: ProgramClient[] = []

  private constructor(machine: Machine, shared: string, at: Folders) {
    this.machine = machine
    this.shared = shared
    this.#at = at
  }

  /** Boots a machine and installs the package there. */
  static async start(system: SystemName = 'plain'): Promise<Installed> {
    const at = await folders()
    const shared = join(at.base, 'shared')
    mkdirSync(shared)
    chmodSync(shared, 0o755)
    makeProgram(join(shared, 'game'), ['-static'])
    const installed = new Installed(await Machine.boot(shared, system), shared, at)
    await installed.makePackage(FIRST_VERSION)
    installed.installPackage(FIRST_VERSION)
    return installed
  }

  async stop(): Promise<void> {
    await this.endPrograms()
    await this.machine.stop()
    await this.#at.remove()
  }

  async makePackage(version: string): Promise<void> {
    await makeDeb(this.#inputFor(version, 'deb'), 'none')
  }

  async makeRpm(version: string): Promise<void> {
    await makeRpm(this.#inputFor(version, 'rpm'), 'none')
  }

  #inputFor(version: string, kind: 'deb' | 'rpm'): InstallerInput {
    if (executable === undefined || target === undefined) throw new Error('there is no packaged file')
    const scratch = join(this.#at.base, 'scratch', kind)
    mkdirSync(scratch, { recursive: true })
    return { root: ROOT, notices: [], version, target, executable, output: join(this.shared, `${version}.${kind}`), scratch, time: TIME }
  }

  /** Installs what was made, over another version too. */
  installPackage(version: string): void {
    this.machine.run('root', 'dpkg', '--install', `${SHARED}/${version}.deb`)
  }

  /** Ends the bridge. The next one has the sandbox, and answers prompts so. */
  stopBridge(consent: 'allow' | 'deny'): void {
    this.machine.write('player', SETTINGS, JSON.stringify({ platform: 'sandbox', consent, vault: 'file' }))
    this.systemctl('stop', SERVICE)
  }

  /** Asks the player's manager. */
  systemctl(...words: readonly string[]): string {
    return this.machine.run('player', 'systemctl', '--user', ...words).trim()
  }

  /** What the player's manager says of a unit. */
  property(name: string, unit = SERVICE): string {
    return this.systemctl('show', `--property=${name}`, '--value', unit)
  }

  /** Starts a program that connects. `by`: the words before it; `flags`: its own, as relay.c has them. */
  open(by: readonly string[], program = GAME, socket = SOCKET, flags: readonly string[] = []): ProgramClient {
    const client = ProgramClient.open(program, socket, { by, flags })
    this.#clients.push(client)
    return client
  }

  /** The same, after READY. */
  async greet(by: readonly string[], program = GAME, socket = SOCKET): Promise<ProgramClient> {
    return this.welcomed(this.open(by, program, socket))
  }

  async welcomed(client: ProgramClient, hello: object = OURS): Promise<ProgramClient> {
    await client.greet(hello)
    return client
  }

  /** Ends all programs of the player's, also those that lost their connection. */
  async endPrograms(): Promise<void> {
    this.systemctl('kill', '--signal=KILL', 'run-*.service', 'app-flatpak-*.scope')
    for (const client of this.#clients.splice(0)) await client.end()
  }

  /** Of the bridge of a user; starts it. */
  state(user: User = 'player'): BridgeState {
    this.machine.run(user, 'systemctl', '--user', 'start', SERVICE)
    return JSON.parse(this.machine.run(user, PROGRAM, 'status', '--json')) as BridgeState
  }

  /** Runs platform-entry.ts; returns what it printed. */
  atPlatform(...words: readonly string[]): string {
    const [enter, ...more] = this.machine.inNetwork
    const node = [process.execPath, '--conditions=sallyport-source', join(import.meta.dirname, 'platform-entry.ts')]
    return execFileSync(enter, [...more, ...node, this.state().sandbox_origin ?? '', ...words], {
      encoding: 'utf8',
      env: cleanEnvironment(),
    })
  }

  /** How the bridge shows the program that connected last, and its control groups. */
  seen(): { readonly pid: number; readonly program: string; readonly group: string } {
    const game = this.state().games.at(-1)
    if (game?.pid === undefined) throw new Error('the bridge shows no game with a process')
    return { pid: game.pid, program: game.program, group: this.machine.run('root', 'cat', `/proc/${game.pid}/cgroup`) }
  }
}

/** Signs in as a game does that keeps its sign-in. Resolves to the last answer. */
export async function signIn(client: ProgramClient): Promise<Message> {
  const { verifier, challenge } = createPkce()
  const asked = await client.call('AUTHORIZE', { scopes: ['identify'], code_challenge: challenge, code_challenge_method: 'S256' })
  const { code, redirect_uri } = asked.data as { readonly code: string; readonly redirect_uri: string }
  return client.call('GET_TOKEN', { code, code_verifier: verifier, redirect_uri })
}
