/** A message history that stores nothing. */
import type { MessageHistory } from '#daemon/src/events/messages/history.ts'

/** Stores nothing: every history comes from the platform. */
export const noHistory: MessageHistory = {
  mark: () => ({ at: 0, changes: 0, deletions: 0 }),
  load: async () => undefined,
  store: async () => {},
  add: async () => {},
  remove: async () => {},
  onMessage: async () => {},
  onMessageDeleted: async () => {},
  invalidate: async () => {},
  deleteAccount: async () => {},
  close: async () => {},
}
