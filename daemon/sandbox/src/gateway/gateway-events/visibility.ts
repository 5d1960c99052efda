/** CHANNEL_UPDATE of channels that a change of roles shows or hides. */
import type { PermissionSource } from '../../api/permissions.ts'
import type { StoredRole } from '../../store/guild-application-records.ts'
import type { StoredGuild } from '../../store/records.ts'
import type { Change } from '../../store/store.ts'
import { hasIntents, isVisible, type Viewer, visibleChannel } from '../viewer.ts'
import { type EventContext, type GatewayEvent, isSame, NO_EVENTS } from './event-mapper.ts'

/** The roles of the guild before a commit with these changes. */
export function rolesBefore({ store }: EventContext['platform'], guildId: string, changes: readonly Change[]): readonly StoredRole[] {
  const changed = changes.filter(({ kind }) => kind === store.roles.kind)
  const before = changed.map((change) => change.before as StoredRole | undefined).filter((role) => role?.guildId === guildId)
  return [
    ...store.roles.group(guildId).filter((role) => !changed.some(({ id }) => id === role.id)),
    ...before.filter((role) => role !== undefined),
  ]
}

/** For a member before and after the change. */
export function visibilityEvents(
  { platform }: EventContext,
  viewer: Viewer,
  before: { readonly guild: StoredGuild; readonly roles: readonly StoredRole[] },
  guild: StoredGuild,
): readonly GatewayEvent[] {
  if (!hasIntents(viewer, 'GUILDS') || !isVisible(viewer, before.guild) || !isVisible(viewer, guild)) return NO_EVENTS
  const source: PermissionSource = {
    store: { roles: { group: () => before.roles }, botMembers: platform.store.botMembers },
    clock: platform.clock,
  }
  return platform.store.channels.group(guild.id).flatMap((channel) => {
    const was = visibleChannel(platform, viewer, before.guild, channel, source)
    const is = visibleChannel(platform, viewer, guild, channel)
    return isSame(was, is) ? [] : [{ t: 'CHANNEL_UPDATE', d: is }]
  })
}
