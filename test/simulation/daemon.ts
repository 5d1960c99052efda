/** The daemon as a process of the simulated machine: the real bridge on simulated ports. It starts, stops, and is killed at any instant. */
import { createRequire } from 'node:module'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { ensureDataDir } from '#daemon/src/config/data-dir.ts'
import { loadSettings } from '#daemon/src/config/load.ts'
import { startBridge } from '#daemon/src/app/bridge.ts'
import { Accounting } from '#daemon/src/accounting/accounting.ts'
import { RESOURCES } from '#daemon/src/accounting/resources.ts'
import type { PeerIdentity } from '#daemon/src/ipc/transport/transport.ts'
import type { OpenPorts } from '#daemon/src/start/open-ports.ts'
import { HeldServer } from '@sallyport/core/net/held-server'
import type { PlatformProfile } from '@sallyport/core/profile'
import { abandonDatabases, openDatabases } from './machine/databases.ts'
import type { Machine } from './machine/machine.ts'
import type { VirtualSocket } from './machine/socket.ts'
import { asOwner, currentOwner, type Owner } from './machine/timeline.ts'
import type { Person } from './person.ts'
import type { RunRecord } from './record.ts'

const PREFIX = 'discord-ipc'

export const socketPath = (runtimeDir: string): string => join(runtimeDir, `${PREFIX}-0`)

/** What the system says of a simulated game: its program is a file of this user. The first word of its name is the program's. */
function identityOf(socket: VirtualSocket): PeerIdentity {
  const [program = ''] = (socket.link?.up.owner?.name ?? 'unknown').split(' ')
  const inode = Buffer.from(program).reduce((sum, byte) => (sum * 31 + byte) % 1e9, 7)
  return { trust: 'kernel', uid: userInfo().uid, executable: `/games/${program}`, file: `1:${inode}:3:4:5` }
}

/** The module of undici keeps one clock for all its timers. A new process has its own, and none of a dead one. */
const { reset: forgetUndiciTimers } = createRequire(import.meta.url)('undici/lib/util/timers.js') as { readonly reset: () => void }

/** Every bridge counts what programs use in an object of its own, which it shows to no other part. */
const countsOf = new WeakMap<Owner, Accounting>()

export interface DaemonOptions {
  readonly machine: Machine
  readonly record: RunRecord
  readonly profile: PlatformProfile
  readonly runtimeDir: string
  readonly dataDir: string
  readonly person: Person
}

/** What is left of a daemon that has stopped, by name; all must be zero. */
export type Leftovers = Readonly<Record<string, number>>

/** The bridge waits for some goodbyes no longer than its own end, and lets their timers run out. */
const LINGER_MS = 10_000

interface DaemonProcess {
  readonly owner: Owner
  readonly died: PromiseWithResolvers<void>
  /** Once it serves games. */
  running?: { readonly bridge: Awaited<ReturnType<typeof startBridge>>; readonly ports: OpenPorts }
}

export class Daemon {
  readonly #options: DaemonOptions
  #number = 0
  #process: DaemonProcess | undefined

  constructor(options: DaemonOptions) {
    this.#options = options
  }

  /** Resolves when it serves games, or is dead. Does nothing while one runs. Rejects with the reason for which it ended. */
  async start(): Promise<void> {
    if (this.#process !== undefined) return
    this.#number += 1
    const started = { owner: { name: `daemon ${this.#number}`, isDead: false }, died: Promise.withResolvers<void>() }
    this.#process = started
    try {
      await Promise.race([started.died.promise, asOwner(started.owner, () => this.#run(started))])
    } catch (failure) {
      if (this.#process === started) this.kill()
      throw failure
    }
  }

  /** As a stop signal. Resolves when it has stopped, or is dead. Returns what is left of it. */
  async stop(): Promise<Leftovers> {
    const stopped = this.#process
    const running = stopped?.running
    if (stopped === undefined || running === undefined) return {}
    const { owner, died } = stopped
    const work = asOwner(owner, async () => {
      await running.bridge.stop()
      await running.ports.close()
      await wait(LINGER_MS)
    })
    await Promise.race([died.promise, work])
    if (owner.isDead) return {}
    this.#process = undefined
    return this.#leftovers(owner)
  }

  /** As SIGKILL, also while it starts or stops. */
  kill(): void {
    if (this.#process === undefined) return
    const { owner, died } = this.#process
    this.#process = undefined
    owner.isDead = true
    this.#options.machine.network.kill(owner)
    abandonDatabases(owner, this.#options.dataDir)
    this.#options.machine.disk.clear()
    died.resolve()
  }

  /** What programs hold of each resource that is counted, without those that only time gives back. */
  held(): Leftovers {
    return this.#process === undefined ? {} : heldBy(this.#process.owner)
  }

  /** Resources of which programs hold more than all may, by name. */
  overfull(): readonly string[] {
    const owner = this.#process?.owner
    const usage = (owner && countsOf.get(owner)?.usage()) ?? []
    return usage.filter(({ name, charged }) => charged < 0 || charged > RESOURCES[name].ofAll).map(({ name }) => name)
  }

  /** Prompts that the person sees, and those that are charged to programs. */
  prompts(): { readonly shown: number; readonly charged: number } {
    const owner = this.#process?.owner
    if (owner === undefined) return { shown: 0, charged: 0 }
    return { shown: this.#options.person.shownOf(owner), charged: heldBy(owner)['consentPrompts'] ?? 0 }
  }

  async #run(started: DaemonProcess): Promise<void> {
    const { record, profile, runtimeDir, dataDir, person } = this.#options
    forgetUndiciTimers()
    ensureDataDir(dataDir)
    const ports = await openSimulatedPorts(socketPath(runtimeDir), profile)
    const { confirm, announce } = person.terminalOf(started.owner)
    const show = (text: string): void => {
      record.note(text)
      announce(text)
    }
    const terminal = { log: record.logger(started.owner.name), announce: show, confirm }
    started.running = { ports, bridge: await startBridge(this.#settings(), terminal, ports) }
  }

  #leftovers(owner: Owner): Leftovers {
    const { timeline, network } = this.#options.machine
    return { ...heldBy(owner), timers: timeline.leftOf(owner), sockets: network.leftOf(owner), databases: openDatabases(owner) }
  }

  #settings() {
    const { runtimeDir, dataDir } = this.#options
    const { settings } = loadSettings(
      {
        platform: 'sandbox',
        runtimeDir,
        dataDir,
        consent: 'prompt',
        vault: 'file',
        dashboardPort: 'off',
        bridgePort: 'off',
        desktopClient: 'off',
        releaseMemory: 'off',
        logLevel: 'debug',
      },
      { platform: 'linux', env: {}, home: dataDir },
    )
    return settings
  }
}

/** Resources that are counted or kept for a time: their counts end with it. */
const WINDOWS: ReadonlySet<string> = new Set([
  'callKeyBytes',
  'callKeys',
  'authorizePagesOpened',
  'invalidCallbacks',
  'unauthenticatedFailures',
  'authenticatedFailures',
])

function heldBy(owner: Owner): Leftovers {
  const usage = countsOf.get(owner)?.usage() ?? []
  return Object.fromEntries(usage.filter(({ name }) => !WINDOWS.has(name)).map(({ name, charged }) => [name, charged]))
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms))

/** The daemon's own servers, which hold their connections until the bridge is there, on sockets of the simulated machine. */
async function openSimulatedPorts(address: string, profile: PlatformProfile): Promise<OpenPorts> {
  const { promise: needed, resolve: onNeeded } = Promise.withResolvers<void>()
  const held = await HeldServer.listen<PeerIdentity>(
    { path: address },
    { identify: (socket) => identityOf(socket as unknown as VirtualSocket), release: () => {}, onNeeded },
  )
  const close = (): Promise<void> => held.close()
  return {
    local: {
      sockets: [{ address, held }],
      ownAddress: address,
      isActivated: false,
      awaitFirstSlot: undefined,
      names: [],
      openForWine: async () => undefined,
      openIn: () => Promise.reject(new Error('the simulation has no containers')),
      preparePeers: () => {},
      close,
    },
    websocket: undefined,
    dashboard: undefined,
    webhooks: undefined,
    metrics: undefined,
    presence: undefined,
    platform: { profile },
    ready: {
      event: 'ready',
      pid: 1,
      ipc: [address],
      platform: profile.name,
      apiBase: profile.baseUrl,
      tokenUrl: profile.tokenUrl,
      dashboard: null,
    },
    notices: [],
    firstSlot: Promise.resolve(),
    openBeside: async () => ({ sockets: [], wine: undefined, notices: [], close: async () => {} }),
    needed,
    close,
  }
}

/** Notes each Accounting with the process that made it. */
export function watchAccounting(): void {
  const { connect } = Accounting.prototype
  Accounting.prototype.connect = function (...given) {
    const owner = currentOwner()
    if (owner !== undefined) countsOf.set(owner, this)
    return connect.apply(this, given)
  }
}
