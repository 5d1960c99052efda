/**
 * Sends the presence of each owner via the first channel that can show it. Selects again when a channel reports a change; the
 * update then counts against the same limit.
 */
import { Signal } from '@sallyport/core/signal'
import { OwnerMap } from './owner-map.ts'
import type { PresenceChannel } from './channel.ts'
import type { PresenceOwner, Presence, PresenceSink } from './sink.ts'

interface Shown {
  readonly presence: Presence
  /** Undefined: no channel can show it now. */
  readonly channel: PresenceChannel | undefined
}

export class OutboundPresence implements PresenceSink {
  readonly #channels: readonly PresenceChannel[]
  readonly resend = new Signal<PresenceOwner>()
  readonly #shown = new OwnerMap<Shown>()

  /** `channels`: in order of preference. */
  constructor(channels: readonly PresenceChannel[]) {
    this.#channels = channels
    for (const channel of channels) {
      channel.changed.on(({ applicationId, userId }) => {
        for (const shown of this.#shown.of(applicationId))
          if (userId === undefined || userId === shown.presence.userId) this.#onChannelChange(shown, channel)
      })
    }
  }

  show(owner: PresenceOwner, presence: Presence | undefined): void {
    const before = this.#shown.get(owner)?.channel
    const channel = presence === undefined ? undefined : this.#channelFor(owner)
    if (before !== channel) before?.show(owner, undefined)
    if (presence === undefined) this.#shown.delete(owner)
    else this.#shown.set(owner, { presence, channel })
    channel?.show(owner, presence)
    for (const one of this.#channels) one.prepare?.(owner, presence !== undefined)
  }

  #channelFor(owner: PresenceOwner): PresenceChannel | undefined {
    return this.#channels.find((channel) => channel.canShow(owner))
  }

  #onChannelChange({ presence, channel }: Shown, changed: PresenceChannel): void {
    const next = this.#channelFor(presence)
    if (next === undefined) {
      this.#shown.set(presence, { presence, channel: undefined })
      channel?.show(presence, undefined)
    } else if (next !== channel || next === changed) this.resend.emit(presence)
  }
}
