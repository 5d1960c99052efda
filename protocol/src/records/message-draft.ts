/** Fields of a sent or edited message, and the rules between them. */
import * as z from 'zod'
import { once } from '../once.ts'
import { LIMITS } from '../limits.ts'
import { Snowflake, text, wholeNumber } from '../schema/index.ts'
import { buttonProblems } from './button-rules.ts'
import { COMPONENT_TYPES, componentCount, ComponentInput } from './components.ts'
import { EmbedInputs } from './embed.ts'
import { FileInputs } from './file.ts'

export const MESSAGE_FLAGS = {
  SUPPRESS_EMBEDS: 1 << 2,
  SUPPRESS_NOTIFICATIONS: 1 << 12,
  IS_VOICE_MESSAGE: 1 << 13,
  IS_COMPONENTS_V2: 1 << 15,
} as const

/** Reference to another message. */
export const REFERENCE_TYPES = { reply: 0, forward: 1 } as const

const AllowedMentions = once(() =>
  z.strictObject({
    parse: z.array(z.enum(['users', 'roles', 'everyone'])).nullish(),
    users: z.array(Snowflake()).max(LIMITS.allowedMentions.value).nullish(),
    roles: z.array(Snowflake()).max(LIMITS.allowedMentions.value).nullish(),
    replied_user: z.boolean().nullish(),
  }),
)

const MessageReferenceInput = once(() =>
  z.strictObject({
    type: z.literal([REFERENCE_TYPES.reply, REFERENCE_TYPES.forward]).nullish().meta({ description: '0: a reply; 1: a forward.' }),
    message_id: Snowflake(),
    channel_id: Snowflake().nullish().meta({ description: 'Required for a forward.' }),
    guild_id: Snowflake().nullish(),
    fail_if_not_exists: z.boolean().nullish(),
  }),
)

const AttachmentInput = once(() =>
  z.strictObject({
    id: Snowflake().meta({ description: 'Index of a new file in files, or id of an existing attachment.' }),
    filename: text(1, LIMITS.attachmentText.value).nullish(),
    description: z.string().max(LIMITS.attachmentText.value).nullish(),
    is_spoiler: z.boolean().nullish(),
  }),
)

const PollText = once(() =>
  z.strictObject({
    text: text(1, LIMITS.pollText.value).nullish(),
    emoji: z.strictObject({ id: Snowflake().nullish(), name: z.string().max(LIMITS.emojiName.value).nullish() }).nullish(),
  }),
)

const PollInput = once(() =>
  z.strictObject({
    question: PollText(),
    answers: z
      .array(z.strictObject({ poll_media: PollText() }))
      .min(1)
      .max(LIMITS.pollAnswers.value),
    allow_multiselect: z.boolean().nullish(),
    layout_type: z.literal(1).nullish(),
    duration: wholeNumber(1, LIMITS.pollDuration.value).nullish().meta({ description: 'In hours; default 24.' }),
  }),
)

const SharedTheme = once(() =>
  z.strictObject({
    colors: z
      .array(z.string().regex(/^[0-9a-fA-F]{6}$/, 'must be a color: 6 hexadecimal digits'))
      .min(1)
      .max(LIMITS.themeColors.value),
    gradient_angle: wholeNumber(0, 360),
    base_mix: wholeNumber(0, 100),
    base_theme: wholeNumber(0, 4).nullish(),
  }),
)

/** Fields for both sending and editing. Components have the largest schema, which few messages need. */
export const EDIT_BODY = once(() => ({
  content: z.string().max(LIMITS.messageContent.value).nullish(),
  embeds: EmbedInputs().nullish(),
  allowed_mentions: AllowedMentions().nullish(),
  components: z.array(z.lazy(ComponentInput)).max(LIMITS.componentsV2.value).nullish(),
  attachments: z.array(AttachmentInput()).max(LIMITS.messageAttachments.value).nullish(),
  flags: wholeNumber(0, 0x7fffffff).nullish(),
}))

export const CREATE_BODY = once(() => ({
  ...EDIT_BODY(),
  nonce: z
    .union([z.string().max(LIMITS.messageNonce.value), z.number().int()])
    .nullish()
    .meta({
      description: 'The platform returns it in the message. With enforce_nonce, a repeat within a few minutes returns the first message.',
    }),
  enforce_nonce: z.boolean().nullish(),
  tts: z.boolean().nullish(),
  message_reference: MessageReferenceInput().nullish(),
  sticker_ids: z.array(Snowflake()).max(LIMITS.messageStickers.value).nullish(),
  poll: PollInput().nullish(),
  shared_client_theme: SharedTheme().nullish().meta({ description: 'A theme of the desktop client that readers can take over.' }),
}))

/** Files of a row with the upload MESSAGE_FILES. Not part of the JSON body, because each file is its own part. */
export const FILES_BODY = once(() => ({ files: FileInputs().optional() }))
/** Files of a row with the upload RESPONSE_FILES. */
export const RESPONSE_FILES_BODY = once(() => ({
  ...FILES_BODY(),
  attachment_size_limit: wholeNumber(1, LIMITS.attachmentBytesMost.value)
    .optional()
    .meta({ description: 'attachment_size_limit of the interaction: the maximum bytes of each file. Not sent.' }),
}))
type Files = z.output<z.ZodObject<ReturnType<typeof FILES_BODY>>>

export interface DraftProblem {
  readonly path: readonly (string | number)[]
  readonly message: string
}

type Edit = z.output<z.ZodObject<ReturnType<typeof EDIT_BODY>>>
type Draft = z.output<z.ZodObject<ReturnType<typeof CREATE_BODY>>>

const isGiven = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)

/** Fields that a components v2 message cannot have. */
const NOT_WITH_V2 = ['content', 'embeds', 'poll', 'sticker_ids'] as const

const hasV2 = ({ flags }: Pick<Edit, 'flags'>): boolean => ((flags ?? 0) & MESSAGE_FLAGS.IS_COMPONENTS_V2) !== 0

/** Returns the conflicts between the components of a message and its other fields. */
export const componentProblems = (draft: Edit & Partial<Draft>): DraftProblem[] => [
  ...(hasV2(draft) ? v2Problems(draft) : legacyProblems(draft.components ?? [])),
  ...buttonProblems(draft.components ?? []),
]

/** Returns the problems of an edit. An edit without the flag can apply to a message with it, because the flag is permanent. */
export const editProblems = (changes: Edit): DraftProblem[] => [
  ...(hasV2(changes) ? v2Problems(changes) : tooMany(changes.components ?? [])),
  ...buttonProblems(changes.components ?? []),
  ...repeated(changes),
]

/** Returns problems for duplicate attachment ids. */
function repeated({ attachments }: Pick<Edit, 'attachments'>): DraftProblem[] {
  const ids = (attachments ?? []).map(({ id }) => id)
  return ids.flatMap((id, index) =>
    ids.indexOf(id) === index ? [] : [{ path: ['attachments', index, 'id'], message: `contains ${id} twice` }],
  )
}

/** Returns problems for attachments of a new message without a file. */
function fileless({ attachments, files = [] }: Pick<Edit, 'attachments'> & Files): DraftProblem[] {
  return (attachments ?? []).flatMap(({ id }, index) =>
    Number(id) < files.length
      ? []
      : [{ path: ['attachments', index, 'id'], message: `must be an index into files, which has ${files.length} items` }],
  )
}

const v2Problems = (draft: Edit & Partial<Draft>): DraftProblem[] => [
  ...NOT_WITH_V2.filter((name) => isGiven(draft[name])).map((name) => ({
    path: [name],
    message: 'is not allowed with the flag IS_COMPONENTS_V2; use components instead',
  })),
  ...tooMany(draft.components ?? []),
]

function tooMany(components: readonly ComponentInput[]): DraftProblem[] {
  const count = componentCount(components)
  const most = LIMITS.componentsV2.value
  if (count <= most) return []
  return [{ path: ['components'], message: `contains ${count} components including nested ones; at most ${most} are allowed` }]
}

function legacyProblems(components: readonly ComponentInput[]): DraftProblem[] {
  if (components.some(({ type }) => type !== COMPONENT_TYPES.actionRow))
    return [{ path: ['components'], message: 'can contain only action rows unless flags has IS_COMPONENTS_V2 (32768)' }]
  const most = LIMITS.actionRows.value
  if (components.length <= most) return []
  return [
    { path: ['components'], message: `contains ${components.length} action rows; at most ${most} are allowed without IS_COMPONENTS_V2` },
  ]
}

/** A message needs at least one of these fields. */
const SUBSTANCE = ['content', 'embeds', 'sticker_ids', 'components', 'files', 'poll'] as const

/** Returns the problems of a message to send. */
export function draftProblems(draft: Draft & Files): DraftProblem[] {
  const problems = [...componentProblems(draft), ...fileless(draft), ...repeated(draft)]
  const reference = draft.message_reference
  const isForward = reference?.type === REFERENCE_TYPES.forward
  if (isForward && !isGiven(reference.channel_id))
    problems.push({ path: ['message_reference', 'channel_id'], message: 'is required for a forward' })
  if (!isForward && !SUBSTANCE.some((name) => isGiven(draft[name])))
    problems.push({
      path: ['content'],
      message: 'is empty; a message needs content, embeds, stickers, components, files, a poll, or a forward',
    })
  if (draft.enforce_nonce === true && !isGiven(draft.nonce)) problems.push({ path: ['nonce'], message: 'is required with enforce_nonce' })
  return problems
}
