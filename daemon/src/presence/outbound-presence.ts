/**
 * Sends the presence of each owner via the first channel that can show it, or to the places that the user chose. Selects again when a channel reports
 * a change; the update then counts against the same limit. A choice of the user takes effect at once.
 */
import { Signal } from '@sallyport/core/signal'
import type { StoredActivity } from '@sallyport/protocol'
import { OwnerMap } from './owner-map.ts'
import type { PresenceChannel } from './channel.ts'
import { isChosen, type PlacesOf } from './places.ts'
import type { PresenceOwner, Presence, PresenceSink } from './sink.ts'

interface Shown {
  readonly presence: Presence
  /** Empty: no channel can show it now. */
  readonly channels: readonly PresenceChannel[]
}

const without = (some: readonly PresenceChannel[], others: readonly PresenceChannel[]): readonly PresenceChannel[] =>
  some.filter((one) => !others.includes(one))

const NONE: readonly string[] = []

export class OutboundPresence implements PresenceSink {
  readonly #channels: readonly PresenceChannel[]
  readonly #placesOf: PlacesOf
  readonly resend = new Signal<PresenceOwner>()
  readonly #shown = new OwnerMap<Shown>()

  /** `channels`: in order of preference. */
  constructor(channels: readonly PresenceChannel[], placesOf: PlacesOf = () => undefined) {
    this.#channels = channels
    this.#placesOf = placesOf
    for (const channel of channels) {
      channel.changed.on(({ applicationId, userId }) => {
        for (const shown of this.#shown.of(applicationId))
          if (userId === undefined || userId === shown.presence.userId) this.#onChannelChange(shown, channel)
      })
    }
  }

  show(owner: PresenceOwner, presence: Presence | undefined): void {
    const before = this.#shown.get(owner)?.channels ?? []
    const channels = presence === undefined ? [] : this.#channelsFor(presence)
    for (const channel of without(before, channels)) channel.show(owner, undefined)
    if (presence === undefined) this.#shown.delete(owner)
    else this.#shown.set(owner, { presence, channels })
    for (const channel of channels) channel.show(owner, presence)
    for (const channel of this.#channels) channel.prepare?.(owner, presence)
  }

  /** The user chose other places. */
  placesChanged(): void {
    for (const { presence, channels } of this.#shown.all()) {
      for (const channel of this.#channels) channel.placesChanged?.(presence)
      const next = this.#channelsFor(presence)
      this.#shown.set(presence, { presence, channels: next })
      for (const channel of without(channels, next)) channel.show(presence, undefined)
      for (const channel of without(next, channels)) channel.show(presence, presence)
    }
  }

  /** Ids of the places where an owner is shown now. */
  shownOn(owner: PresenceOwner): readonly string[] {
    const channels = this.#shown.get(owner)?.channels ?? []
    return channels.flatMap((channel) => channel.shownOn?.(owner) ?? channel.place ?? [])
  }

  /** Paths of the fields of an activity that some channel in use does not carry. */
  notCarried(owner: PresenceOwner, stored: StoredActivity): readonly string[] {
    let paths: readonly string[] = NONE
    for (const channel of this.#shown.get(owner)?.channels ?? []) {
      const own = channel.notCarried?.(stored)
      if (own !== undefined && own.length > 0) paths = paths.length === 0 ? own : [...paths, ...own]
    }
    return paths
  }

  /** At chosen places, a client of another user and the account of the owner both show it. */
  #channelsFor(presence: Presence): readonly PresenceChannel[] {
    const places = this.#placesOf(presence)
    const used: PresenceChannel[] = []
    for (const channel of this.#channels) {
      if (channel.place !== undefined && !isChosen(places, channel.place)) continue
      if (!channel.canShow(presence, places)) continue
      used.push(channel)
      if (channel.isOwn?.(presence, places) !== false) break
    }
    return used
  }

  #onChannelChange({ presence, channels }: Shown, changed: PresenceChannel): void {
    const next = this.#channelsFor(presence)
    const isSame = next.length === channels.length && without(next, channels).length === 0
    if (next.length === 0) {
      this.#shown.set(presence, { presence, channels: [] })
      for (const channel of channels) channel.show(presence, undefined)
    } else if (!isSame || next.includes(changed)) this.resend.emit(presence)
  }
}
