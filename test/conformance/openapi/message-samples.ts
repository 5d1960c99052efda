/** Hand-written messages, because a schema cannot express the rules between fields; together they use all fields at their limits. */
import { LIMITS } from '@sallyport/protocol'

type Args = Readonly<Record<string, unknown>>

const CHANNEL = { channel_id: '41771983423143937' }
const MESSAGE = { ...CHANNEL, message_id: '18446744073709551615' }
const LINK = 'https://game.test/picture.png'
const SNOWFLAKES = (count: number) => Array.from({ length: count }, (_, index) => String(1000 + index))
const IS_COMPONENTS_V2 = 1 << 15

const emoji = { id: '41771983429993937', name: 'anchor' }
const field = { name: 'Depth', value: 'v'.repeat(100), inline: true }
const EMBED = {
  title: 't'.repeat(LIMITS.embedTitle.value),
  description: 'd',
  url: LINK,
  timestamp: '2026-11-01T12:00:00.000000+00:00',
  color: 0xffffff,
  author: { name: 'Ada', url: LINK, icon_url: LINK },
  footer: { text: 'Harbour', icon_url: LINK },
  image: { url: LINK },
  thumbnail: { url: LINK },
  fields: Array.from({ length: LIMITS.embedFields.value }, () => field),
}

const select = (type: number, more: object) => ({
  type,
  custom_id: 'c'.repeat(LIMITS.componentCustomId.value),
  placeholder: 'p'.repeat(LIMITS.selectPlaceholder.value),
  min_values: 0,
  max_values: LIMITS.selectValues.value,
  disabled: false,
  ...more,
})
const option = (index: number) => ({ label: `Berth ${index}`, value: String(index), description: 'Free', emoji, default: false })
const button = { type: 2, id: 7, style: 1, custom_id: 'dock', label: 'l'.repeat(LIMITS.buttonLabel.value), emoji, disabled: false }
const linkButton = { type: 2, style: 5, url: LINK, label: 'Charts' }
const shopButton = { type: 2, style: 6, sku_id: '41771983429993937' }
const ROWS = [
  [button, linkButton, shopButton],
  [select(3, { options: Array.from({ length: LIMITS.selectValues.value }, (_, index) => option(index)) })],
  [select(5, { default_values: [{ id: '1', type: 'user' }] }), select(6, { default_values: [{ id: '1', type: 'role' }] })],
  [select(7, { default_values: [{ id: '1', type: 'user' }] })],
  [select(8, { default_values: [{ id: '1', type: 'channel' }], channel_types: [0, 2] })],
].map((components) => ({ type: 1, id: 1, components }))

const line = { type: 10, content: 'x'.repeat(100) }
const media = { url: LINK }
const PARTS = [
  { type: 9, components: [line, line, line], accessory: { type: 11, media, description: 'A chart', spoiler: true } },
  { type: 9, components: [line], accessory: linkButton },
  line,
  { type: 12, items: Array.from({ length: LIMITS.galleryItems.value }, () => ({ media, description: 'A chart', spoiler: false })) },
  { type: 13, file: { url: 'attachment://chart.png' }, spoiler: false },
  { type: 14, divider: true, spacing: 2 },
]
const FILE = { filename: 'chart.png', content_type: 'image/png', data: 'AAAA' }
const CONTAINER = { type: 17, components: [...PARTS, ROWS[0]], accent_color: 0xffffff, spoiler: true }

/** Common fields of sending and editing. */
const BODIES: readonly Args[] = [
  { content: 'x'.repeat(LIMITS.messageContent.value), embeds: [EMBED], components: ROWS, flags: 1 << 2 },
  { flags: IS_COMPONENTS_V2, components: [...PARTS, CONTAINER] },
  { content: 'x', allowed_mentions: { parse: ['everyone'], users: SNOWFLAKES(100), roles: SNOWFLAKES(100), replied_user: true } },
  { files: [FILE, FILE], attachments: [{ id: '0', filename: 'chart.png', description: 'A chart', is_spoiler: true }, { id: '1' }] },
  { content: 'x', embeds: Array.from({ length: LIMITS.messageEmbeds.value }, () => ({ title: 'x' })) },
]

const poll = {
  question: { text: 'q'.repeat(LIMITS.pollText.value) },
  answers: Array.from({ length: LIMITS.pollAnswers.value }, () => ({ poll_media: { text: 'Yes', emoji: { name: '⚓' } } })),
  allow_multiselect: true,
  layout_type: 1,
  duration: LIMITS.pollDuration.value,
}

export const CREATE_MESSAGE: readonly Args[] = [
  { ...CHANNEL, content: 'Ahoy' },
  ...BODIES.map((body) => ({ ...CHANNEL, ...body })),
  { ...CHANNEL, content: 'x', nonce: 'n'.repeat(LIMITS.messageNonce.value), enforce_nonce: true, tts: true },
  { ...CHANNEL, content: 'x', nonce: 5, message_reference: { ...MESSAGE, type: 0, guild_id: '1', fail_if_not_exists: false } },
  { ...CHANNEL, message_reference: { ...MESSAGE, type: 1 } },
  { ...CHANNEL, content: 'x', shared_client_theme: { colors: ['112233', 'AABBCC'], gradient_angle: 90, base_mix: 50, base_theme: 1 } },
  { ...CHANNEL, sticker_ids: SNOWFLAKES(LIMITS.messageStickers.value) },
  { ...CHANNEL, poll },
]

export const EDIT_MESSAGE: readonly Args[] = [
  MESSAGE,
  ...BODIES.map((body) => ({ ...MESSAGE, ...body })),
  { ...MESSAGE, content: null, embeds: null, allowed_mentions: null, components: null, attachments: null, flags: null },
]
