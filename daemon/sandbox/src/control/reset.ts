/** Undoes what requests of the control interface changed: data, time, limits, and faults. */
import type { ControlContext } from './control-context.ts'
import { userEndWrites } from './users.ts'

/** Returns the number of documents that are as they were before. What games did to others stays. */
export function undoControls({ platform, journal, clock, faults, limits }: ControlContext): number {
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
