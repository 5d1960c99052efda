/** Limits of the platform have its documented values and units. */
import { LIMITS, type LimitName, User } from '@sallyport/protocol'
import { expect, it } from 'vitest'
import * as z from 'zod'

it.each<[LimitName, number, string]>([
  ['lobbyMessages', 200, 'items'],
  ['lobbyMessageAge', 72, 'hours'],
  ['lobbyBulkMembers', 25, 'items'],
  ['voiceChannelStatus', 500, 'characters'],
  ['guildTag', 4, 'characters'],
  ['embedFields', 25, 'items'],
  ['attachmentBytes', 10 * 1024 * 1024, 'bytes'],
  ['modalFiles', 10, 'items'],
  ['actionRows', 5, 'items'],
  ['componentsV2', 40, 'items'],
  ['contextMenuCommands', 15, 'items'],
  ['entryPointCommands', 1, 'items'],
  ['applicationEmoji', 2000, 'items'],
  ['userInstallFollowups', 5, 'items'],
  ['deadlineMs', 30_000, 'ms'],
  ['privilegedIntentUsers', 10_000, 'items'],
  ['lobbyInviteAge', 3600, 's'],
])('%s is %i %s', (name, value, unit) => {
  expect(LIMITS[name]).toMatchObject({ value, unit })
})

it('the description of a guild tag contains its limit', () => {
  expect(JSON.stringify(z.toJSONSchema(User))).toContain('"1 to 4 characters')
})
