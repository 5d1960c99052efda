/** The messages to a page, in the form that the web clients of existing presence servers read. Pure. */
import { ACTIVITY_FLAGS, type Activity } from '@sallyport/protocol'
import type { Presence } from '../sink.ts'

/** Flags that a page can use. Joining needs a secret, which pages never receive. */
const FLAGS = ACTIVITY_FLAGS.INSTANCE

export interface FeedMessage {
  /** Key of the activity on the page: the application id, because each application shows one activity. */
  readonly socketId: string
  readonly pid: number | null
  /** Null clears the activity. */
  readonly activity: Activity | null
}

/** Pages require `metadata`, `flags` and `name`. They look up an empty name themselves. */
const shownActivity = ({ metadata, flags = 0, ...activity }: Activity): Activity => ({
  ...activity,
  metadata: metadata ?? {},
  flags: flags & FLAGS,
})

export const shownMessage = ({ applicationId, claimedPid, stored }: Presence): FeedMessage => ({
  socketId: applicationId,
  pid: claimedPid ?? null,
  activity: shownActivity(stored.activity),
})

export const clearedMessage = ({ applicationId, claimedPid }: Presence): FeedMessage => ({
  socketId: applicationId,
  pid: claimedPid ?? null,
  activity: null,
})
