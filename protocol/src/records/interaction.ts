/** Interactions: a user used a command, component or modal of the application; and the responses of the application. */
import * as z from 'zod'
import { once } from '../once.ts'
import { callbackOf } from '../interaction-callbacks.ts'
import { LIMITS } from '../limits.ts'
import { BitFieldText, Snowflake, text, tolerant } from '../schema/index.ts'
import { Attachment, Message } from './channel-message.ts'
import { Channel } from './channel.ts'
import { Entitlement } from './entitlement.ts'
import { Member } from './member.ts'
import { CREATE_BODY, draftProblems, EDIT_BODY, editProblems, type FILES_BODY } from './message-draft.ts'
import { ModalInput, modalProblems } from './modal.ts'
import { Role } from './role.ts'
import { User } from './user.ts'

/** Context in which an interaction was used. */
export const INTERACTION_CONTEXTS = { guild: 0, botDm: 1, privateChannel: 2 } as const
/** Installation context of the application. */
export const INTEGRATION_TYPES = { guild: 0, user: 1 } as const

const ResolvedChannel = once(() =>
  Channel().extend({
    app_permissions: BitFieldText().optional().meta({
      description: "The bot's permissions in the channel; only if the application's bot is in the guild.",
    }),
  }),
)

const ResolvedData = once(() =>
  tolerant({
    users: z.record(z.string(), User()).optional(),
    members: z.record(z.string(), Member().partial()).optional(),
    roles: z.record(z.string(), Role()).optional(),
    channels: z.record(z.string(), ResolvedChannel()).optional(),
    messages: z.record(z.string(), Message().partial()).optional(),
    attachments: z.record(z.string(), Attachment()).optional(),
  }),
)

const InteractionData = once(() =>
  tolerant({
    id: Snowflake().optional(),
    name: z.string().optional(),
    type: z.number().int().optional().meta({ description: 'Type of the command; only for commands.' }),
    options: z.array(z.unknown()).optional(),
    guild_id: Snowflake().optional(),
    target_id: Snowflake().optional(),
    custom_id: z.string().optional(),
    component_type: z.number().int().optional(),
    values: z.array(z.string()).optional(),
    components: z.array(z.unknown()).optional(),
    resolved: ResolvedData().optional(),
  }),
)

export const Interaction = once(() =>
  tolerant({
    id: Snowflake(),
    application_id: Snowflake(),
    type: z.number().int().meta({ description: '1 ping, 2 command, 3 component, 4 autocomplete, 5 modal' }),
    data: InteractionData().optional(),
    guild: tolerant({ id: Snowflake() }).optional(),
    guild_id: Snowflake().optional(),
    channel: ResolvedChannel().partial().optional(),
    channel_id: Snowflake().optional(),
    member: Member().optional(),
    user: User().optional(),
    token: z.string().meta({ description: 'Token for responses to the interaction, valid for 15 minutes. A secret.' }),
    version: z.literal(1),
    message: Message().optional(),
    app_permissions: BitFieldText().meta({ description: 'Permissions of the application in the channel of its response.' }),
    locale: z.string().optional(),
    guild_locale: z.string().optional(),
    entitlements: z.array(Entitlement()),
    authorizing_integration_owners: z.record(z.string(), z.string()).meta({
      description: 'By installation context: "0" the guild ("0" in direct messages with the bot), "1" the user.',
    }),
    context: z.number().int().optional().meta({ description: '0 guild, 1 direct messages with the bot, 2 other private channels' }),
    attachment_size_limit: z.number().int().meta({ description: 'Maximum size of an attachment of a response, in bytes.' }),
  }).meta({ id: 'Interaction', description: 'A user used a command, a component or a modal of the application.' }),
)
export type Interaction = z.output<ReturnType<typeof Interaction>>

/** The created response; returned if with_response is set. */
export const InteractionCallback = once(() =>
  tolerant({
    interaction: tolerant({
      id: Snowflake(),
      type: z.number().int(),
      activity_instance_id: z.string().nullish(),
      response_message_id: Snowflake().nullish(),
      response_message_loading: z.boolean().nullish(),
      response_message_ephemeral: z.boolean().nullish(),
    }),
    resource: tolerant({
      type: z.number().int(),
      activity_instance: tolerant({ id: z.string() }).nullish(),
      message: Message().nullish(),
    }).nullish(),
  }).meta({ id: 'InteractionCallback', description: 'The created response to an interaction.' }),
)
export type InteractionCallback = z.output<ReturnType<typeof InteractionCallback>>

/** Token for responses to an interaction. */
export const InteractionToken = once(() =>
  text(1, LIMITS.interactionToken.value).meta({
    id: 'InteractionToken',
    description: 'Token of the interaction, valid for 15 minutes. A secret.',
  }),
)

/** Fields of a message that responds to an interaction. */
export const ANSWER_BODY = once(() => ({ ...EDIT_BODY(), tts: CREATE_BODY().tts, poll: CREATE_BODY().poll }))
/** Fields of an edit. A poll is only allowed on a deferred response. */
export const ANSWER_CHANGES = once(() => ({ ...EDIT_BODY(), poll: CREATE_BODY().poll }))

const CommandChoice = once(() =>
  z.strictObject({
    name: text(1, LIMITS.commandDescription.value),
    name_localizations: z.record(z.string(), text(1, LIMITS.commandDescription.value)).nullish(),
    value: z.union([z.string().max(LIMITS.commandChoiceText.value), z.number()]),
  }),
)
const Choices = once(() => z.strictObject({ choices: z.array(CommandChoice()).max(LIMITS.commandChoices.value) }))

const Eligibility = once(() =>
  z.strictObject({
    eligible: z.boolean(),
    ineligible_reason: z
      .literal([0, 1, 2])
      .nullish()
      .meta({ description: '0 another reason, 1 the user owns it or a part of it, 2 the platform of the account.' }),
    ineligible_reason_description: z.string().max(LIMITS.ineligibleReason.value).nullish(),
  }),
)

export const CALLBACK_BODY = once(() => ({
  type: z.number().int().meta({
    description:
      '1 PONG, 4 message, 5 deferred message, 6 deferred update, 7 update, 8 choices, 9 modal, 12 start the activity, 13 eligibility. 10 is deprecated: send a premium button.',
  }),
  data: z.union([Choices(), z.lazy(ModalInput), Eligibility(), z.strictObject(ANSWER_BODY())]).nullish(),
}))

interface Problem {
  readonly path: readonly (string | number)[]
  readonly message: string
}
type CallbackBody = z.output<z.ZodObject<ReturnType<typeof CALLBACK_BODY> & ReturnType<typeof FILES_BODY>>>
type Data = NonNullable<CallbackBody['data']>

const kindOf = (data: Data): 'choices' | 'modal' | 'eligibility' | 'message' =>
  'choices' in data ? 'choices' : 'title' in data ? 'modal' : 'eligible' in data ? 'eligibility' : 'message'

/** Sentence part: the data of each callback. */
const TAKES = {
  none: 'takes no data',
  message: 'takes a message: content, embeds, components or similar',
  changes: 'takes changes of a message: content, embeds, components or similar',
  choices: 'takes choices',
  modal: 'takes a modal: custom_id, title and components',
  eligibility: 'takes eligible, and a reason if it is false',
} as const

/** Callbacks that require data. */
const NEEDS_DATA: ReadonlySet<string> = new Set([
  'CHANNEL_MESSAGE_WITH_SOURCE',
  'APPLICATION_COMMAND_AUTOCOMPLETE_RESULT',
  'MODAL',
  'SOCIAL_LAYER_SKU_PURCHASE_ELIGIBILITY',
])

const below = (problems: readonly Problem[]): Problem[] => problems.map(({ path, message }) => ({ path: ['data', ...path], message }))

/** Returns the problems of a response to an interaction. Only the platform knows whether the interaction accepts its type. */
export function callbackProblems({ type, data, files }: CallbackBody): readonly Problem[] {
  const row = callbackOf(type)
  if (row === undefined) return [{ path: ['type'], message: 'is not a valid interaction callback type; use 1, 4 to 9, 12 or 13' }]
  if (data === undefined || data === null)
    return NEEDS_DATA.has(row.name) ? [{ path: ['data'], message: `is missing: ${row.name} ${TAKES[row.data]}` }] : []
  const expected = row.data === 'changes' ? 'message' : row.data
  if (kindOf(data) !== expected) return [{ path: ['data'], message: `does not match the type: ${row.name} ${TAKES[row.data]}` }]
  return below(dataProblems(row.name, data, files))
}

function dataProblems(name: string, data: Data, files: CallbackBody['files']): readonly Problem[] {
  if ('choices' in data || 'eligible' in data) return []
  if ('title' in data) return modalProblems(data)
  if (name === 'CHANNEL_MESSAGE_WITH_SOURCE') return draftProblems({ ...data, ...(files === undefined ? {} : { files }) })
  const cannotChange = (['poll', 'tts'] as const).filter((field) => name === 'UPDATE_MESSAGE' && data[field] !== undefined)
  return [...editProblems(data), ...cannotChange.map((field) => ({ path: [field], message: 'cannot be changed in a message update' }))]
}
