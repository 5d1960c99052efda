/**
 * Follows the bridge for the tray. It never starts or loads the bridge: it connects only after the bridge has loaded for a game, and waits for
 * changes of the data folder otherwise.
 */
import { type FSWatcher, watch } from 'node:fs'
import type { BridgeState } from '@sallyport/protocol'
import { LIMITS } from '@sallyport/protocol/limits'
import { SANDBOX_IPC_PREFIX } from '@sallyport/core/platform-names'
import { isBridgeLoaded } from '@sallyport/core/storage/bridge-loaded'
import { readSocketAddress, socketAddressStamp } from '@sallyport/core/storage/daemon-addresses'
import { systemClock } from '@sallyport/core/clock'
import { VERSION } from '@sallyport/core/version'
import type { SallyportClient } from '@sallyport/client'
import { TRAY_STOP_FILE } from '../install/carry-out.ts'
import { probeSlot } from '../ipc/transport/address.ts'
import type { TrayAction, TrayState } from '../tray/state.ts'
import type { Context } from './command.ts'
import { asOperator } from './operator.ts'
import { locationOnData, verifiedConnect } from '../operator/own-server.ts'

/** How long the connection stays lost while the daemon neither ends nor starts again. */
const RECONNECT_MS = 30_000
/** The longest deadline of a call; the wait is shorter. */
const DEADLINE_MS = LIMITS.maxDeadlineMs.value
const WAIT_MS = LIMITS.stateWaitMs.value
/** Files of the data folder whose change may mean another state. */
const FILES = new Set(['socket.address', 'bridge.loaded'])

export class TrayLink {
  readonly #context: Context
  readonly #onState: (state: TrayState) => void
  readonly #watcher: FSWatcher
  #client: SallyportClient | undefined
  #isStopped = false
  /** A file has changed since the last look. */
  #isDirty = false
  #wake = (): void => {}

  /** The data folder exists. */
  constructor(context: Context, onState: (state: TrayState) => void) {
    this.#context = context
    this.#onState = onState
    this.#watcher = watch(this.#dataDir, (_, name) => {
      if (name === TRAY_STOP_FILE) void this.stop()
      if (name !== null && !FILES.has(name.replace(/\.new$/, ''))) return
      this.#isDirty = true
      this.#wake()
    })
  }

  get #dataDir(): string {
    return this.#context.loaded.settings.dataDir
  }

  /** Reports each state, until `stop`. Never rejects because of the bridge. */
  async follow(): Promise<void> {
    while (!this.#isStopped) {
      this.#isDirty = false
      const address = readSocketAddress(this.#dataDir)
      if (address === undefined) {
        this.#onState({ kind: 'absent' })
        await this.#change()
      } else if ((await probeSlot(address)) !== 'taken') {
        // It crashed. The next one writes its address.
        this.#onState({ kind: 'absent' })
        await this.#change()
      } else if (!isBridgeLoaded(this.#dataDir)) {
        this.#onState({ kind: 'resting' })
        await this.#change()
      } else {
        const stamp = socketAddressStamp(this.#dataDir)
        await this.#watchBridge()
        await this.#ending(stamp)
      }
    }
  }

  /** Does nothing if the bridge has ended meanwhile. Rejects with the error of the bridge. */
  async operate({ action, id, places }: Extract<TrayAction, { do: 'operate' }>): Promise<void> {
    await this.#client?.call('OPERATE_BRIDGE', {
      action,
      ...(id === undefined ? {} : { id }),
      ...(places === undefined ? {} : { places: [...places] }),
    })
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#watcher.close()
    this.#wake()
    await this.#client?.close()
  }

  /** Resolves with true at the next change, or with false after `ms`. */
  async #change(ms?: number): Promise<boolean> {
    if (this.#isDirty || this.#isStopped) return true
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const cancel = ms === undefined ? () => {} : systemClock.after(ms, () => resolve(false))
    this.#wake = () => resolve(true)
    const isChanged = await promise
    cancel()
    return isChanged
  }

  /**
   * The connection is lost. Waits until the daemon has removed its address: a look at the socket before that would start it again, if a service
   * manager owns the socket.
   */
  async #ending(stamp: string | undefined): Promise<void> {
    this.#isDirty = false
    if (!this.#isStopped) this.#onState({ kind: 'absent' })
    if (stamp === undefined) return
    while (!this.#isStopped && socketAddressStamp(this.#dataDir) === stamp) {
      if (!(await this.#change(RECONNECT_MS))) return
      this.#isDirty = false
    }
  }

  /** Resolves when the connection is lost, or could not be made. */
  async #watchBridge(): Promise<void> {
    const binding = await import('@sallyport/client')
    const { settings } = this.#context.loaded
    const client = new binding.SallyportClient({
      applicationId: settings.application,
      requireBridge: true,
      reconnect: false,
      sdkVersion: `sallyport-tray/${VERSION}`,
      environment: { connect: verifiedConnect(binding) },
      ipcPrefix: settings.profile?.ipcPrefix ?? SANDBOX_IPC_PREFIX,
      ...locationOnData(this.#dataDir),
    })
    try {
      await client.connect()
      await client.call('SET_HTTP_REQUEST_TIMEOUT', { timeout_ms: DEADLINE_MS })
      let bridge = await asOperator<BridgeState>(client, this.#context, 'WATCH_BRIDGE', { shows_prompts: true })
      this.#client = client
      while (!this.#isStopped) {
        this.#onState({ kind: 'connected', bridge })
        bridge = await client.call('WATCH_BRIDGE', { wait_ms: WAIT_MS }, { timeoutMs: DEADLINE_MS })
      }
    } catch {
      // The next look says what runs now.
    } finally {
      this.#client = undefined
      await client.close()
    }
  }
}
