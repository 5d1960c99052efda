/** Values of arguments that the sandbox accepts, where the least value of the schema is refused or asks for nothing. */

/** As small as the formats allow. */
export const IMAGE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
export const SOUND = 'data:audio/ogg;base64,T2dnUwAC'
export const THUMB = '👍'

const APPLICATION = '1234567890'
const START = '2099-06-01T12:00:00.000000+00:00'
const FILE = { filename: 'chart.png', data: 'QWhveQ==' }

export const COMMAND = { name: 'sail', description: 'Set sail' }
export const ACTIVITY = { type: 0, name: 'Harbour', application_id: APPLICATION, platform: 'desktop' }

/** The terms of an automatic moderation rule. */
const RULE_TERMS = { trigger_metadata: { keyword_filter: ['kraken'] }, actions: [{ type: 1 }] }
export const RULE = { name: 'Monsters', event_type: 1, trigger_type: 1, ...RULE_TERMS }

/** Place and time of a recurring scheduled event. */
const EVENT_PLAN = {
  entity_type: 3,
  entity_metadata: { location: 'Outer reef' },
  scheduled_start_time: START,
  scheduled_end_time: '2099-06-01T14:00:00.000000+00:00',
  recurrence_rule: { start: START, frequency: 2, interval: 1, by_weekday: [0] },
}
export const REGATTA = { name: 'Regatta', privacy_level: 2, ...EVENT_PLAN }

/** By argument name; given to every row that has the argument, required or optional. */
export const VALUES: Readonly<Record<string, unknown>> = {
  ...RULE_TERMS,
  ...EVENT_PLAN,
  activities: [ACTIVITY],
  activity: { type: 5 },
  commands: [COMMAND],
  content: 'Ahoy',
  deny: '2048',
  description: 'Set sail',
  emoji_name: THUMB,
  file: FILE,
  files: [FILE],
  image: IMAGE,
  is_canceled: true,
  messages: ['1', '2'],
  nick: 'Pilot',
  original_scheduled_start_time: START,
  owner_type: 2,
  platform_name: 'Harbour Log',
  query: 'gra',
  records: [{ type: 2, key: 'wins', name: 'Wins', description: 'Races won' }],
  sound: SOUND,
  /** Without users of the sandbox, which a fixture knows. */
  target_users_file: { filename: 'users.csv', data: 'dXNlcl9pZAox' },
  topic: 'Berths',
}
