/** Emits what the add-on for Godot 4 has of the protocol: constants for GDScript, and a signal with documentation for each event. */
import type { Model } from '../model.ts'
import { cString } from './c-text.ts'
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
  numberSets,
  OPCODES_SENTENCE,
  opcodes,
  permissions,
  scopes,
  textSets,
  wireNumbers,
} from './constants.ts'
import { upperSnake } from './names.ts'
import { NOTICE } from './text.ts'

const comment = (sentences: readonly string[], indent = ''): readonly string[] => {
  const text = sentences.filter((sentence) => sentence !== '').join(' ')
  return text === '' ? [] : [`${indent}## ${text}`]
}

const constants = (kind: string, rows: readonly Constant<string | number>[], value: (row: Constant<string | number>) => string) =>
  rows.map((row) =>
    [...comment(row.sentences), `const ${[kind, upperSnake(row.name)].filter((part) => part !== '').join('_')} := ${value(row)}`].join(
      '\n',
    ),
  )

const text = ({ value }: Constant<string | number>): string => cString(String(value))
const number = ({ value }: Constant<string | number>): string => String(value)
const bit = ({ value }: Constant<string | number>): string => `1 << ${value}`

const enumeration = (name: string, sentence: string, rows: readonly Constant<number>[]): string =>
  [
    ...comment([sentence]),
    `enum ${name} {`,
    ...rows.flatMap((row) => [...comment(row.sentences, '\t'), `\t${upperSnake(row.name)} = ${row.value},`]),
    '}',
  ].join('\n')

const script = (model: Model): string =>
  [
    `class_name SallyportProtocol\nextends RefCounted\n## The protocol as GDScript: constants, limits and names. ${NOTICE}`,
    ...constants('', [{ name: 'contractVersion', value: model.contractVersion, sentences: [CONTRACT_VERSION_SENTENCE] }], text),
    ...constants('', wireNumbers(model), number),
    enumeration('Opcode', OPCODES_SENTENCE, opcodes(model)),
    enumeration('ErrorCode', ERRORS_SENTENCE, errorCodes(model)),
    enumeration('CloseCode', CLOSE_CODES_SENTENCE, closeCodes(model)),
    ...numberSets(model).map(({ name, summary, numbers }) => enumeration(name, summary, numbers)),
    ...constants('LIMIT', limits(model), number),
    ...constants('SCOPE', scopes(model), text),
    ...constants('DEFAULT', defaultScopes(model), text),
    ...constants('PERMISSION', permissions(model), bit),
    ...constants('COMMAND', commands(model), text),
    [
      ...comment([KEYED_COMMANDS_SENTENCE]),
      'const KEYED_COMMANDS: Array[String] = [',
      ...keyedCommands(model).map(({ name }) => `\tCOMMAND_${upperSnake(name)},`),
      ']',
    ].join('\n'),
    ...constants('EVENT', events(model), text),
    ...textSets(model).map(({ name, summary, texts }) =>
      [...comment([summary]), `const ${upperSnake(name)}S := [${texts.map(cString).join(', ')}]`].join('\n'),
    ),
  ].join('\n\n')

/** The signal of each event that a game subscribes. */
const signals = (model: Model) =>
  events(model)
    .filter(({ isAutomatic }) => !isAutomatic)
    .map(({ name, sentences }) => ({ event: name, signal: name.toLowerCase(), sentences }))

const header = (model: Model): string =>
  [
    `/** Events with the names of their signals: X(event, signal). ${NOTICE} */`,
    '#ifndef SALLY_EVENTS_H\n#define SALLY_EVENTS_H',
    `#define SALLY_EVENTS(X) \\\n${signals(model)
      .map(({ event, signal }) => `  X("${event}", "${signal}")`)
      .join(' \\\n')}`,
    '#endif',
  ].join('\n\n')

/** The same signals for the script that stands in where there is no library. */
const signalScript = (model: Model): string =>
  [
    `class_name SallyportEventSignals\nextends Node\n## A signal of each event. ${NOTICE}`,
    ...signals(model).map(({ signal, sentences }) =>
      [...comment(sentences), '@warning_ignore("unused_signal")', `signal ${signal}(data: Dictionary)`].join('\n'),
    ),
  ].join('\n\n')

const escaped = (sentence: string): string => sentence.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Members of `<signals>` of the class. */
const documentation = (model: Model): string =>
  [
    `<!-- Signals of the events. ${NOTICE} -->`,
    ...signals(model).map(({ signal, event, sentences }) =>
      [
        `<signal name="${signal}">`,
        '\t<param index="0" name="data" type="Dictionary" />',
        `\t<description>${escaped(sentences.filter((one) => one !== '').join(' '))} Subscribe to [code]${event}[/code] first.</description>`,
        '</signal>',
      ].join('\n'),
    ),
  ].join('\n')

/** Files of `bindings/engines/godot`. */
export const emitGdscript = (model: Model): Readonly<Record<string, string>> => ({
  'addons/sallyport/event_signals.gd': `${signalScript(model)}\n`,
  'addons/sallyport/protocol.gd': `${script(model)}\n`,
  'doc_classes/events.xml': `${documentation(model)}\n`,
  'src/events.h': `${header(model)}\n`,
})
