/**
 * Loads modules of Node that a first READY does without and every first sign-in needs, in between. The bundle loads them at their first use
 * otherwise. Without `node:tls`: a game that only sets its presence would pay for its certificates. A first connection over TLS loads it.
 */
import type { Clock } from '../clock.ts'

const NAMES = ['node:crypto', 'node:http']
/** After READY of the first game and its first calls, before it signs in. */
const QUIET_MS = 20

/** One in each turn of the event loop, because each takes milliseconds. Returns what cancels the rest. */
export function loadLateModules(clock: Clock, [name, ...rest]: readonly string[] = NAMES): () => void {
  if (name === undefined) return () => {}
  let cancelRest = (): void => {}
  const cancel = clock.after(QUIET_MS, () => {
    process.getBuiltinModule(name)
    cancelRest = loadLateModules(clock, rest)
  })
  return () => {
    cancel()
    cancelRest()
  }
}
