/** Hand-written commands, modals, responses and rules, because a schema cannot express the rules between their fields. */
import { LIMITS } from '@sallyport/protocol'
import { EDIT_MESSAGE } from './message-samples.ts'

type Args = Readonly<Record<string, unknown>>

const APPLICATION = { application_id: '41771983423143937' }
const GUILD = { guild_id: '18446744073709551615' }
const COMMAND = { command_id: '18446744073709551615' }
const x = (length: number) => 'x'.repeat(length)
const locales = (text: string) => ({ de: text, fr: text })

const named = (name: string) => ({
  name,
  name_localizations: locales(x(LIMITS.commandName.value)),
  description: x(LIMITS.commandDescription.value),
  description_localizations: locales(x(LIMITS.commandDescription.value)),
})
const choice = (value: unknown) => ({
  name: x(LIMITS.commandDescription.value),
  name_localizations: locales(x(LIMITS.commandDescription.value)),
  value,
})
const values = [
  { type: 3, ...named('to'), required: true, choices: [choice(x(LIMITS.commandChoiceText.value))], min_length: 0, max_length: 6000 },
  { type: 3, ...named('via'), autocomplete: true },
  { type: 4, ...named('knots'), choices: [choice(Number.MIN_SAFE_INTEGER)], min_value: -1, max_value: Number.MAX_SAFE_INTEGER },
  { type: 4, ...named('miles'), autocomplete: true },
  { type: 5, ...named('now') },
  { type: 6, ...named('mate') },
  { type: 7, ...named('where'), channel_types: [0, 2] },
  { type: 8, ...named('crew') },
  { type: 9, ...named('whom') },
  { type: 10, ...named('depth'), choices: [choice(0.5)], min_value: -0.5, max_value: 1.5 },
  { type: 10, ...named('height'), autocomplete: true },
  { type: 11, ...named('chart') },
]
const sub = (name: string) => ({ type: 1, ...named(name), options: values })

const CHAT = {
  ...named('sail'),
  type: 1,
  options: values,
  default_member_permissions: Number.MAX_SAFE_INTEGER,
  dm_permission: true,
  contexts: [0, 1, 2],
  integration_types: [0, 1],
  nsfw: true,
}
const GROUPED = { ...named('harbour'), options: [sub('enter'), { type: 2, ...named('leave'), options: [sub('north')] }] }
const MENU = { name: 'Greet', type: 2, default_member_permissions: '8' }
const ENTRY = { ...named('launch'), type: 4, handler: 2 }
const { type: _, ...CHAT_CHANGES } = CHAT

export const createCommand = (isGlobal: boolean): readonly Args[] =>
  [CHAT, GROUPED, MENU, ...(isGlobal ? [ENTRY] : [{ ...MENU, handler: null }])].map((command) => ({
    ...APPLICATION,
    ...(isGlobal ? {} : GUILD),
    ...command,
  }))

export const editCommand = (isGlobal: boolean): readonly Args[] =>
  [{}, CHAT_CHANGES, { handler: 1 }].map((command) => ({ ...APPLICATION, ...COMMAND, ...(isGlobal ? {} : GUILD), ...command }))

const menus = (type: number) => Array.from({ length: LIMITS.contextMenuCommands.value }, (__, index) => ({ name: `Menu ${index}`, type }))
export const overwriteCommands = (isGlobal: boolean): readonly Args[] =>
  [[], [{ ...CHAT, id: '18446744073709551615' }, GROUPED, ...menus(2), ...menus(3), ...(isGlobal ? [ENTRY] : [])]].map((commands) => ({
    ...APPLICATION,
    ...(isGlobal ? {} : GUILD),
    commands,
  }))

const ANSWER = { interaction_id: '41771983423143937', interaction_token: x(200) }
const option = { label: x(100), value: x(100), description: x(100), default: true }
const choose = { custom_id: x(100), placeholder: x(150), min_values: 0, max_values: 25, disabled: false, required: true }
const label = (component: object) => ({ type: 18, id: 1, label: x(45), description: x(100), component })
const textInput = {
  type: 4,
  id: 2,
  custom_id: x(100),
  style: 2,
  value: x(4000),
  placeholder: x(100),
  required: false,
  min_length: 0,
  max_length: 4000,
}
const FORM = {
  custom_id: x(100),
  title: x(45),
  components: [
    { type: 10, content: x(4000) },
    { type: 1, components: [{ ...textInput, label: x(45) }] },
    label(textInput),
    label({ type: 3, ...choose, options: [{ ...option, emoji: { id: '1', name: 'anchor' } }] }),
    ...[5, 6, 7].map((type) => label({ type, ...choose })),
    label({ type: 8, ...choose, channel_types: [0] }),
    label({ type: 19, custom_id: 'log', min_values: 0, max_values: LIMITS.modalFiles.value, required: false }),
    label({ type: 21, custom_id: 'one', required: true, options: [option, { ...option, default: false }] }),
    label({ type: 22, custom_id: 'some', required: true, min_values: 0, max_values: 10, options: [option] }),
    label({ type: 23, custom_id: 'yes', default: true }),
  ],
}

/** Names a limit to the bridge; it is not sent. */
const SIZED = { attachment_size_limit: 20_000_000 }

export const CREATE_INTERACTION_RESPONSE: readonly Args[] = [
  { type: 1 },
  { type: 4, data: { content: 'Ahoy', tts: true, flags: 64 }, with_response: true },
  { type: 4, data: { content: 'A chart', attachments: [{ id: '0' }] }, files: [{ filename: 'chart.png', data: 'AAAA' }], ...SIZED },
  { type: 5, data: { flags: 64 } },
  { type: 6 },
  { type: 7, data: { content: null, embeds: [] } },
  { type: 8, data: { choices: [choice('reef')] } },
  { type: 8, data: { choices: [choice(0.5)] } },
  { type: 9, data: FORM },
  { type: 12 },
].map((answer) => ({ ...ANSWER, ...answer }))

const BY_TOKEN = { ...APPLICATION, interaction_token: x(200) }
const POLL = {
  question: { text: x(300) },
  answers: [{ poll_media: { text: 'Reef' } }],
  allow_multiselect: true,
  layout_type: 1,
  duration: 768,
}
const ANSWERS: readonly Args[] = EDIT_MESSAGE.map(({ channel_id: _channel, message_id: _message, ...body }) =>
  body['files'] == null ? body : { ...body, ...SIZED },
)
const WRITTEN: readonly Args[] = ANSWERS.filter((body) => Object.values(body).some((value) => value !== null && value !== undefined))

export const CREATE_FOLLOWUP_MESSAGE: readonly Args[] = [
  ...WRITTEN.filter(({ content, embeds, components, files }) => [content, embeds, components, files].some((one) => one != null)),
  { content: 'x', tts: true },
  { poll: POLL },
  { content: 'x', with_components: true },
].map((body) => ({ ...BY_TOKEN, ...body }))
const CHANGES: readonly Args[] = [...ANSWERS, { poll: POLL }, { content: 'x', with_components: true }]
export const EDIT_ORIGINAL_INTERACTION_RESPONSE: readonly Args[] = CHANGES.map((body) => ({ ...BY_TOKEN, ...body }))
export const EDIT_FOLLOWUP_MESSAGE: readonly Args[] = CHANGES.map((body) => ({ ...BY_TOKEN, message_id: '1', ...body }))

const RULE = { name: x(100), event_type: 1, enabled: true, exempt_roles: ['1'], exempt_channels: ['2'], audit_log_reason: 'no monsters' }
const block = { type: 1, metadata: { custom_message: x(300) } }
const sendAlert = { type: 2, metadata: { channel_id: '3' } }
const silence = { type: 3, metadata: { duration_seconds: LIMITS.autoModerationTimeout.value } }
const words = { keyword_filter: [x(60)], regex_patterns: [x(260)], allow_list: [x(60)] }
const PARTS = [
  { trigger_type: 1, trigger_metadata: words, actions: [block, sendAlert, silence] },
  { trigger_type: 3, actions: [block] },
  { trigger_type: 4, trigger_metadata: { presets: [1, 2, 3], allow_list: [x(60)] }, actions: [block] },
  { trigger_type: 5, trigger_metadata: { mention_total_limit: 50, mention_raid_protection_enabled: true }, actions: [silence] },
  { trigger_type: 6, event_type: 2, trigger_metadata: words, actions: [{ type: 4 }] },
]
export const MODIFY_AUTO_MODERATION_RULE: readonly Args[] = [{}, ...PARTS].map((parts) => {
  const { trigger_type: __, ...changes }: Args = { ...RULE, ...parts }
  return { ...GUILD, rule_id: '1', ...changes }
})
export const CREATE_AUTO_MODERATION_RULE: readonly Args[] = PARTS.map((parts) => ({ ...GUILD, ...RULE, ...parts }))
