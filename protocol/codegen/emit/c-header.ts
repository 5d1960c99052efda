/** Emits the C binding's constants, tables and records: `include/sallyport/protocol.h` and `src/protocol.c`. */
import type { EndpointCommand, Model, OwnCommand } from '../model.ts'
import { recordDeclarations, recordReaders } from './c-records.ts'
import { constantName, define, defineText, doc, enumeration } from './c-text.ts'
import { NOTICE } from './text.ts'

const section = (title: string, ...parts: readonly string[]): string => [`/* ${title} */`, ...parts].join('\n\n')

const scopesSentence = (requirement: readonly (readonly string[])[]): string => {
  const sets = requirement.map((set) => set.join(' and ')).filter((set) => set !== '')
  return sets.length === 0 || sets.length < requirement.length ? 'Needs no scope.' : `Scopes: ${sets.join(', or ')}.`
}

const errorsSentence = (names: readonly string[]): string => (names.length === 0 ? '' : `Errors: ${names.join(', ')}.`)
const sinceSentence = (since: string): string => `Since contract ${since}.`

function wire({ wire: { headerBytes, slots, opcodes }, contractVersion, protocolVersion }: Model): string {
  return section(
    'The wire',
    defineText('SALLYPORT_CONTRACT_VERSION', contractVersion, ['Version of the contract, MAJOR.MINOR; part of the handshake.']),
    define('SALLYPORT_PROTOCOL_VERSION', String(protocolVersion), ['`v` of the handshake.']),
    define('SALLYPORT_HEADER_BYTES', String(headerBytes), ['Type of the frame and length of the payload, both uint32 little endian.']),
    define('SALLYPORT_SLOT_COUNT', String(slots), ['Slots that clients try, ascending.']),
    enumeration(
      'sallyport_opcode',
      ['Types of frames.'],
      Object.entries(opcodes).map(([name, value]) => ({ name: constantName('OPCODE', name), value, sentences: [] })),
    ),
  )
}

function errors({ errors: rows, closeCodes }: Model): string {
  const table = rows.map(
    ({ name, code, retryable }, index) => `  X(${name}, ${code}, ${retryable ? 1 : 0})${index === rows.length - 1 ? '' : ' \\'}`,
  )
  return section(
    'Errors',
    enumeration(
      'sallyport_error_code',
      ['Codes of ERROR responses.'],
      rows.map(({ name, code, summary, retryable }) => ({
        name: constantName('ERROR', name),
        value: code,
        sentences: [summary, retryable ? 'The same call may succeed later.' : ''],
      })),
    ),
    [doc(['Every error: X(name, code, whether the same call may succeed later).']), '#define SALLYPORT_ERROR_TABLE(X) \\', ...table].join(
      '\n',
    ),
    enumeration(
      'sallyport_close_code',
      ['Codes of CLOSE frames. The numbers differ in meaning from those of errors.'],
      closeCodes.map(({ name, code, summary }) => ({ name: constantName('CLOSE', name), value: code, sentences: [summary] })),
    ),
  )
}

const limits = ({ limits: rows }: Model): string =>
  section(
    'Limits',
    ...rows.map(({ name, value, unit, summary }) => define(constantName('LIMIT', name), String(value), [summary, `Unit: ${unit}.`])),
  )

function scopes({ scopes: rows, defaultScopes }: Model): string {
  return section(
    'Scopes',
    ...rows.map(({ name, summary, expandsTo }) =>
      defineText(constantName('SCOPE', name), name, [summary, expandsTo === undefined ? '' : `Includes ${expandsTo.join(', ')}.`]),
    ),
    ...Object.entries(defaultScopes).map(([use, names]) =>
      defineText(constantName('DEFAULT', `${use}Scopes`), names.join(' '), [`Default scopes of an authorization for ${use}.`]),
    ),
  )
}

const permissions = ({ permissions: rows }: Model): string =>
  section(
    'Permissions: bits of a decimal text',
    ...rows.map(({ name, shift, summary }) => define(constantName('PERMISSION', name), `(UINT64_C(1) << ${shift})`, [summary])),
  )

function commands({ commands: rows, endpoints }: Model): string {
  const endpointOf = new Map(endpoints.map((row) => [row.name, row]))
  const constant = (row: OwnCommand | EndpointCommand): string => {
    const described = 'endpoint' in row ? endpointOf.get(row.endpoint) : row
    if (described === undefined) throw new Error(`no endpoint is named ${row.name}`)
    const { summary, since } = described
    return defineText(constantName('COMMAND', row.name), row.name, [
      summary,
      scopesSentence(row.scopes),
      errorsSentence(row.errors),
      sinceSentence(since),
    ])
  }
  return section('Commands', ...rows.map(constant))
}

const events = ({ events: rows }: Model): string =>
  section(
    'Events',
    ...rows.map(({ name, summary, delivery, scopes: required, since }) =>
      defineText(constantName('EVENT', name), name, [
        summary,
        delivery === 'automatic' ? 'Sent without a subscription.' : '',
        scopesSentence(required),
        sinceSentence(since),
      ]),
    ),
    [
      doc(['Events that the server sends without a subscription: X(name).']),
      `#define SALLYPORT_AUTOMATIC_EVENTS(X) ${rows
        .filter(({ delivery }) => delivery === 'automatic')
        .map(({ name }) => `X(${name})`)
        .join(' ')}`,
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
    limits(model),
    scopes(model),
    permissions(model),
    commands(model),
    events(model),
    section('Records: each reader returns 1 if the value is an object', recordDeclarations(model)),
    '#ifdef __cplusplus\n}\n#endif',
    '#endif',
  ].join('\n\n')

const source = (model: Model): string =>
  [`/** Readers of the records. ${NOTICE} */`, '#include <stddef.h>', '#include "sallyport/protocol.h"', recordReaders(model)].join('\n\n')

/** Files of `bindings/c`. */
export const emitC = (model: Model): Readonly<Record<string, string>> => ({
  'include/sallyport/protocol.h': `${header(model)}\n`,
  'src/protocol.c': `${source(model)}\n`,
})
