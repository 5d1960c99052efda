/** Arguments for the sample of a call: what the command requires, with values that its schema accepts. Pure. */
import type { DocumentDefinitions, DocumentSchema, Json, JsonObject } from '@sallyport/protocol'

const TEXT = 'text'

/** Values that patterns and rules accept, by what a field is called or which record it is. */
const KNOWN: Readonly<Record<string, Json>> = {
  Snowflake: '1180000000000000042',
  BitFieldText: '8',
  IsoTime: '2030-01-01T18:00:00+00:00',
  CommandInput: { name: 'dock', description: 'Dock the ship' },
  FileInput: { path: '/tmp/ship.png' },
  image: 'data:image/png;base64,iVBORw0KGgo=',
  sound: 'data:audio/ogg;base64,T2dnUw==',
  upload_id: '5f2f6a3e-9d0b-4c57-8a53-0e6a7d1c2b94',
  code_verifier: 'a'.repeat(43),
  code_challenge: 'a'.repeat(43),
}

const MESSAGE = { content: 'Ahoy' }
const COMMAND = { name: 'dock', description: 'Dock the ship' }
/** What a call needs besides by rules that no schema states, or what a game would send although nothing is required. */
const MORE: Readonly<Record<string, JsonObject>> = {
  AUTHORIZE: { scopes: ['openid', 'sdk.social_layer'] },
  CREATE_FOLLOWUP_MESSAGE: MESSAGE,
  CREATE_GLOBAL_APPLICATION_COMMAND: COMMAND,
  CREATE_GUILD_APPLICATION_COMMAND: COMMAND,
  CREATE_GUILD_SCHEDULED_EVENT: { channel_id: '1180000000000000043' },
  CREATE_MESSAGE: MESSAGE,
  CREATE_OR_JOIN_LOBBY: { secret: 'pier-9' },
  REQUEST_GUILD_MEMBERS: { query: 'ada' },
  SEND_ACTIVITY_MESSAGE: { activity: { type: 1, session_id: 'session' } },
  SEND_LOBBY_MESSAGE: MESSAGE,
  SET_ACTIVITY: { pid: 4711, activity: { details: 'Unloading the Copper Wren' } },
}

function valueOf(schema: DocumentSchema, name: string, definitions: DocumentDefinitions): Json {
  if (schema.$ref !== undefined) {
    const record = schema.$ref.slice('#/$defs/'.length)
    const found = definitions[record]
    if (found === undefined) throw new Error(`protocol.json has no record ${record}`)
    return KNOWN[record] ?? valueOf(found, name, definitions)
  }
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0] ?? null
  if (schema.anyOf !== undefined) return valueOf(schema.anyOf.find(({ type }) => type !== 'null') ?? {}, name, definitions)
  switch ([schema.type].flat()[0]) {
    case 'string':
      return KNOWN[name] ?? TEXT.padEnd(schema.minLength ?? 0, '.')
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 1, 1)
    case 'boolean':
      return true
    case 'array':
      return Array.from({ length: Math.max(schema.minItems ?? 1, 1) }, () => valueOf(schema.items ?? {}, name, definitions))
    case 'object':
      return requiredOf(schema, definitions)
    default:
      return null
  }
}

const requiredOf = ({ properties = {}, required = [] }: DocumentSchema, definitions: DocumentDefinitions): JsonObject =>
  Object.fromEntries(required.map((name) => [name, valueOf(properties[name] ?? {}, name, definitions)]))

/** The arguments for the command or event of this name. */
export const argumentsOf = (name: string, schema: DocumentSchema, definitions: DocumentDefinitions): JsonObject => ({
  ...requiredOf(schema.anyOf?.find(({ type }) => type === 'object') ?? schema, definitions),
  ...MORE[name],
})
