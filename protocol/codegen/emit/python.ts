/** Emits the protocol for Python: constants, the types of all values, and the typed calls of both clients. */
import type { JsonSchema } from '../json-schema.ts'
import type { EndpointCommand, Model, OwnCommand } from '../model.ts'
import {
  CLOSE_CODES_SENTENCE,
  closeCodes,
  commands,
  type Constant,
  CONTRACT_VERSION_SENTENCE,
  defaultScopes,
  ERRORS_SENTENCE,
  errorCodes,
  events,
  KEYED_COMMANDS_SENTENCE,
  keyedCommands,
  limits,
  OPCODES_SENTENCE,
  opcodes,
  permissions,
  scopes,
  wireNumbers,
} from './constants.ts'
import { pascal, upperSnake } from './names.ts'
import { docstring, PythonTypes, pythonText } from './python-types.ts'
import { NOTICE } from './text.ts'

type Row = Constant<string | number>

const about = ({ sentences }: Row, indent: string): readonly string[] =>
  docstring(sentences.filter((text) => text !== '').join(' '), indent)

const group = (name: string, base: string, sentence: string, rows: readonly Row[], value: (row: Row) => string): string =>
  [
    `class ${name}${base === '' ? '' : `(${base})`}:`,
    ...docstring(sentence, '    '),
    '',
    ...rows.flatMap((row) => [`    ${upperSnake(row.name)} = ${value(row)}`, ...about(row, '    ')]),
  ].join('\n')

const plain = ({ value }: Row): string => (typeof value === 'number' ? String(value) : pythonText(value))
const words = ({ value }: Row): string => `(${String(value).split(' ').map(pythonText).join(', ')})`

const nameSet = (name: string, sentence: string, rows: readonly Row[]): string =>
  [`${name} = frozenset(`, '    {', ...rows.map((row) => `        ${plain(row)},`), '    }', ')', ...docstring(sentence, '')].join('\n')

const constants = (model: Model): string =>
  [
    [...docstring(`The protocol: numbers, codes and limits. ${NOTICE}`, ''), '', 'from enum import IntEnum, IntFlag'].join('\n'),
    [
      `CONTRACT_VERSION = ${pythonText(model.contractVersion)}`,
      ...docstring(CONTRACT_VERSION_SENTENCE, ''),
      ...wireNumbers(model).flatMap((row) => [`${upperSnake(row.name)} = ${plain(row)}`, ...about(row, '')]),
    ].join('\n'),
    group('Opcode', 'IntEnum', OPCODES_SENTENCE, opcodes(model), plain),
    group('ErrorCode', 'IntEnum', ERRORS_SENTENCE, errorCodes(model), plain),
    [
      'RETRYABLE_ERRORS = frozenset(',
      '    {',
      ...errorCodes(model)
        .filter(({ retryable }) => retryable)
        .map(({ name }) => `        ErrorCode.${upperSnake(name)},`),
      '    }',
      ')',
      ...docstring('Errors after which the same call may succeed later.', ''),
    ].join('\n'),
    group('CloseCode', 'IntEnum', CLOSE_CODES_SENTENCE, closeCodes(model), plain),
    group('Limits', '', 'Limits; each with its unit.', limits(model), plain),
    group('Scopes', '', 'Scopes.', scopes(model), plain),
    defaultScopes(model)
      .flatMap((row) => [`DEFAULT_${upperSnake(row.name)} = ${words(row)}`, ...about(row, '')])
      .join('\n'),
    [
      nameSet('COMMANDS', 'Names of the commands.', commands(model)),
      nameSet('KEYED_COMMANDS', KEYED_COMMANDS_SENTENCE, keyedCommands(model)),
      nameSet('EVENTS', 'Names of the events.', events(model)),
      nameSet(
        'AUTOMATIC_EVENTS',
        'Events that come without a subscription.',
        events(model).filter(({ isAutomatic }) => isAutomatic),
      ),
    ].join('\n'),
    group(
      'Permission',
      'IntFlag',
      'Permissions in a guild: the bits of a decimal text.',
      permissions(model),
      ({ value }) => `1 << ${value}`,
    ),
  ].join('\n\n\n')

interface Call {
  readonly command: string
  readonly args: string
  readonly data: string
  readonly isOptional: boolean
  readonly isKeyed: boolean
  readonly sentences: readonly string[]
}

/** Whether the command may be called without arguments. */
function takesNothing(schema: JsonSchema): boolean {
  const branches = Array.isArray(schema['anyOf']) ? (schema['anyOf'] as readonly JsonSchema[]) : []
  if (branches.length > 0) return branches.some((branch) => branch['type'] === 'null' || takesNothing(branch))
  return schema['type'] === 'null' || ([schema['required'] ?? []].flat().length === 0 && schema['type'] === 'object')
}

function callOf(row: OwnCommand | EndpointCommand, { endpoints }: Model, types: PythonTypes, sentences: readonly string[]): Call {
  const endpoint = 'endpoint' in row ? endpoints.find(({ name }) => name === row.endpoint) : undefined
  const [args, data] = 'args' in row ? [row.args, row.data] : [endpoint?.args, endpoint?.response]
  if (args === undefined || data === undefined) throw new Error(`no endpoint is named ${row.name}`)
  const name = pascal(row.name)
  return {
    command: row.name,
    args: types.typeOf(args, `${name}Args`),
    data: types.typeOf(data, `${name}Data`),
    isOptional: takesNothing(args),
    isKeyed: 'keyed' in row,
    sentences,
  }
}

interface Heard {
  readonly event: string
  readonly args: string
  readonly data: string
  readonly sentences: readonly string[]
}

/** Subscriptions go through `on`, which survives reconnects. */
const SUBSCRIBING: readonly string[] = ['SUBSCRIBE', 'UNSUBSCRIBE']

const NAMES_OF_TYPES = /\b[A-Z]\w*\b/g
const OF_TYPING = ['Any', 'Literal', 'None']

const method = (isAsync: boolean, name: string, parameters: string, result: string, sentences: readonly string[]): readonly string[] => {
  const help = docstring(sentences.filter((text) => text !== '').join(' '), '        ')
  const head = `    ${isAsync ? 'async ' : ''}def ${name.toLowerCase()}(self, ${parameters}) -> ${result}:`
  return help.length === 0 ? [`${head} ...`] : [head, ...help]
}

const commandsOf = (name: string, sentence: string, calls: readonly Call[], isAsync: boolean): string =>
  [
    `class ${name}:`,
    ...docstring(sentence, '    '),
    `    def __init__(self, request: Callable[..., ${isAsync ? 'Awaitable[Any]' : 'Any'}]) -> None: ...`,
    ...calls.flatMap(({ command, args, data, isOptional, isKeyed, sentences }) => {
      const options = `*, timeout: float | None = None${isKeyed ? ', key: str | None = None' : ''}`
      return method(isAsync, command, `args: ${isOptional ? `${args} | None = None` : args}, ${options}`, data, sentences)
    }),
  ].join('\n')

const eventsOf = (name: string, subscription: string, heard: readonly Heard[]): string =>
  [
    `class ${name}:`,
    ...docstring('A method for each event, which adds a listener as `on` of the client does.', '    '),
    `    def __init__(self, on: Callable[..., ${subscription}]) -> None: ...`,
    ...heard.flatMap(({ event, args, data, sentences }) =>
      method(false, event, `listener: Callable[[${data}], object], args: ${args} | None = None`, subscription, sentences),
    ),
  ].join('\n')

function stub(calls: readonly Call[], heard: readonly Heard[]): string {
  const used = [...calls, ...heard].flatMap(({ args, data }) => `${args} ${data}`.replaceAll(/"[^"]*"/g, '').match(NAMES_OF_TYPES) ?? [])
  const names = [...new Set(used)].filter((name) => !OF_TYPING.includes(name)).toSorted()
  return [
    [
      ...docstring(`A typed method for each command and each event. ${NOTICE}`, ''),
      '',
      'from typing import Any, Awaitable, Callable',
      '',
      'from ._subscriptions import Subscription as _AsyncSubscription',
      'from .client import Subscription as _Subscription',
      'from .types import (',
      ...names.map((name) => `    ${name},`),
      ')',
    ].join('\n'),
    commandsOf('AsyncCommands', 'A method for each command, which makes one call.', calls, true),
    commandsOf('Commands', 'A method for each command, which makes one call and waits for its response.', calls, false),
    eventsOf('AsyncEvents', '_AsyncSubscription', heard),
    eventsOf('Events', '_Subscription', heard),
  ].join('\n\n')
}

/** Files of `bindings/python`. */
export function emitPython(model: Model): Readonly<Record<string, string>> {
  const types = new PythonTypes(model.$defs)
  const sentencesOf = new Map([...commands(model), ...events(model)].map(({ name, sentences }) => [name, sentences]))
  const calls = model.commands
    .filter(({ name }) => !SUBSCRIBING.includes(name))
    .map((row) => callOf(row, model, types, sentencesOf.get(row.name) ?? []))
  const heard = model.events.map(({ name, args, data }) => ({
    event: name,
    args: types.typeOf(args, `${pascal(name)}EventArgs`),
    data: types.typeOf(data, `${pascal(name)}Event`),
    sentences: sentencesOf.get(name) ?? [],
  }))
  const head = [
    ...docstring(`The values of the protocol: arguments, answers, events and records. ${NOTICE}`, ''),
    '',
    'from typing import Any, Literal',
    '',
    'from typing_extensions import NotRequired, TypeAlias, TypedDict',
  ].join('\n')
  return {
    'src/sallyport/protocol.py': `${constants(model)}\n`,
    'src/sallyport/types.pyi': `${[head, ...types.sources].join('\n\n')}\n`,
    'src/sallyport/_calls.pyi': `${stub(calls, heard)}\n`,
  }
}
