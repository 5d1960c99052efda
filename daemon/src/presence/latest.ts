/** Remembers what each player shows now, for pages that are looked at now and then. */
import { ByPlayer } from './by-player.ts'
import type { Presence, PresenceSink } from './sink.ts'

export interface LatestPresence extends PresenceSink {
  all(): readonly Presence[]
}

export function latestPresence(): LatestPresence {
  const shown = new ByPlayer<Presence>()
  return {
    show(player, presence) {
      if (presence === undefined) shown.delete(player)
      else shown.set(player, presence)
    },
    all: () => shown.all(),
  }
}
