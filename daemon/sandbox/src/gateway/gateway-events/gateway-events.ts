/** Derives gateway events from changes of the state, so that no operation has to send them. */
import type { StoredRole } from '../../store/guild-application-records.ts'
import type { Change } from '../../store/store.ts'
import { mapChannel } from './channels.ts'
import { mapGuildEmoji, mapScheduledEvent, mapSticker } from './guild-content.ts'
import { mapBotMember, mapGuild, mapRole } from './guilds.ts'
import { mapLobby, mapLobbyMessage } from './lobbies.ts'
import { mapChannelMessage, mapUserMessage } from './messages.ts'
import { mapGuildBan, mapInvite, mapRoleItself } from './moderation.ts'
import { mapEntitlement, mapSubscription } from './monetization.ts'
import { mapReaction } from './reactions.ts'
import { mapGameRelationship, mapRelationship } from './relationships.ts'
import { mapUser } from './users.ts'
import { type ChangeMapper, type EventMapper, type EventContext, NO_EVENTS } from './event-mapper.ts'

/** The events of changes that one commit made, in order. */
export function gatewayEvents(changes: readonly Change[], world: EventContext): readonly EventMapper[] {
  const { store } = world.platform
  const both: ChangeMapper<StoredRole> = (step, context) => {
    const [itself, holders] = [mapRoleItself(step, context), mapRole(step, context)]
    return (viewer) => [...(itself?.(viewer) ?? NO_EVENTS), ...(holders?.(viewer) ?? NO_EVENTS)]
  }
  const byKind: ReadonlyMap<string, ChangeMapper<never>> = new Map<string, ChangeMapper<never>>([
    [store.botMembers.kind, mapBotMember],
    [store.channelMessages.kind, mapChannelMessage],
    [store.channels.kind, mapChannel],
    [store.entitlements.kind, mapEntitlement],
    [store.gameRelationships.kind, mapGameRelationship],
    [store.guildEmojis.kind, mapGuildEmoji],
    [store.guildBans.kind, mapGuildBan],
    [store.guilds.kind, mapGuild],
    [store.invites.kind, mapInvite],
    [store.lobbies.kind, mapLobby],
    [store.messages.kind, mapLobbyMessage],
    [store.reactions.kind, mapReaction],
    [store.relationships.kind, mapRelationship],
    [store.roles.kind, both],
    [store.scheduledEvents.kind, mapScheduledEvent],
    [store.stickers.kind, mapSticker],
    [store.subscriptions.kind, mapSubscription],
    [store.userMessages.kind, mapUserMessage],
    [store.users.kind, mapUser],
  ])
  return changes.flatMap(
    // A document has the type of its kind.
    ({ kind, id, before, after }) => byKind.get(kind)?.({ id, before: before as never, after: after as never, all: changes }, world) ?? [],
  )
}
