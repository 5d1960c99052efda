/** How something that brings events or presence from elsewhere does. */

/**
 * `idle`: nobody wants anything of it. `absent`: who would tell it does not run on this machine, which is nobody's failure. `failing`: it cannot
 * tell what is wanted now. It tries again by itself.
 */
export interface SourceHealth {
  readonly state: 'idle' | 'live' | 'absent' | 'failing'
  /** Why it is absent or fails, or what it is live without, as a sentence. */
  readonly reason?: string
  /** Events that came and that nothing is known of; absent: none. */
  readonly ignored?: number
}
