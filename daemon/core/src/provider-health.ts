/** The health of a provider of events or presence. */

/**
 * `idle`: not in use. `unavailable`: the desktop client does not run on this machine, which is not an error. `failing`: it cannot provide what is
 * required now, and retries.
 */
export interface ProviderHealth {
  readonly state: 'idle' | 'active' | 'unavailable' | 'failing'
  /** Why it is unavailable or failing, or what is missing while active, as a sentence. */
  readonly reason?: string
  /** Number of received unknown events; undefined if none. */
  readonly ignored?: number
}
