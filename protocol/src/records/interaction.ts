/** Interactions: what the platform tells an application when somebody uses a command, a component or a form of it, and what it answers. */
import * as z from 'zod'
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

/** Where an interaction was used. */
export const INTERACTION_CONTEXTS = { guild: 0, botDm: 1, privateChannel: 2 } as const
/** How an application came to be there. */
export const INTEGRATION_TYPES = { guild: 0, user: 1 } as const

const ResolvedChannel = Channel.extend({
  app_permissions: BitFieldText.optional().meta({
    description: "The bot's permissions in the channel; only when the application's bot is in the guild.",
  }),
})

const ResolvedData = tolerant({
  users: z.record(z.string(), User).optional(),
  members: z.record(z.string(), Member.partial()).optional(),
  roles: z.record(z.string(), Role).optional(),
  channels: z.record(z.string(), ResolvedChannel).optional(),
  messages: z.record(z.string(), Message.partial()).optional(),
  attachments: z.record(z.string(), Attachment).optional(),
})

const InteractionData = tolerant({
  id: Snowflake.optional(),
  name: z.string().optional(),
  type: z.number().int().optional().meta({ description: 'Of a command: its type.' }),
  options: z.array(z.unknown()).optional(),
  guild_id: Snowflake.optional(),
  target_id: Snowflake.optional(),
  custom_id: z.string().optional(),
  component_type: z.number().int().optional(),
  values: z.array(z.string()).optional(),
  components: z.array(z.unknown()).optional(),
  resolved: ResolvedData.optional(),
})

export const Interaction = tolerant({
  id: Snowflake,
  application_id: Snowflake,
  type: z.number().int().meta({ description: '1 ping, 2 command, 3 component, 4 autocomplete, 5 form' }),
  data: InteractionData.optional(),
  guild: tolerant({ id: Snowflake }).optional(),
  guild_id: Snowflake.optional(),
  channel: ResolvedChannel.partial().optional(),
  channel_id: Snowflake.optional(),
  member: Member.optional(),
  user: User.optional(),
  token: z.string().meta({ description: 'Answers the interaction for 15 minutes. A secret.' }),
  version: z.literal(1),
  message: Message.optional(),
  app_permissions: BitFieldText.meta({ description: 'What the application may do where it answers.' }),
  locale: z.string().optional(),
  guild_locale: z.string().optional(),
  entitlements: z.array(Entitlement),
  authorizing_integration_owners: z.record(z.string(), z.string()).meta({
    description: 'By installation context: "0" the guild ("0" in direct messages with the bot), "1" the user.',
  }),
  context: z.number().int().optional().meta({ description: '0 guild, 1 direct messages with the bot, 2 other private channels' }),
  attachment_size_limit: z.number().int().meta({ description: 'Bytes of an attachment of an answer.' }),
}).meta({ id: 'Interaction', description: 'Somebody used a command, a component or a form of the application.' })
export type Interaction = z.output<typeof Interaction>

/** What an answer became, when it is asked for with with_response. */
export const InteractionCallback = tolerant({
  interaction: tolerant({
    id: Snowflake,
    type: z.number().int(),
    activity_instance_id: z.string().nullish(),
    response_message_id: Snowflake.nullish(),
    response_message_loading: z.boolean().nullish(),
    response_message_ephemeral: z.boolean().nullish(),
  }),
  resource: tolerant({
    type: z.number().int(),
    activity_instance: tolerant({ id: z.string() }).nullish(),
    message: Message.nullish(),
  }).nullish(),
}).meta({ id: 'InteractionCallback', description: 'What the answer to an interaction became.' })
export type InteractionCallback = z.output<typeof InteractionCallback>

/** The secret that answers an interaction. */
export const InteractionToken = text(1, LIMITS.interactionToken.value).meta({
  id: 'InteractionToken',
  description: 'Token of the interaction, good for 15 minutes. A secret.',
})

/** What a message that answers an interaction is written with. */
export const ANSWER_BODY = { ...EDIT_BODY, tts: CREATE_BODY.tts, poll: CREATE_BODY.poll }
/** What it is edited with. A poll can be added to an answer that was only promised so far. */
export const ANSWER_CHANGES = { ...EDIT_BODY, poll: CREATE_BODY.poll }

const CommandChoice = z.strictObject({
  name: text(1, LIMITS.commandDescription.value),
  name_localizations: z.record(z.string(), text(1, LIMITS.commandDescription.value)).nullish(),
  value: z.union([z.string().max(LIMITS.commandChoiceText.value), z.number()]),
})
const Choices = z.strictObject({ choices: z.array(CommandChoice).max(LIMITS.commandChoices.value) })

export const CALLBACK_BODY = {
  type: z.number().int().meta({
    description:
      '1 PONG, 4 message, 5 message later, 6 changes later, 7 changes, 8 choices, 9 form, 12 start the activity. 10 is refused: it is deprecated.',
  }),
  data: z.union([Choices, ModalInput, z.strictObject(ANSWER_BODY)]).nullish(),
}

interface Problem {
  readonly path: readonly (string | number)[]
  readonly message: string
}
type CallbackBody = z.output<z.ZodObject<typeof CALLBACK_BODY & typeof FILES_BODY>>
type Data = NonNullable<CallbackBody['data']>

const kindOf = (data: Data): 'choices' | 'modal' | 'message' => ('choices' in data ? 'choices' : 'title' in data ? 'modal' : 'message')

/** What each callback takes, in words. */
const TAKES = {
  none: 'takes no data',
  message: 'takes a message: content, embeds, components and the like',
  changes: 'takes changes of a message: content, embeds, components and the like',
  choices: 'takes choices',
  modal: 'takes a form: custom_id, title and components',
} as const

/** Answers without which there is nothing to show. */
const NEEDS_DATA: ReadonlySet<string> = new Set(['CHANNEL_MESSAGE_WITH_SOURCE', 'APPLICATION_COMMAND_AUTOCOMPLETE_RESULT', 'MODAL'])

const below = (problems: readonly Problem[]): Problem[] => problems.map(({ path, message }) => ({ path: ['data', ...path], message }))

/** What is wrong in an answer to an interaction. Whether the interaction accepts it at all is known to the platform alone. */
export function callbackProblems({ type, data, files }: CallbackBody): readonly Problem[] {
  const row = callbackOf(type)
  if (row === undefined) return [{ path: ['type'], message: 'is no way to answer an interaction; use 1, 4 to 9 or 12' }]
  if (row.deprecated !== undefined) return [{ path: ['type'], message: `${row.name} is deprecated; ${row.deprecated}` }]
  if (data === undefined || data === null)
    return NEEDS_DATA.has(row.name) ? [{ path: ['data'], message: `is missing: ${row.name} ${TAKES[row.data]}` }] : []
  const wanted = row.data === 'changes' ? 'message' : row.data
  if (kindOf(data) !== wanted) return [{ path: ['data'], message: `does not fit: ${row.name} ${TAKES[row.data]}` }]
  return below(dataProblems(row.name, data, files))
}

function dataProblems(name: string, data: Data, files: CallbackBody['files']): readonly Problem[] {
  if ('choices' in data) return []
  if ('title' in data) return modalProblems(data)
  if (name === 'CHANNEL_MESSAGE_WITH_SOURCE') return draftProblems({ ...data, ...(files === undefined ? {} : { files }) })
  const cannotChange = (['poll', 'tts'] as const).filter((field) => name === 'UPDATE_MESSAGE' && data[field] !== undefined)
  return [...editProblems(data), ...cannotChange.map((field) => ({ path: [field], message: 'cannot be changed in a message' }))]
}
