/** Guilds and their members: come, changed and gone. */
import { memberView } from '../../api/members.ts'
import { personView } from '../../api/user-view.ts'
import type { StoredBotMember, StoredRole } from '../../store/belongings.ts'
import type { StoredGuild } from '../../store/records.ts'
import { guildView, wholeGuildView } from '../guild-view.ts'
import { isTold, operationFor, type Viewer, wants } from '../viewer.ts'
import { isSame, NOTHING, type Occurrence, type Tell, type Told, type World } from './told.ts'

export const ofGuild: Occurrence<StoredGuild> = ({ id, before, after }, world) => {
  const { platform, presences } = world
  const tellMembers = before === undefined || after === undefined ? () => NOTHING : membersTold(before, after, world)
  return (viewer) => {
    if (!wants(viewer, 'GUILDS')) return tellMembers(viewer)
    const was = before !== undefined && isTold(viewer, before)
    if (after === undefined || !isTold(viewer, after)) return was ? [{ t: 'GUILD_DELETE', d: { id } }] : NOTHING
    if (!was) return [{ t: 'GUILD_CREATE', d: wholeGuildView(platform, viewer, after, presences) }]
    const update = isSame(ownPart(before), ownPart(after)) ? NOTHING : [{ t: 'GUILD_UPDATE', d: guildView(platform, after) }]
    return [...update, ...tellMembers(viewer)]
  }
}

/** Members are told of by events of their own. */
const ownPart = ({ members: _, botPermissions: __, ...own }: StoredGuild) => own

function membersTold(before: StoredGuild, after: StoredGuild, { platform }: World): Tell {
  const come = Object.keys(after.members).filter((id) => before.members[id] === undefined)
  const gone = Object.keys(before.members).filter((id) => after.members[id] === undefined)
  return (viewer) => {
    if (!isTold(viewer, after) || !wants(viewer, 'GUILD_MEMBERS')) return NOTHING
    return [
      ...come.map((id) => ({ t: 'GUILD_MEMBER_ADD', d: { ...memberView(operationFor(platform, viewer), after, id), guild_id: after.id } })),
      ...gone.map((id) => ({
        t: 'GUILD_MEMBER_REMOVE',
        d: { guild_id: after.id, user: personView(platform, viewer.party.applicationId, id) },
      })),
    ]
  }
}

const memberUpdate = ({ platform }: World, viewer: Viewer, guild: StoredGuild, id: string): Told => ({
  t: 'GUILD_MEMBER_UPDATE',
  d: { ...memberView(operationFor(platform, viewer), guild, id), guild_id: guild.id },
})

/** Whoever got or lost the role; those who came with it are told of by their coming. */
export const ofRole: Occurrence<StoredRole> = ({ before, after, all }, world) => {
  const { guilds } = world.platform.store
  const guild = guilds.get((after ?? before)?.guildId ?? '')
  if (guild === undefined) return undefined
  const had = before?.memberIds ?? []
  const has = after?.memberIds ?? []
  const earlier = all.find(({ kind, id }) => kind === guilds.kind && id === guild.id)?.before as StoredGuild | undefined
  const members = earlier?.members ?? guild.members
  const changed = [...had.filter((id) => !has.includes(id)), ...has.filter((id) => !had.includes(id))].filter(
    (id) => guild.members[id] !== undefined && members[id] !== undefined,
  )
  return (viewer) =>
    isTold(viewer, guild) && wants(viewer, 'GUILD_MEMBERS') ? changed.map((id) => memberUpdate(world, viewer, guild, id)) : NOTHING
}

/** A bot is told of itself, whatever its intents. */
export const ofBotMember: Occurrence<StoredBotMember> = ({ id }, world) => {
  const [guildId = '', applicationId = ''] = id.split(':')
  const guild = world.platform.store.guilds.get(guildId)
  if (guild === undefined) return undefined
  return (viewer) =>
    viewer.party.applicationId === applicationId && isTold(viewer, guild) ? [memberUpdate(world, viewer, guild, applicationId)] : NOTHING
}
