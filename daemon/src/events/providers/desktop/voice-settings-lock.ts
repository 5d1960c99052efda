/**
 * Which application may change the voice settings. The client accepts changes of one application at a time. The first application that changes
 * them holds the lock until its last session closes, also while no client runs. Its settings are restored when a client connects.
 */
import { BoundedMap } from '@sallyport/core/bounded-map'
import { BridgeError } from '@sallyport/core/errors'

export type VoiceArgs = Readonly<Record<string, unknown>>

/** Users whose settings are stored. */
const USERS_MAX = 256

const WHOLE = 'SET_VOICE_SETTINGS'
const OF_USER = 'SET_USER_VOICE_SETTINGS'

/** Whether this command changes voice settings. */
export const changesVoice = (cmd: string): boolean => cmd === WHOLE || cmd === OF_USER

/** Merges a change, one level into objects, as the client does. */
function merged(before: VoiceArgs, change: VoiceArgs): VoiceArgs {
  const result: Record<string, unknown> = { ...before }
  for (const [key, value] of Object.entries(change)) {
    const isPart = typeof value === 'object' && value !== null && !Array.isArray(value)
    result[key] = isPart ? { ...(result[key] as object | undefined), ...value } : value
  }
  return result
}

export class VoiceSettingsLock {
  #holder: string | undefined
  /** Pending calls of the holder. */
  #pendingCalls = 0
  #settings: VoiceArgs | undefined
  /** By user id, the oldest first. */
  readonly #users = new BoundedMap<string, VoiceArgs>(USERS_MAX)

  isHeldBy(applicationId: string): boolean {
    return this.#holder === applicationId && (this.#settings !== undefined || this.#users.size > 0)
  }

  /** Runs a change of the settings. Rejects with INVALID_PERMISSIONS when another application holds them. */
  async change<T>(applicationId: string, cmd: string, args: VoiceArgs, send: () => Promise<T>): Promise<T> {
    if (this.#holder !== undefined && this.#holder !== applicationId) {
      throw new BridgeError(
        'INVALID_PERMISSIONS',
        `The voice settings are held by application ${this.#holder}, which changed them first; they are free again when it disconnects.`,
      )
    }
    this.#holder = applicationId
    this.#pendingCalls++
    try {
      const response = await send()
      if (this.#holder === applicationId) this.#store(cmd, args)
      return response
    } finally {
      this.#pendingCalls--
      // A refused change does not acquire the lock.
      if (this.#pendingCalls === 0 && this.#holder === applicationId && !this.isHeldBy(applicationId)) this.#holder = undefined
    }
  }

  /** The calls that restore the settings of this application. */
  replay(applicationId: string): readonly { readonly cmd: string; readonly args: VoiceArgs }[] {
    if (this.#holder !== applicationId) return []
    const whole = this.#settings === undefined ? [] : [{ cmd: WHOLE, args: this.#settings }]
    return [...whole, ...[...this.#users.values()].map((args) => ({ cmd: OF_USER, args }))]
  }

  /** The last session of the application closed. */
  release(applicationId: string): void {
    if (this.#holder !== applicationId) return
    this.#holder = undefined
    this.#settings = undefined
    this.#users.clear()
  }

  #store(cmd: string, args: VoiceArgs): void {
    if (cmd === WHOLE) {
      this.#settings = merged(this.#settings ?? {}, args)
      return
    }
    const userId = String(args['user_id'])
    this.#users.set(userId, merged(this.#users.get(userId) ?? {}, args))
  }
}
