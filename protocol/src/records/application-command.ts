/** Commands of applications: types, fields, and rules that a schema cannot express. */
import * as z from 'zod'
import { once } from '../once.ts'
import { LIMITS } from '../limits.ts'
import { FileTypes } from './file.ts'
import { BitFieldText, Snowflake, text, tolerant, wholeNumber } from '../schema/index.ts'

/** Types of commands. An entry point starts the activity of the application. */
export const COMMAND_TYPES = { chatInput: 1, user: 2, message: 3, primaryEntryPoint: 4 } as const
/** Handler of an entry point: the application, or the platform, which starts the activity itself. */
export const ENTRY_POINT_HANDLERS = { appHandler: 1, platformLaunchActivity: 2 } as const
const OPTION_TYPES = { subcommand: 1, subcommandGroup: 2 } as const

interface TypeRule {
  readonly named: string
  /** Maximum number per application, globally or per guild. */
  readonly most: keyof typeof LIMITS
  /** Whether it has a description. */
  readonly isDescribed: boolean
  readonly hasOptions: boolean
}

/** Rules per type. */
export const COMMAND_TYPE_RULES: Readonly<Record<number, TypeRule>> = {
  [COMMAND_TYPES.chatInput]: { named: 'CHAT_INPUT', most: 'chatInputCommands', isDescribed: true, hasOptions: true },
  [COMMAND_TYPES.user]: { named: 'USER', most: 'contextMenuCommands', isDescribed: false, hasOptions: false },
  [COMMAND_TYPES.message]: { named: 'MESSAGE', most: 'contextMenuCommands', isDescribed: false, hasOptions: false },
  [COMMAND_TYPES.primaryEntryPoint]: { named: 'PRIMARY_ENTRY_POINT', most: 'entryPointCommands', isDescribed: true, hasOptions: false },
}

const Name = once(() => text(1, LIMITS.commandName.value))
const Described = once(() => text(1, LIMITS.commandDescription.value))
const localized = (what: z.ZodString) => z.record(z.string(), what).nullish().meta({ description: 'By locale.' })

const NAMED = once(() => ({
  name: Name(),
  name_localizations: localized(Name()),
  description: Described(),
  description_localizations: localized(Described()),
}))
const choice = (value: z.ZodType) =>
  z
    .array(z.strictObject({ name: Described(), name_localizations: localized(Described()), value }))
    .max(LIMITS.commandChoices.value)
    .nullish()
const option = <const Type extends number, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.strictObject({ type: z.literal(type), ...NAMED(), required: z.boolean().nullish(), ...shape })
const autocomplete = once(() => z.boolean().nullish().meta({ description: 'The application returns choices while the user types.' }))
const safeInteger = once(() => wholeNumber(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER))

const options = <Option extends z.ZodType>(one: Option) => z.array(one).max(LIMITS.commandOptions.value).nullish()

const CommandValueOption = once(() =>
  z
    .discriminatedUnion('type', [
      option(3, {
        choices: choice(z.string().max(LIMITS.commandChoiceText.value)),
        min_length: wholeNumber(0, LIMITS.commandChoiceText.value).nullish(),
        max_length: wholeNumber(1, LIMITS.commandChoiceText.value).nullish(),
        autocomplete: autocomplete(),
      }),
      option(4, {
        choices: choice(safeInteger()),
        min_value: safeInteger().nullish(),
        max_value: safeInteger().nullish(),
        autocomplete: autocomplete(),
      }),
      option(5, {}),
      option(6, {}),
      option(7, { channel_types: z.array(z.number().int().min(0)).nullish() }),
      option(8, {}),
      option(9, {}),
      option(10, {
        choices: choice(z.number()),
        min_value: z.number().nullish(),
        max_value: z.number().nullish(),
        autocomplete: autocomplete(),
      }),
      option(11, { file_types: FileTypes().nullish() }),
    ])
    .meta({ id: 'CommandValueOption', description: 'An option with a value.' }),
)

const CommandSubcommand = once(() =>
  option(OPTION_TYPES.subcommand, { options: options(CommandValueOption()) }).meta({
    id: 'CommandSubcommand',
    description: 'An option that is a subcommand.',
  }),
)

const CommandOption = once(() =>
  z
    .discriminatedUnion('type', [
      CommandSubcommand(),
      option(OPTION_TYPES.subcommandGroup, { options: options(CommandSubcommand()) }),
      CommandValueOption(),
    ])
    .meta({ id: 'CommandOption', description: 'An option of a command.' }),
)

/** All permission bits up to 53; the platform accepts them as a number. */
const PERMISSION_BITS_MAX = 2 ** 54 - 1

const CHANGEABLE = once(() => ({
  name_localizations: localized(Name()),
  description: z.string().max(LIMITS.commandDescription.value).nullish(),
  description_localizations: localized(Described()),
  options: options(z.lazy(CommandOption)),
  default_member_permissions: z.union([BitFieldText(), wholeNumber(0, PERMISSION_BITS_MAX)]).nullish(),
  dm_permission: z.boolean().nullish().meta({ description: 'Deprecated; use contexts.' }),
  contexts: z
    .array(z.literal([0, 1, 2]))
    .min(1)
    .max(3)
    .nullish()
    .meta({ description: 'Contexts in which it can be used: 0 guilds, 1 direct messages with the bot, 2 other private channels.' }),
  integration_types: z
    .array(z.literal([0, 1]))
    .min(1)
    .max(2)
    .nullish()
    .meta({ description: 'Installation contexts: 0 guild, 1 user.' }),
  handler: z.literal(Object.values(ENTRY_POINT_HANDLERS)).nullish().meta({
    description: 'Entry points only: 1 the application handles it, 2 the platform starts the activity.',
  }),
  nsfw: z.boolean().nullish(),
}))

/** Fields of a new command. */
export const COMMAND_BODY = once(() => ({
  name: Name(),
  type: z.literal([1, 2, 3, 4]).nullish().meta({ description: '1 chat input (default), 2 user, 3 message, 4 entry point' }),
  ...CHANGEABLE(),
}))
/** Fields of an update; the type cannot change. */
export const COMMAND_CHANGES = once(() => ({ name: Name().optional(), ...CHANGEABLE() }))

export const CommandInput = once(() =>
  z
    .strictObject({ ...COMMAND_BODY(), id: Snowflake().nullish() })
    .meta({ id: 'CommandInput', description: 'A command; it replaces the command with the same name and type.' }),
)
export type CommandInput = z.output<ReturnType<typeof CommandInput>>

export const ApplicationCommand = once(() =>
  tolerant({
    id: Snowflake(),
    application_id: Snowflake(),
    guild_id: Snowflake().optional(),
    type: z.number().int(),
    name: z.string(),
    name_localized: z.string().optional(),
    name_localizations: z.record(z.string(), z.string()).nullish(),
    description: z.string(),
    description_localized: z.string().optional(),
    description_localizations: z.record(z.string(), z.string()).nullish(),
    options: z.array(z.unknown()).optional(),
    default_member_permissions: BitFieldText().nullable(),
    dm_permission: z.boolean().optional().meta({ description: 'Deprecated; read contexts.' }),
    contexts: z.array(z.number().int()).nullish(),
    integration_types: z.array(z.number().int()).optional(),
    handler: z.number().int().optional(),
    nsfw: z.boolean().optional(),
    version: Snowflake(),
  }).meta({ id: 'ApplicationCommand', description: 'A command of an application.' }),
)
export type ApplicationCommand = z.output<ReturnType<typeof ApplicationCommand>>
