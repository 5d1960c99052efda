/**
 * Whose voice settings these are. The client lets one application at a time change them; among the games behind this bridge the first one that
 * did keeps that right until its last session leaves, also while the client is away, and its values come back with the client.
 */
import { BridgeError } from '@sallyport/core/errors'

export type VoiceArgs = Readonly<Record<string, unknown>>

/** Users whose settings are remembered. */
const USERS_MAX = 256

const WHOLE = 'SET_VOICE_SETTINGS'
const OF_USER = 'SET_USER_VOICE_SETTINGS'

/** Whether this command is one that the hold is about. */
export const changesVoice = (cmd: string): boolean => cmd === WHOLE || cmd === OF_USER

/** Later values over earlier ones, one level into objects, as the client does. */
function merged(before: VoiceArgs, change: VoiceArgs): VoiceArgs {
  const result: Record<string, unknown> = { ...before }
  for (const [key, value] of Object.entries(change)) {
    const isPart = typeof value === 'object' && value !== null && !Array.isArray(value)
    result[key] = isPart ? { ...(result[key] as object | undefined), ...value } : value
  }
  return result
}

export class VoiceHold {
  #holder: string | undefined
  /** Calls of the holder that are not answered yet. */
  #trying = 0
  #settings: VoiceArgs | undefined
  /** By user id, the oldest first. */
  readonly #users = new Map<string, VoiceArgs>()

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
    this.#trying++
    try {
      const answer = await send()
      if (this.#holder === applicationId) this.#keep(cmd, args)
      return answer
    } finally {
      this.#trying--
      // What the client refused holds nothing.
      if (this.#trying === 0 && this.#holder === applicationId && !this.isHeldBy(applicationId)) this.#holder = undefined
    }
  }

  /** The calls that bring the values of this application back. */
  replay(applicationId: string): readonly { readonly cmd: string; readonly args: VoiceArgs }[] {
    if (this.#holder !== applicationId) return []
    const whole = this.#settings === undefined ? [] : [{ cmd: WHOLE, args: this.#settings }]
    return [...whole, ...[...this.#users.values()].map((args) => ({ cmd: OF_USER, args }))]
  }

  /** The last session of the application left. */
  release(applicationId: string): void {
    if (this.#holder !== applicationId) return
    this.#holder = undefined
    this.#settings = undefined
    this.#users.clear()
  }

  #keep(cmd: string, args: VoiceArgs): void {
    if (cmd === WHOLE) {
      this.#settings = merged(this.#settings ?? {}, args)
      return
    }
    const userId = String(args['user_id'])
    this.#users.set(userId, merged(this.#users.get(userId) ?? {}, args))
    const [oldest] = this.#users.keys()
    if (this.#users.size > USERS_MAX && oldest !== undefined) this.#users.delete(oldest)
  }
}
