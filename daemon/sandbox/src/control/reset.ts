/** Undoes what requests of the control interface changed: data, time, limits, and faults. */
import type { ControlContext } from './control-context.ts'
import type { Journal } from './journal.ts'
import { userEndWrites } from './users.ts'

/** Returns how many documents are as they were before, and how many were too many to remember. What games did to others stays. */
export function undoControls({ platform, journal, clock, faults, limits }: ControlContext): ReturnType<Journal['undo']> {
  const { store, gatewayControls } = platform
  // A created user may have signed in meanwhile.
  const created = journal.created(store.users.kind).flatMap((id) => store.users.get(id) ?? [])
  for (const user of created) store.commit(userEndWrites(platform, user))
  const undone = journal.undo()
  faults.clear()
  limits.clear()
  gatewayControls.faults.clear()
  clock.move(-clock.movedMs)
  return undone
}
