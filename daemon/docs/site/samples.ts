/** One call, and one subscription, in each language that has a client. The names are those of `codegen`. Pure. */
import { lowerSnake, pascal } from '../../../protocol/codegen/emit/names.ts'
import type { Json, JsonObject } from '@sallyport/protocol'

export interface Sample {
  /** What the tab says. */
  readonly language: string
  /** How the code block is marked. */
  readonly fence: string
  readonly code: string
}

/** How a language writes values. */
interface Literals {
  readonly text: (text: string) => string
  readonly words: { readonly true: string; readonly false: string; readonly null: string }
  readonly list: (items: readonly string[]) => string
  readonly object: (fields: readonly (readonly [name: string, value: string])[]) => string
}

const single = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`
const double = (text: string): string => JSON.stringify(text)
const SCRIPT_WORDS = { true: 'true', false: 'false', null: 'null' }
const colons = (fields: readonly (readonly [string, string])[]): string =>
  fields.length === 0 ? '{}' : `{${fields.map(([name, value]) => `${double(name)}: ${value}`).join(', ')}}`
const brackets = (items: readonly string[]): string => `[${items.join(', ')}]`

const TYPESCRIPT: Literals = {
  text: single,
  words: SCRIPT_WORDS,
  list: brackets,
  object: (fields) => (fields.length === 0 ? '{}' : `{ ${fields.map(([name, value]) => `${name}: ${value}`).join(', ')} }`),
}
const PYTHON: Literals = { text: double, words: { true: 'True', false: 'False', null: 'None' }, list: brackets, object: colons }
const GDSCRIPT: Literals = { text: double, words: SCRIPT_WORDS, list: brackets, object: colons }
const LUA: Literals = {
  text: single,
  words: { true: 'true', false: 'false', null: 'sallyport.null' },
  list: (items) => `{ ${items.join(', ')} }`,
  object: (fields) => (fields.length === 0 ? '{}' : `{ ${fields.map(([name, value]) => `${name} = ${value}`).join(', ')} }`),
}
const CSHARP: Literals = {
  text: double,
  words: SCRIPT_WORDS,
  list: (items) => `new List<object> { ${items.join(', ')} }`,
  object: (fields) =>
    fields.length === 0
      ? 'new JsonObject()'
      : `new JsonObject { ${fields.map(([name, value]) => `{ ${double(name)}, ${value} }`).join(', ')} }`,
}

function literal(value: Json, by: Literals): string {
  if (value === null || typeof value === 'boolean') return by.words[`${value}`]
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return by.text(value)
  if (Array.isArray(value)) return by.list(value.map((item: Json) => literal(item, by)))
  return by.object(Object.entries(value as JsonObject).map(([name, field]) => [name, literal(field, by)]))
}

const isEmpty = (args: JsonObject): boolean => Object.keys(args).length === 0
/** C has no literal for objects: JSON in a text. */
const cText = (args: JsonObject): string => (isEmpty(args) ? 'NULL' : double(JSON.stringify(args)))
const rawText = (args: JsonObject): string => `R"(${JSON.stringify(args)})"`
const shellText = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** The command `name` in each language. */
export const callSamples = (name: string, args: JsonObject): readonly Sample[] => [
  {
    language: 'TypeScript',
    fence: 'ts',
    code: `const result = await client.call('${name}', ${literal(args, TYPESCRIPT)})`,
  },
  {
    language: 'C',
    fence: 'c',
    code: `sallyport_call(client, SALLYPORT_COMMAND_${name}, ${cText(args)}, on_result, NULL);`,
  },
  {
    language: 'C++',
    fence: 'cpp',
    code: [
      `client.call(sallyport::commands::${lowerSnake(name)},${isEmpty(args) ? '' : ` ${rawText(args)},`} [](const sallyport::Answer &answer) {`,
      '  if (!answer) std::cerr << answer.error.message << std::endl;',
      '});',
    ].join('\n'),
  },
  {
    language: 'C#',
    fence: 'csharp',
    code: `var result = await client.CallAsync(Commands.${pascal(name)}, ${literal(args, CSHARP)});`,
  },
  {
    language: 'Lua',
    fence: 'lua',
    code: `local result, problem = client:call(sallyport.commands.${name}, ${literal(args, LUA)})`,
  },
  {
    language: 'Python',
    fence: 'python',
    code: `result = await client.commands.${lowerSnake(name)}(${isEmpty(args) ? '' : literal(args, PYTHON)})`,
  },
  {
    language: 'Godot',
    fence: 'gdscript',
    code: `var done: SallyportCall = await bridge.request(SallyportProtocol.COMMAND_${name}, ${literal(args, GDSCRIPT)}).completed`,
  },
  {
    language: 'Shell',
    fence: 'sh',
    code: `sallyport call ${name}${isEmpty(args) ? '' : ` ${shellText(JSON.stringify(args))}`}`,
  },
  { language: 'Frame', fence: 'json', code: JSON.stringify({ cmd: name, nonce: '1', args }) },
]

/** A subscription to the event `name` in each language. */
export const eventSamples = (name: string, args: JsonObject): readonly Sample[] => [
  {
    language: 'TypeScript',
    fence: 'ts',
    code: `client.on('${name}', ${isEmpty(args) ? '' : `${literal(args, TYPESCRIPT)}, `}(data) => console.log(data))`,
  },
  {
    language: 'C',
    fence: 'c',
    code: `sallyport_subscribe(client, SALLYPORT_EVENT_${name}, ${cText(args)}, on_event, NULL);`,
  },
  {
    language: 'C++',
    fence: 'cpp',
    code: [
      `const auto subscription = client.subscribe(sallyport::events::${lowerSnake(name)},${isEmpty(args) ? '' : ` ${rawText(args)},`} [](const sallyport::Event &event) {`,
      '  std::cout << event.name << std::endl;',
      '});',
    ].join('\n'),
  },
  {
    language: 'C#',
    fence: 'csharp',
    code: `client.Subscribe(Events.${pascal(name)}, data => Console.WriteLine(Json.Write(data))${isEmpty(args) ? '' : `, ${literal(args, CSHARP)}`});`,
  },
  {
    language: 'Lua',
    fence: 'lua',
    code: `client:subscribe(sallyport.events.${name}, function(data) print(data) end${isEmpty(args) ? '' : `, ${literal(args, LUA)}`})`,
  },
  {
    language: 'Python',
    fence: 'python',
    code: `client.events.${lowerSnake(name)}(print${isEmpty(args) ? '' : `, ${literal(args, PYTHON)}`})`,
  },
  {
    language: 'Godot',
    fence: 'gdscript',
    code: `bridge.subscribe(SallyportProtocol.EVENT_${name}${isEmpty(args) ? '' : `, ${literal(args, GDSCRIPT)}`})`,
  },
  { language: 'Frame', fence: 'json', code: JSON.stringify({ cmd: 'SUBSCRIBE', nonce: '1', evt: name, args }) },
]
