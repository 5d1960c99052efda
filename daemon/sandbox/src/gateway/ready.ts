/** The first events of a session: READY, then GUILD_CREATE for each guild. */
import { GATEWAY_VERSION } from '@sallyport/protocol'
import type { UserCaller } from '../api/authentication.ts'
import { flagsOf } from '../api/application-flags.ts'
import { gatewayUrl } from '../api/gateway.ts'
import { gameRelationshipView, relationshipsOf, relationshipView } from '../api/relationships.ts'
import { botView, userView } from '../api/user-view.ts'
import { applicationOf, type Platform } from '../platform.ts'
import { RELATIONSHIP_TYPES } from '../store/relationships.ts'
import { applicationUserKey } from '../store/store.ts'
import { presencesOf, fullGuildView } from './guild-view.ts'
import type { GatewayEvent } from './gateway-events/event-mapper.ts'
import type { PresenceRegistry } from './presence-registry.ts'
import type { GatewaySession } from './session.ts'
import { guildsOf, hasIntents } from './viewer.ts'

export function firstEvents(platform: Platform, session: GatewaySession, presences: PresenceRegistry): readonly GatewayEvent[] {
  const { caller, shard } = session
  const guilds = guildsOf(platform, session)
  const ready = {
    v: GATEWAY_VERSION,
    user: caller.kind === 'bot' ? botView(applicationOf(platform, caller.id)) : userView(platform, caller.user),
    guilds: guilds.map(({ id }) => ({ id, unavailable: true })),
    session_id: session.id,
    resume_gateway_url: `${gatewayUrl(platform.origin())}/resume`,
    shard: [shard.id, shard.count],
    application: { id: caller.applicationId, flags: flagsOf(platform, caller.applicationId) },
    ...(caller.kind === 'bot' ? {} : relationsOf(platform, caller, presences)),
  }
  const visible = hasIntents(session, 'GUILDS') ? guilds : []
  return [
    { t: 'READY', d: ready },
    ...visible.map((guild) => ({ t: 'GUILD_CREATE', d: fullGuildView(platform, session, guild, presences) })),
  ]
}

function relationsOf({ store }: Platform, { id, applicationId }: UserCaller, presences: PresenceRegistry) {
  const relationships = relationshipsOf({ store }, id)
  const friends = relationships.filter(({ type }) => type === RELATIONSHIP_TYPES.friend).map(({ otherId }) => otherId)
  return {
    relationships: relationships.map((one) => relationshipView({ store }, one)),
    game_relationships: store.gameRelationships.group(applicationUserKey(applicationId, id)).map(gameRelationshipView),
    presences: presencesOf(friends, presences),
  }
}
