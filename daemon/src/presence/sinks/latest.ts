/** Remembers what each application shows now, for pages that are looked at now and then. */
import type { Presence, PresenceSink } from '../sink.ts'

export interface LatestPresence extends PresenceSink {
  all(): readonly Presence[]
}

export function latestPresence(): LatestPresence {
  const shown = new Map<string, Presence>()
  return {
    show(applicationId, presence) {
      if (presence === undefined) shown.delete(applicationId)
      else shown.set(applicationId, presence)
    },
    all: () => [...shown.values()],
  }
}
