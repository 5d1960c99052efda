/** The wire forms of lobbies and members, and changes of members. */
import type { Lobby, LobbyMember } from '@sallyport/protocol'
import type { Platform } from '../platform.ts'
import type { StoredLobby, StoredLobbyMember } from '../store/records.ts'
import { channelView } from './guilds.ts'

/** A change of a member; omitted fields stay unchanged. */
interface MemberChange {
  readonly id: string
  readonly metadata?: Readonly<Record<string, string>> | null | undefined
  readonly flags?: number | null | undefined
  readonly additional_name?: string | null | undefined
}

/** Adds a member or changes the existing one. */
export function withMember(members: readonly StoredLobbyMember[], change: MemberChange): StoredLobbyMember[] {
  const before = members.find(({ id }) => id === change.id)
  const member = {
    id: change.id,
    metadata: change.metadata === undefined ? (before?.metadata ?? null) : change.metadata,
    flags: change.flags ?? before?.flags ?? 0,
    additionalName: change.additional_name === undefined ? (before?.additionalName ?? null) : change.additional_name,
  }
  return before === undefined ? [...members, member] : members.map((one) => (one.id === member.id ? member : one))
}

export const memberView = (member: StoredLobbyMember): LobbyMember => ({
  id: member.id,
  metadata: member.metadata === null ? null : { ...member.metadata },
  flags: member.flags,
  ...(member.additionalName === null ? {} : { additional_name: member.additionalName }),
})

export function lobbyView({ store }: Platform, lobby: StoredLobby): Lobby {
  const linked = lobby.linkedChannelId === undefined ? undefined : store.channels.get(lobby.linkedChannelId)
  return {
    id: lobby.id,
    application_id: lobby.applicationId,
    metadata: lobby.metadata === null ? null : { ...lobby.metadata },
    members: lobby.members.map(memberView),
    flags: lobby.flags,
    ...(linked === undefined ? {} : { linked_channel: channelView(linked) }),
    ...(lobby.overrideEventWebhooksUrl === undefined ? {} : { override_event_webhooks_url: lobby.overrideEventWebhooksUrl }),
  }
}
