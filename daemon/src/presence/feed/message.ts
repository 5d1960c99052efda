/** What a page is told: the shape that the web clients of existing presence servers read. Pure. */
import { ACTIVITY_FLAGS, type Activity } from '@sallyport/protocol'
import type { Presence } from '../sink.ts'

/** Flags that a page can do something with; joining needs a secret, which no page is told. */
const FLAGS = ACTIVITY_FLAGS.INSTANCE

export interface BridgeMessage {
  /** What the page keeps activities apart by: the application, since each shows one. */
  readonly socketId: string
  readonly pid: number | null
  /** Null: nothing is shown any more. */
  readonly activity: Activity | null
}

/** Pages read `metadata`, `flags` and `name` without asking whether they are there. The name is theirs to find when it is empty. */
const shownActivity = ({ metadata, flags = 0, ...activity }: Activity): Activity => ({
  ...activity,
  metadata: metadata ?? {},
  flags: flags & FLAGS,
})

export const shownMessage = ({ applicationId, claimedPid, stored }: Presence): BridgeMessage => ({
  socketId: applicationId,
  pid: claimedPid ?? null,
  activity: shownActivity(stored.activity),
})

export const clearedMessage = ({ applicationId, claimedPid }: Presence): BridgeMessage => ({
  socketId: applicationId,
  pid: claimedPid ?? null,
  activity: null,
})
