/** Emits the C binding's constants, tables and records: `generated/sallyport/protocol.h` and `src/protocol.c`. */
import type { Model } from '../model.ts'
import { recordDeclarations, recordReaders } from './c-records.ts'
import { constantName, define, defineText, doc, enumeration, type Member } from './c-text.ts'
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
import { NOTICE } from './text.ts'

const section = (title: string, ...parts: readonly string[]): string => [`/* ${title} */`, ...parts].join('\n\n')

const constants = (kind: string, rows: readonly Constant[]): readonly string[] =>
  rows.map(({ name, value, sentences }) => defineText(constantName(kind, name), value, sentences))

const members = (kind: string, rows: readonly Constant<number>[]): readonly Member[] =>
  rows.map(({ name, value, sentences }) => ({ name: constantName(kind, name), value, sentences }))

const wire = (model: Model): string =>
  section(
    'The wire',
    defineText('SALLYPORT_CONTRACT_VERSION', model.contractVersion, [CONTRACT_VERSION_SENTENCE]),
    ...wireNumbers(model).map(({ name, value, sentences }) => define(constantName('', name), String(value), sentences)),
    enumeration('sallyport_opcode', [OPCODES_SENTENCE], members('OPCODE', opcodes(model))),
  )

function errors(model: Model): string {
  const rows = errorCodes(model)
  const table = rows.map(
    ({ name, value, retryable }, index) => `  X(${name}, ${value}, ${retryable ? 1 : 0})${index === rows.length - 1 ? '' : ' \\'}`,
  )
  return section(
    'Errors',
    enumeration('sallyport_error_code', [ERRORS_SENTENCE], members('ERROR', rows)),
    [doc(['Every error: X(name, code, whether the same call may succeed later).']), '#define SALLYPORT_ERROR_TABLE(X) \\', ...table].join(
      '\n',
    ),
    enumeration('sallyport_close_code', [CLOSE_CODES_SENTENCE], members('CLOSE', closeCodes(model))),
  )
}

const limitDefinitions = (model: Model): string =>
  section('Limits', ...limits(model).map(({ name, value, sentences }) => define(constantName('LIMIT', name), String(value), sentences)))

const permissionDefinitions = (model: Model): string =>
  section(
    'Permissions: bits of a decimal text',
    ...permissions(model).map(({ name, value, sentences }) =>
      define(constantName('PERMISSION', name), `(UINT64_C(1) << ${value})`, sentences),
    ),
  )

const eventDefinitions = (model: Model): string =>
  section(
    'Events',
    ...constants('EVENT', events(model)),
    [
      doc(['Events that the server sends without a subscription: X(name).']),
      `#define SALLYPORT_AUTOMATIC_EVENTS(X) ${events(model)
        .filter(({ isAutomatic }) => isAutomatic)
        .map(({ name }) => `X(${name})`)
        .join(' ')}`,
    ].join('\n'),
  )

const commandDefinitions = (model: Model): string =>
  section(
    'Commands',
    ...constants('COMMAND', commands(model)),
    [
      doc([`${KEYED_COMMANDS_SENTENCE} X(name)`]),
      `#define SALLYPORT_KEYED_COMMANDS(X) \\\n${keyedCommands(model)
        .map(({ name }) => `  X(${name})`)
        .join(' \\\n')}`,
    ].join('\n'),
  )

const header = (model: Model): string =>
  [
    `/**\n * The protocol as C: constants, limits, names and records. ${NOTICE}\n */`,
    '#ifndef SALLYPORT_PROTOCOL_H\n#define SALLYPORT_PROTOCOL_H',
    '#include <stdint.h>',
    '#include "sallyport/json.h"',
    '#ifdef __cplusplus\nextern "C" {\n#endif',
    wire(model),
    errors(model),
    limitDefinitions(model),
    section('Scopes', ...constants('SCOPE', scopes(model)), ...constants('DEFAULT', defaultScopes(model))),
    permissionDefinitions(model),
    commandDefinitions(model),
    eventDefinitions(model),
    section(
      'Records: each reader returns 1 if the value is an object. `size` is that of the record; no more is written',
      recordDeclarations(model),
    ),
    '#ifdef __cplusplus\n}\n#endif',
    '#endif',
  ].join('\n\n')

const source = (model: Model): string =>
  [
    `/** Readers of the records. ${NOTICE} */`,
    '#include <stddef.h>',
    '#include "sallyport/protocol.h"',
    '#include "sized.h"',
    recordReaders(model),
  ].join('\n\n')

/** Files of `bindings/c`. */
export const emitC = (model: Model): Readonly<Record<string, string>> => ({
  'generated/sallyport/protocol.h': `${header(model)}\n`,
  'src/protocol.c': `${source(model)}\n`,
})
