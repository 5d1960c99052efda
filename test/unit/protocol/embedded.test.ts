/** Commands of embedded activities with errors that other bridges ignore. */
import { COMMANDS, EVENTS } from '@sallyport/protocol'
import { expect, it } from 'vitest'

it('SHARE_LINK rejects referrer_id by name, which other bridges ignore silently', { tags: ['7-8'] }, () => {
  const args = { message: 'Come aboard', custom_id: 'deck', link_id: 'quay' }
  expect(COMMANDS.SHARE_LINK.args.safeParse(args).success).toBe(true)
  const { error } = COMMANDS.SHARE_LINK.args.safeParse({ ...args, referrer_id: '5' })
  expect(JSON.stringify(error?.issues)).toContain('referrer_id')
})

const { ORIENTATION_UPDATE, ACTIVITY_LAYOUT_MODE_UPDATE, THERMAL_STATE_UPDATE } = EVENTS
const { SHARE_INTERACTION, OPEN_EXTERNAL_LINK, ENCOURAGE_HW_ACCELERATION, SET_CONFIG, GET_QUEST, REQUEST_PROXY_TICKET_REFRESH } = COMMANDS

it.each([
  [ORIENTATION_UPDATE, { screen_orientation: 1, orientation: 'landscape' }],
  [ACTIVITY_LAYOUT_MODE_UPDATE, { layout_mode: 2 }],
  [THERMAL_STATE_UPDATE, { thermal_state: 3 }],
  [SHARE_INTERACTION, { success: true }],
  [OPEN_EXTERNAL_LINK, { opened: null }],
  [ENCOURAGE_HW_ACCELERATION, { enabled: true }],
  [SET_CONFIG, { use_interactive_pip: false }],
  [GET_QUEST, { quest_id: '5', external_cta_url: 'https://a.test', enrolled_at: null }],
  [REQUEST_PROXY_TICKET_REFRESH, { ticket: 't' }],
])('$name has the data that the embedded SDK reads', ({ data }, value) => {
  expect(data.safeParse({ ...value, more: 1 }).success).toBe(true)
  expect(data.safeParse({}).success).toBe(false)
})
