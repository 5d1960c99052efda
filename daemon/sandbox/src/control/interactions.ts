/**
 * Creates interactions on demand, as if a user used a command, a component or a form, and sends them to the application: to its interactions endpoint
 * if it has one, else to its bot by the gateway.
 */
import { INTEGRATION_TYPES, type Interaction, INTERACTION_CONTEXTS, INTERACTION_TYPES, LIMITS, PERMISSIONS } from '@sallyport/protocol'
import * as z from 'zod'
import { once } from '@sallyport/core/once'
import { changesOf } from '../api/application-flags.ts'
import type { Operation } from '../api/handlers.ts'
import { expiredWrites } from '../api/interaction-lifecycle.ts'
import { channelView } from '../api/guilds.ts'
import { memberView } from '../api/members.ts'
import { messageView } from '../api/message-view.ts'
import { channelPermissions } from '../api/permissions.ts'
import { userView } from '../api/user-view.ts'
import { interactionMapper } from '../gateway/gateway-events/interactions.ts'
import type { Gateway } from '../gateway/gateway.ts'
import { ATTACHMENT_SIZE_LIMIT_MAX } from '../constants.ts'
import { hashOf, newToken } from '../oauth/tokens.ts'
import { PlatformError } from '../platform-error.ts'
import { findUser, type Platform, rememberApplication } from '../platform.ts'
import type { StoredCommand, StoredInteraction } from '../store/admin-records.ts'
import type { StoredChannel, StoredUser } from '../store/records.ts'
import { isLoopbackAddress } from '../webhooks/post.ts'

const Id = once(() => z.string().regex(/^[0-9]{1,20}$/))

export const InteractionInput = once(() =>
  z.strictObject({
    application_id: Id(),
    /** Id or username. */
    user: z.string().min(1),
    type: z.number().int().min(1).max(INTERACTION_TYPES.purchaseEligibility).default(INTERACTION_TYPES.applicationCommand),
    /** A guild channel; without it the interaction comes from direct messages. */
    channel_id: Id().optional(),
    context: z.number().int().min(0).max(2).optional(),
    /** Who installed the application: the guild, the user, or both. */
    installed: z
      .array(z.enum(['guild', 'user']))
      .min(1)
      .default(['guild']),
    /** The message of a component. */
    message_id: Id().optional(),
    command_id: Id().optional(),
    command_type: z.number().int().min(1).max(4).default(1),
    command_name: z.string().default('play'),
    custom_id: z.string().default('button'),
    /** Channels as command options. */
    channels: z.array(Id()).default([]),
    /** A guild's boosts or the user's premium raise it. */
    attachment_size_limit: z.number().int().min(1).max(ATTACHMENT_SIZE_LIMIT_MAX).default(LIMITS.attachmentBytes.value),
    answer_within_ms: z.number().int().min(1).max(LIMITS.interactionTokenMs.value).default(LIMITS.interactionResponseMs.value),
  }),
)
type Input = z.output<ReturnType<typeof InteractionInput>>

/** A bot's permissions in direct messages, and in private channels where it is no member. */
const DIRECT_PERMISSIONS = (
  PERMISSIONS.VIEW_CHANNEL.bit |
  PERMISSIONS.SEND_MESSAGES.bit |
  PERMISSIONS.READ_MESSAGE_HISTORY.bit |
  PERMISSIONS.USE_EXTERNAL_APPS.bit
).toString()

const refused = (field: string, message: string): PlatformError =>
  new PlatformError('invalidForm', { errors: { [field]: { _errors: [{ code: 'INTERACTION_INVALID', message }] } } })

/** Creates and sends an interaction. Throws as `createInteraction`. Returns what the application receives. */
export function raiseInteraction(platform: Platform, gateway: Pick<Gateway, 'publish'>, input: Input): Interaction {
  const interaction = createInteraction(platform, input)
  const address = changesOf(platform, input.application_id)['interactions_endpoint_url']
  if (typeof address !== 'string') gateway.publish(interactionMapper(interaction))
  else if (isLoopbackAddress(address)) void platform.webhooks.deliverInteraction(address, interaction)
  else platform.log.warn('sandbox-interaction-not-delivered', { application: interaction.application_id, id: interaction.id })
  return interaction
}

/** Throws unknownUser, unknownChannel, unknownMessage, unknownCommand, or invalidForm for an impossible combination. */
function createInteraction(platform: Platform, input: Input): Interaction {
  const { store, ids, clock } = platform
  const user = findUser(platform, input.user)
  if (user === undefined) throw new PlatformError('unknownUser')
  const channel = input.channel_id === undefined ? undefined : guildChannel(platform, input.channel_id)
  const context = input.context ?? (channel === undefined ? INTERACTION_CONTEXTS.botDm : INTERACTION_CONTEXTS.guild)
  if ((context === INTERACTION_CONTEXTS.guild) !== (channel !== undefined))
    throw refused('context', 'A channel_id and the context 0 go together.')
  if (input.message_id !== undefined && store.channelMessages.get(input.message_id) === undefined) throw new PlatformError('unknownMessage')
  const command = input.command_id === undefined ? undefined : commandFor(platform, input, context)
  const token = newToken()
  const interaction: StoredInteraction = {
    id: ids.next(),
    applicationId: input.application_id,
    tokenHash: hashOf(token),
    type: input.type,
    userId: user.id,
    guildId: channel?.guildId ?? null,
    channelId: channel?.id ?? ids.next(),
    owners: ownersOf(input, user, channel),
    createdAt: clock.now(),
    attachmentSizeLimit: input.attachment_size_limit,
    answerWithinMs: input.answer_within_ms,
    answeredBy: null,
    originalId: input.message_id ?? null,
    isDeferred: false,
    followupIds: [],
  }
  store.commit([
    ...expiredWrites(platform),
    ...rememberApplication(platform, input.application_id),
    store.interactions.put(interaction.id, interaction),
  ])
  return view(platform, interaction, { input, user, channel, context, command, token })
}

function guildChannel({ store }: Platform, id: string): StoredChannel {
  const channel = store.channels.get(id)
  if (channel === undefined) throw new PlatformError('unknownChannel')
  return channel
}

/** The command, if it is available in this context and installation. */
function commandFor({ store }: Platform, { command_id = '', application_id, installed }: Input, context: number): StoredCommand {
  const command = store.commands.get(command_id)
  if (command === undefined || command.applicationId !== application_id) throw new PlatformError('unknownCommand')
  const { contexts, integration_types: types } = command.body as {
    readonly contexts?: readonly number[] | null
    readonly integration_types?: readonly number[] | null
  }
  if (Array.isArray(contexts) && !contexts.includes(context)) throw refused('context', 'The command is not available in this context.')
  if (Array.isArray(types) && !installed.some((one) => types.includes(INTEGRATION_TYPES[one])))
    throw refused('installed', 'The command is not available for this installation.')
  return command
}

/** The guild is 0 in direct messages with the bot. */
const ownersOf = ({ installed }: Input, user: StoredUser, channel: StoredChannel | undefined): Record<string, string> =>
  Object.fromEntries(installed.map((one) => [String(INTEGRATION_TYPES[one]), one === 'user' ? user.id : (channel?.guildId ?? '0')]))

interface ViewInput {
  readonly input: Input
  readonly user: StoredUser
  readonly channel: StoredChannel | undefined
  readonly context: number
  readonly command: StoredCommand | undefined
  readonly token: string
}

function view(
  platform: Platform,
  interaction: StoredInteraction,
  { input, user, channel, context, command, token }: ViewInput,
): Interaction {
  const { store } = platform
  const { id, applicationId, type, owners, guildId, channelId } = interaction
  const guild = store.guilds.get(guildId ?? '')
  const message = store.channelMessages.get(input.message_id ?? '')
  const operation: Operation = { platform, caller: { kind: 'bot', id: applicationId, applicationId }, files: [] }
  const bits = (one: StoredChannel): string | undefined => permissionsIn(platform, one, applicationId, user)
  return {
    id,
    application_id: applicationId,
    type,
    token,
    version: 1,
    ...(type === INTERACTION_TYPES.ping ? {} : { data: dataOf(platform, input, command) }),
    ...(guild === undefined
      ? {}
      : { guild: { id: guild.id, locale: 'en-US', features: [...guild.features] }, guild_id: guild.id, guild_locale: 'en-US' }),
    channel_id: channelId,
    channel: channel === undefined ? { id: channelId, type: context === INTERACTION_CONTEXTS.botDm ? 1 : 3 } : channelView(channel),
    ...(guild === undefined ? { user: userView(operation.platform, user) } : { member: memberView(operation, guild, user.id) }),
    ...(message === undefined ? {} : { message: messageView(platform, message) }),
    locale: user.locale,
    app_permissions: channel === undefined ? DIRECT_PERMISSIONS : (bits(channel) ?? '0'),
    entitlements: [],
    authorizing_integration_owners: owners,
    context,
    attachment_size_limit: input.attachment_size_limit,
  }
}

/** The bot's permissions in the channel; those of the user where the bot is no member. */
function permissionsIn(platform: Platform, channel: StoredChannel, applicationId: string, user: StoredUser): string | undefined {
  const guild = platform.store.guilds.get(channel.guildId)
  if (guild === undefined) return undefined
  const own = channelPermissions(platform, guild, channel, { kind: 'bot', id: applicationId })
  return (own ?? channelPermissions(platform, guild, channel, { kind: 'user', id: user.id }))?.toString()
}

function dataOf(platform: Platform, input: Input, command: StoredCommand | undefined): NonNullable<Interaction['data']> {
  if (input.type === INTERACTION_TYPES.messageComponent) return { custom_id: input.custom_id, component_type: 2 }
  if (input.type === INTERACTION_TYPES.modalSubmit) return { custom_id: input.custom_id, components: [] }
  return {
    id: command?.id ?? platform.ids.next(),
    name: command?.name ?? input.command_name,
    type: command?.type ?? input.command_type,
    options: input.channels.map((value, index) => ({ type: 7, name: `channel${index}`, value })),
    ...(input.channels.length === 0 ? {} : { resolved: { channels: resolvedChannels(platform, input) } }),
  }
}

/** With the permissions of the application where its bot is a member. */
function resolvedChannels(platform: Platform, { channels, application_id }: Input) {
  return Object.fromEntries(
    channels.map((id) => {
      const channel = guildChannel(platform, id)
      const guild = platform.store.guilds.get(channel.guildId)
      const bits = guild === undefined ? undefined : channelPermissions(platform, guild, channel, { kind: 'bot', id: application_id })
      return [id, { ...channelView(channel), ...(bits === undefined ? {} : { app_permissions: bits.toString() }) }]
    }),
  )
}
