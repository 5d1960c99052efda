/**
 * Emits parsers of the schemas that most games need, as zod compiles them. With them, a daemon answers without making these schemas. Others
 * stay as they are: the text of a large schema, such as that of CREATE_MESSAGE (200 KB), takes longer to load than the schema takes to make.
 */
import * as z from 'zod'
import { COMMANDS, ENDPOINTS, EVENTS } from '../../src/index.ts'
import { isCustomSchemeOrEmpty } from '../../src/custom-scheme.ts'
import { isMessageMetadata, isMetadata } from '../../src/records/lobby.ts'
import { NOTICE } from './text.ts'

const COMMAND_NAMES = [
  'ACTIVITY_INVITE_USER',
  'AUTHENTICATE',
  'AUTHORIZE',
  'CLOSE_ACTIVITY_JOIN_REQUEST',
  'CLOSE_ACTIVITY_REQUEST',
  'CREATE_OR_JOIN_LOBBY',
  'GET_RELATIONSHIPS',
  'GET_TOKEN',
  'LEAVE_LOBBY',
  'SEND_ACTIVITY_JOIN_INVITE',
  'SEND_LOBBY_MESSAGE',
  'SET_ACTIVITY',
  'SUBSCRIBE',
  'UNSUBSCRIBE',
] as const satisfies readonly (keyof typeof COMMANDS)[]

/** Their responses, those of calls that the daemon makes when a game signs in, and the lists that games read most. */
const ENDPOINT_NAMES = [
  'CREATE_OR_JOIN_LOBBY',
  'GET_CURRENT_AUTHORIZATION_INFORMATION',
  'GET_CURRENT_USER',
  'GET_CURRENT_USER_GUILDS',
  'GET_GUILD_CHANNELS',
  'GET_LOBBY_MESSAGES',
  'LEAVE_LOBBY',
  'SEND_LOBBY_MESSAGE',
] as const satisfies readonly (keyof typeof ENDPOINTS)[]

/** Schemas by the place that `row-parser.ts` asks for. All events, since they have a few small schemas in common. */
export const PARSED: Readonly<Record<string, z.ZodType>> = {
  ...Object.fromEntries(COMMAND_NAMES.map((name) => [`COMMANDS.${name}.args`, COMMANDS[name].args])),
  ...Object.fromEntries(ENDPOINT_NAMES.map((name) => [`ENDPOINTS.${name}.response`, ENDPOINTS[name].response])),
  ...Object.fromEntries(Object.values(EVENTS).map(({ name, args }) => [`EVENTS.${name}.args`, args])),
}

/** Functions of the tables that a compiled schema calls, with their modules. */
const OF_TABLES: ReadonlyMap<unknown, { readonly name: string; readonly module: string }> = new Map<
  unknown,
  { name: string; module: string }
>([
  [isCustomSchemeOrEmpty, { name: 'isCustomSchemeOrEmpty', module: '../custom-scheme.ts' }],
  [isMessageMetadata, { name: 'isMessageMetadata', module: '../records/lobby.ts' }],
  [isMetadata, { name: 'isMetadata', module: '../records/lobby.ts' }],
])

/** Functions of zod that a compiled schema calls, by their name there. They are written out, so that zod is not loaded. */
const OF_ZOD: Readonly<Record<string, string>> = {
  codePointLength: `const highSurrogate = /[\\uD800-\\uDBFF]/\n${z.core.util.codePointLength.toString()}`,
  isPlainObject: `${z.core.util.isObject.toString()}\n${z.core.util.isPlainObject.toString()}`,
  throwAsync: "function throwAsync() {\n  throw new Error('a check returned a promise')\n}",
}

interface Compiled {
  /** Body of the function; its parameter is `input`. */
  readonly code: string
  /** What the body names, by name. */
  readonly constants: readonly (readonly [string, unknown])[]
}

/** zod gives the text of a compiled schema, but its constants only to `Function`; so that is replaced for the time of the call. */
function compiled(schema: z.ZodType): Compiled {
  const { Function: real } = globalThis
  let constants: Compiled['constants'] = []
  globalThis.Function = function record(...texts: readonly string[]) {
    const factory = real(...texts) as (...values: readonly unknown[]) => unknown
    return (...values: readonly unknown[]) => {
      constants = texts.slice(0, -1).map((name, index) => [name, values[index]] as const)
      return factory(...values)
    }
  } as unknown as FunctionConstructor
  try {
    const { code = '' } = z.core.compileFn(schema, { debug: true })
    return { code: code.slice(code.indexOf('\n') + 1), constants: constants.filter(([name]) => name !== 'INVALID') }
  } finally {
    globalThis.Function = real
  }
}

/** What the texts of all parsers use. */
interface Needs {
  readonly imports: Map<string, Set<string>>
  readonly ofZod: Set<string>
}

/** The expression of a constant. Throws for one that cannot be written. */
function expressionOf(value: unknown, needs: Needs): string {
  if (value instanceof RegExp) return value.toString()
  if (value instanceof Set) return `new Set(${JSON.stringify([...value])})`
  if (value === Object.prototype.propertyIsEnumerable) return 'Object.prototype.propertyIsEnumerable'
  if (typeof value !== 'function') throw new Error(`a constant of a compiled schema cannot be written: ${String(value)}`)
  const own = OF_TABLES.get(value)
  if (own !== undefined) {
    needs.imports.set(own.module, (needs.imports.get(own.module) ?? new Set()).add(own.name))
    return own.name
  }
  if (OF_ZOD[value.name] === undefined) throw new Error(`a compiled schema calls the function ${value.name}, which has no name to import`)
  needs.ofZod.add(value.name)
  return value.name
}

/** A function that makes the parser, so that its patterns and sets are made when it is first used. */
function makerOf(schema: z.ZodType, needs: Needs): string {
  const { code, constants } = compiled(schema)
  const declared = constants.map(([name, value]) => `  const ${name} = ${expressionOf(value, needs)}`)
  const body = code.split('\n').map((line) => `    ${line}`)
  return ['() => {', ...declared, '  return (input) => {', ...body, '  }', '}'].join('\n')
}

/** The file `protocol/src/generated/parsers.ts`. */
export function emitParsers(): string {
  const needs: Needs = { imports: new Map(), ofZod: new Set() }
  const names = new Map<string, string>()
  const places = Object.entries(PARSED).map(([place, schema]) => {
    const maker = makerOf(schema, needs)
    const name = names.get(maker) ?? `parser${names.size}`
    names.set(maker, name)
    return `  ${JSON.stringify(place)}: ${name},`
  })
  return [
    `// ${NOTICE} zod compiled these parsers of schemas of the tables.`,
    '// @ts-nocheck',
    ...[...needs.imports].map(([module, imported]) => `import { ${[...imported].toSorted().join(', ')} } from '${module}'`),
    "import { type GeneratedParser, INVALID } from '../parser.ts'",
    '',
    ...[...needs.ofZod].toSorted().map((name) => OF_ZOD[name] ?? ''),
    '',
    ...[...names].map(([maker, name]) => `const ${name} = ${maker}\n`),
    '/** Makers of parsers, by table, row and field. */',
    'export const PARSERS: Readonly<Record<string, () => GeneratedParser>> = {',
    ...places,
    '}',
    '',
  ].join('\n')
}
