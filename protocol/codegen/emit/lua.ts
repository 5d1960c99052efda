/** Emits the protocol for LuaJIT: `sallyport/protocol.lua`, its types for editors, and the declarations of the C library. */
import type { Model } from '../model.ts'
import { type FieldType, recordTypes } from '../record-types.ts'
import { cString } from './c-text.ts'
import {
  closeCodes,
  commands,
  type Constant,
  CONTRACT_VERSION_SENTENCE,
  defaultScopes,
  errorCodes,
  events,
  limits,
  permissions,
  scopes,
  textSets,
} from './constants.ts'
import { upperSnake } from './names.ts'
import { NOTICE } from './text.ts'

/** Texts of the headers of the C library. */
export interface CHeaders {
  readonly json: string
  readonly client: string
}

type Row = Constant<string | number>

const comment = (sentences: readonly string[], indent = ''): readonly string[] => {
  const text = sentences.filter((sentence) => sentence !== '').join(' ')
  return text === '' ? [] : [`${indent}--- ${text}`]
}

const literal = ({ value }: Row): string => (typeof value === 'number' ? String(value) : cString(value))

const table = (name: string, sentence: string, rows: readonly Row[]): string =>
  [
    ...comment([sentence]),
    `protocol.${name} = {`,
    ...rows.flatMap((row) => [...comment(row.sentences, '  '), `  ${upperSnake(row.name)} = ${literal(row)},`]),
    '}',
  ].join('\n')

const sets = (model: Model): string =>
  [
    ...comment(['Texts that a field can have, by the name of the set.']),
    'protocol.sets = {',
    ...textSets(model).flatMap(({ name, summary, texts }) => [
      ...comment([summary], '  '),
      `  ${upperSnake(name)} = { ${texts.map(cString).join(', ')} },`,
    ]),
    '}',
  ].join('\n')

const script = (model: Model): string =>
  [
    `--- The protocol as Lua: names, codes and limits. ${NOTICE}`,
    'local protocol = {}',
    [...comment([CONTRACT_VERSION_SENTENCE]), `protocol.CONTRACT_VERSION = ${cString(model.contractVersion)}`].join('\n'),
    table('errors', 'Codes of errors of the server.', errorCodes(model)),
    table('close_codes', 'Codes with which a server closes. The numbers differ in meaning from those of errors.', closeCodes(model)),
    table('limits', 'Limits.', limits(model)),
    table('scopes', 'Scopes.', scopes(model)),
    table('default_scopes', 'Scopes for `sign_in`.', defaultScopes(model)),
    table('permissions', 'Permissions: the number of the bit in a decimal text.', permissions(model)),
    table('commands', 'Commands.', commands(model)),
    table('events', 'Events.', events(model)),
    sets(model),
    'return protocol',
  ].join('\n\n')

const TYPES = { id: 'string', text: 'string', integer: 'integer', number: 'number', flag: 'boolean' } as const

function typeOf(type: FieldType): string {
  switch (type.kind) {
    case 'record':
      return `sallyport.${type.name}`
    case 'list':
      return `${typeOf(type.of)}[]`
    case 'map':
      return `table<string, ${typeOf(type.of)}>`
    case 'json':
      return 'any'
    default:
      return TYPES[type.kind]
  }
}

const types = (model: Model): string =>
  [
    `---@meta\n-- Records that games receive, for editors. ${NOTICE}`,
    ...recordTypes(model).map(({ name, summary, fields }) =>
      [
        ...comment([summary]),
        `---@class sallyport.${name}`,
        ...fields.map((field) => `---@field ${field.name}${field.isOptional ? '?' : ''} ${typeOf(field.type)} ${field.summary}`.trimEnd()),
      ].join('\n'),
    ),
  ].join('\n\n')

const COMMENT = /\/\*[^]*?\*\//g
const NUMBER = /^#define (\w+) (\d+)$/gm
const DIRECTIVE = /^#.*$/gm
const JSON_VALUE = /typedef struct sallyport_json \{[^}]*\} sallyport_json;/

/** The declarations of the client's header, without what only a compiler needs. */
function declarations({ json, client }: CHeaders): string {
  const [value] = JSON_VALUE.exec(json) ?? []
  if (value === undefined) throw new Error('json.h does not declare sallyport_json')
  const numbers = [...client.matchAll(NUMBER)]
  const text = client
    .replace(COMMENT, '')
    .replace(DIRECTIVE, '')
    .replace(/^extern "C" \{$|^\}$/gm, '')
    .replaceAll('SALLYPORT_API ', '')
  const plain = numbers.reduce((all, [, name = '', number = '']) => all.replaceAll(name, number), text)
  return `${value}\n${plain}`
    .replace(/[ \t]+$/gm, '')
    .replace(/\n\n+/g, '\n')
    .trim()
}

const cdef = (headers: CHeaders): string =>
  [`--- The C library, for the FFI. ${NOTICE}`, `return [[\n${declarations(headers)}\n]]`].join('\n')

/** Files of `bindings/lua`. */
export const emitLua = (model: Model, headers: CHeaders): Readonly<Record<string, string>> => ({
  'sallyport/protocol.lua': `${script(model)}\n`,
  'sallyport/types.lua': `${types(model)}\n`,
  'sallyport/cdef.lua': `${cdef(headers)}\n`,
})
