/** Stores the current presence of each owner, for the operator. */
import { Signal, type SignalSource } from '@sallyport/core/signal'
import { OwnerMap } from './owner-map.ts'
import type { Presence, PresenceSink } from './sink.ts'

export interface PresenceStore extends PresenceSink {
  all(): readonly Presence[]
  readonly changed: SignalSource<void>
}

export function createPresenceStore(): PresenceStore {
  const presences = new OwnerMap<Presence>()
  const changed = new Signal()
  return {
    changed,
    show(owner, presence) {
      if (presence === undefined) presences.delete(owner)
      else presences.set(owner, presence)
      changed.emit()
    },
    all: () => presences.all(),
  }
}
