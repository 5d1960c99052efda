/** The first events of a session: READY, then GUILD_CREATE for each guild. */
import { GATEWAY_VERSION } from '@sallyport/protocol'
import { flagsOf } from '../api/application-flags.ts'
import { gatewayUrl } from '../api/gateway.ts'
import { botView, userView } from '../api/user-view.ts'
import { applicationOf, type Platform } from '../platform.ts'
import { presencesOf, fullGuildView } from './guild-view.ts'
import { FRIEND, relationshipView } from './gateway-events/relationships.ts'
import type { GatewayEvent } from './gateway-events/event-mapper.ts'
import type { PresenceRegistry } from './presence-registry.ts'
import type { GatewaySession } from './session.ts'
import { guildsOf, hasIntents } from './viewer.ts'

export function firstEvents(platform: Platform, session: GatewaySession, presences: PresenceRegistry): readonly GatewayEvent[] {
  const { caller, shard } = session
  const guilds = guildsOf(platform, session)
  const ready = {
    v: GATEWAY_VERSION,
    user: caller.kind === 'bot' ? botView(applicationOf(platform, caller.id)) : userView(caller.user),
    guilds: guilds.map(({ id }) => ({ id, unavailable: true })),
    session_id: session.id,
    resume_gateway_url: `${gatewayUrl(platform.origin())}/resume`,
    shard: [shard.id, shard.count],
    application: { id: caller.applicationId, flags: flagsOf(platform, caller.applicationId) },
    ...(caller.kind === 'bot' ? {} : relationsOf(platform, caller.id, presences)),
  }
  const visible = hasIntents(session, 'GUILDS') ? guilds : []
  return [
    { t: 'READY', d: ready },
    ...visible.map((guild) => ({ t: 'GUILD_CREATE', d: fullGuildView(platform, session, guild, presences) })),
  ]
}

function relationsOf(platform: Platform, userId: string, presences: PresenceRegistry) {
  const relationships = platform.store.relationships.group(userId)
  const friends = relationships.filter(({ type }) => type === FRIEND).map(({ otherId }) => otherId)
  return { relationships: relationships.map((one) => relationshipView(platform, one)), presences: presencesOf(friends, presences) }
}
