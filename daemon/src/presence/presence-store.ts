/** Stores the current presence of each owner, for the dashboard. */
import { OwnerMap } from './owner-map.ts'
import type { Presence, PresenceSink } from './sink.ts'

export interface PresenceStore extends PresenceSink {
  all(): readonly Presence[]
}

/** `onChange` is called after each change. */
export function createPresenceStore(onChange: () => void = () => {}): PresenceStore {
  const presences = new OwnerMap<Presence>()
  return {
    show(owner, presence) {
      if (presence === undefined) presences.delete(owner)
      else presences.set(owner, presence)
      onChange()
    },
    all: () => presences.all(),
  }
}
