/** Events of guilds and their members. */
import { memberView } from '../../api/members.ts'
import { personView } from '../../api/user-view.ts'
import type { StoredBotMember, StoredRole } from '../../store/guild-application-records.ts'
import type { StoredGuild } from '../../store/records.ts'
import type { Change } from '../../store/store.ts'
import { fullGuildView, guildUpdateView } from '../guild-view.ts'
import { isVisible, operationFor, type Viewer, hasIntents } from '../viewer.ts'
import { isSame, NO_EVENTS, type ChangeMapper, type EventMapper, type GatewayEvent, type EventContext } from './event-mapper.ts'
import { rolesBefore, visibilityEvents } from './visibility.ts'

export const mapGuild: ChangeMapper<StoredGuild> = ({ id, before, after, all }, world) => {
  const { platform, presences } = world
  const members = before === undefined || after === undefined ? () => NO_EVENTS : memberEvents(before, after, world)
  return (viewer) => {
    if (!hasIntents(viewer, 'GUILDS')) return members(viewer)
    const was = before !== undefined && isVisible(viewer, before)
    if (after === undefined || !isVisible(viewer, after)) return was ? [{ t: 'GUILD_DELETE', d: { id } }] : NO_EVENTS
    if (!was) return [{ t: 'GUILD_CREATE', d: fullGuildView(platform, viewer, after, presences) }]
    const update = isSame(ownPart(before), ownPart(after))
      ? NO_EVENTS
      : [{ t: 'GUILD_UPDATE', d: guildUpdateView(platform, viewer, after) }]
    const roles = rolesBefore(platform, id, all)
    return [...update, ...members(viewer), ...visibilityEvents(world, viewer, { guild: before, roles }, after)]
  }
}

/** Members have events of their own. */
const ownPart = ({ members: _, botPermissions: __, ...own }: StoredGuild) => own

function memberEvents(before: StoredGuild, after: StoredGuild, world: EventContext): EventMapper {
  const { platform } = world
  const come = Object.keys(after.members).filter((id) => before.members[id] === undefined)
  const gone = Object.keys(before.members).filter((id) => after.members[id] === undefined)
  const changed = Object.keys(after.members).filter((id) => !come.includes(id) && !isSame(before.members[id], after.members[id]))
  return (viewer) => {
    if (!isVisible(viewer, after) || !hasIntents(viewer, 'GUILD_MEMBERS')) return NO_EVENTS
    return [
      ...come.map((id) => ({ t: 'GUILD_MEMBER_ADD', d: { ...memberView(operationFor(platform, viewer), after, id), guild_id: after.id } })),
      ...gone.map((id) => ({
        t: 'GUILD_MEMBER_REMOVE',
        d: { guild_id: after.id, user: personView(platform, viewer.caller.applicationId, id) },
      })),
      ...changed.map((id) => memberUpdate(world, viewer, after, id)),
    ]
  }
}

const memberUpdate = ({ platform }: EventContext, viewer: Viewer, guild: StoredGuild, id: string): GatewayEvent => ({
  t: 'GUILD_MEMBER_UPDATE',
  d: { ...memberView(operationFor(platform, viewer), guild, id), guild_id: guild.id },
})

/** Members who got or lost the role. A member added in the same change has its own event. */
export const mapRole: ChangeMapper<StoredRole> = ({ id: roleId, before, after, all }, world) => {
  const { guilds } = world.platform.store
  const guild = guilds.get((after ?? before)?.guildId ?? '')
  if (guild === undefined) return undefined
  const had = before?.memberIds ?? []
  const has = after?.memberIds ?? []
  const earlier = all.find(({ kind, id }) => kind === guilds.kind && id === guild.id)?.before as StoredGuild | undefined
  const members = earlier?.members ?? guild.members
  const changed = [...had.filter((id) => !has.includes(id)), ...has.filter((id) => !had.includes(id))].filter(
    (one) => guild.members[one] !== undefined && members[one] !== undefined,
  )
  const shows = showsChannels(world, guild, roleId, all)
  return (viewer) =>
    isVisible(viewer, guild)
      ? [...(hasIntents(viewer, 'GUILD_MEMBERS') ? changed.map((one) => memberUpdate(world, viewer, guild, one)) : []), ...shows(viewer)]
      : NO_EVENTS
}

/** The channels that all role changes of a commit show or hide, once per commit. A change of the guild has them in its own events. */
function showsChannels(world: EventContext, guild: StoredGuild, roleId: string, all: readonly Change[]): EventMapper {
  const { guilds, roles } = world.platform.store
  const [first] = all.filter(({ kind, before, after }) => kind === roles.kind && ((after ?? before) as StoredRole).guildId === guild.id)
  if (first?.id !== roleId || all.some(({ kind, id }) => kind === guilds.kind && id === guild.id)) return () => NO_EVENTS
  const before = { guild, roles: rolesBefore(world.platform, guild.id, all) }
  return (viewer) => visibilityEvents(world, viewer, before, guild)
}

/** A bot receives its own membership with any intents. */
export const mapBotMember: ChangeMapper<StoredBotMember> = ({ id }, world) => {
  const [guildId = '', applicationId = ''] = id.split(':')
  const guild = world.platform.store.guilds.get(guildId)
  if (guild === undefined) return undefined
  return (viewer) =>
    viewer.caller.applicationId === applicationId && isVisible(viewer, guild)
      ? [memberUpdate(world, viewer, guild, applicationId)]
      : NO_EVENTS
}
