/** The first events of a session: READY, then its guilds. */
import { GATEWAY_VERSION } from '@sallyport/protocol'
import { flagsOf } from '../api/application-flags.ts'
import { gatewayUrl } from '../api/gateway.ts'
import { botView, userView } from '../api/user-view.ts'
import { applicationOf, type Platform } from '../platform.ts'
import { presencesOf, wholeGuildView } from './guild-view.ts'
import { FRIEND, relationshipView } from './occurrences/people.ts'
import type { Told } from './occurrences/told.ts'
import type { Presences } from './presences.ts'
import type { Session } from './session.ts'
import { guildsOf, wants } from './viewer.ts'

export function firstEvents(platform: Platform, session: Session, presences: Presences): readonly Told[] {
  const { party, shard } = session
  const guilds = guildsOf(platform, session)
  const ready = {
    v: GATEWAY_VERSION,
    user: party.kind === 'bot' ? botView(applicationOf(platform, party.id)) : userView(party.user),
    guilds: guilds.map(({ id }) => ({ id, unavailable: true })),
    session_id: session.id,
    resume_gateway_url: `${gatewayUrl(platform.origin())}/resume`,
    shard: [shard.id, shard.count],
    application: { id: party.applicationId, flags: flagsOf(platform, party.applicationId) },
    ...(party.kind === 'bot' ? {} : relationsOf(platform, party.id, presences)),
  }
  const told = wants(session, 'GUILDS') ? guilds : []
  return [{ t: 'READY', d: ready }, ...told.map((guild) => ({ t: 'GUILD_CREATE', d: wholeGuildView(platform, session, guild, presences) }))]
}

function relationsOf(platform: Platform, userId: string, presences: Presences) {
  const relationships = platform.store.relationships.group(userId)
  const friends = relationships.filter(({ type }) => type === FRIEND).map(({ otherId }) => otherId)
  return { relationships: relationships.map((one) => relationshipView(platform, one)), presences: presencesOf(friends, presences) }
}
