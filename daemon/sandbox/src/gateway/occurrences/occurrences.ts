/** What viewers are told of, read off the changes of the state, so that no operation has to remember to tell. */
import type { Change } from '../../store/store.ts'
import { ofChannel } from './channels.ts'
import { ofBotMember, ofGuild, ofRole } from './guilds.ts'
import { ofLobby, ofLobbyMessage } from './lobbies.ts'
import { ofChannelMessage, ofUserMessage } from './messages.ts'
import { ofEntitlement, ofSubscription } from './monetization.ts'
import { ofRelationship } from './people.ts'
import type { Occurrence, Tell, World } from './told.ts'

/** The events that follow from changes that were made at once, in their order. */
export function occurrences(changes: readonly Change[], world: World): readonly Tell[] {
  const { store } = world.platform
  const byKind: ReadonlyMap<string, Occurrence<never>> = new Map<string, Occurrence<never>>([
    [store.botMembers.kind, ofBotMember],
    [store.channelMessages.kind, ofChannelMessage],
    [store.channels.kind, ofChannel],
    [store.entitlements.kind, ofEntitlement],
    [store.guilds.kind, ofGuild],
    [store.lobbies.kind, ofLobby],
    [store.messages.kind, ofLobbyMessage],
    [store.relationships.kind, ofRelationship],
    [store.roles.kind, ofRole],
    [store.subscriptions.kind, ofSubscription],
    [store.userMessages.kind, ofUserMessage],
  ])
  return changes.flatMap(
    // Documents come back under the kind they were written with, hence with its type.
    ({ kind, id, before, after }) => byKind.get(kind)?.({ id, before: before as never, after: after as never, all: changes }, world) ?? [],
  )
}
