/** Emits the C++ binding's constants and records: `generated/sallyport/protocol.hpp` and `generated/sallyport/records.hpp`. */
import type { Model } from '../model.ts'
import { type FieldType, type RecordField, recordTypes } from '../record-types.ts'
import { cString, doc } from './c-text.ts'
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
  limits,
  OPCODES_SENTENCE,
  opcodes,
  permissions,
  scopes,
  textSets,
  wireNumbers,
} from './constants.ts'
import { lowerSnake, pascal } from './names.ts'
import { NOTICE } from './text.ts'

/** Words of C++ that cannot name anything else. */
const RESERVED = new Set([
  'and',
  'bool',
  'class',
  'default',
  'delete',
  'explicit',
  'export',
  'new',
  'operator',
  'or',
  'private',
  'public',
  'register',
  'template',
])
const identifier = (name: string): string => (RESERVED.has(name) ? `${name}_` : name)

const withDoc = (sentences: readonly string[], line: string, indent = ''): string =>
  [...(sentences.some((sentence) => sentence !== '') ? [doc(sentences, indent)] : []), `${indent}${line}`].join('\n')

const textConstant = ({ name, value, sentences }: Constant): string =>
  withDoc(sentences, `inline constexpr const char *${identifier(lowerSnake(name))} = ${cString(value)};`)

const numberConstant = ({ name, value, sentences }: Constant<number>): string =>
  withDoc(sentences, `inline constexpr std::int64_t ${identifier(lowerSnake(name))} = ${value};`)

const bitConstant = ({ name, value, sentences }: Constant<number>): string =>
  withDoc(sentences, `inline constexpr std::uint64_t ${identifier(lowerSnake(name))} = std::uint64_t{1} << ${value};`)

const enumeration = (name: string, sentence: string, rows: readonly Constant<number>[]): string =>
  [
    withDoc([sentence], `enum class ${name} : std::int32_t {`),
    rows.map((row) => withDoc(row.sentences, `${pascal(row.name)} = ${row.value}`, '  ')).join(',\n'),
    '};',
  ].join('\n')

const space = (name: string, sentence: string, constants: readonly string[]): string =>
  [doc([sentence]), `namespace ${name} {`, constants.join('\n'), `} // namespace ${name}`].join('\n')

const header = (model: Model): string =>
  [
    `/**\n * The protocol as C++: constants, limits and names. ${NOTICE}\n */`,
    '#ifndef SALLYPORT_PROTOCOL_HPP\n#define SALLYPORT_PROTOCOL_HPP',
    '#include <cstdint>',
    'namespace sallyport {',
    withDoc([CONTRACT_VERSION_SENTENCE], `inline constexpr const char *contract_version = ${cString(model.contractVersion)};`),
    ...wireNumbers(model).map(numberConstant),
    enumeration('Opcode', OPCODES_SENTENCE, opcodes(model)),
    enumeration('ErrorCode', ERRORS_SENTENCE, errorCodes(model)),
    enumeration('CloseCode', CLOSE_CODES_SENTENCE, closeCodes(model)),
    space('limits', 'Limits; each with its unit.', limits(model).map(numberConstant)),
    space('scopes', 'Scopes, and the default scopes of an authorization.', [...scopes(model), ...defaultScopes(model)].map(textConstant)),
    space('permissions', 'Permissions in a guild: bits of a decimal text.', permissions(model).map(bitConstant)),
    space('commands', 'Commands.', commands(model).map(textConstant)),
    space('events', 'Events.', events(model).map(textConstant)),
    ...textSets(model).map(({ name, summary, texts }) =>
      space(
        lowerSnake(name),
        summary,
        texts.map((text) => textConstant({ name: text, value: text, sentences: [] })),
      ),
    ),
    '} // namespace sallyport',
    '#endif',
  ].join('\n\n')

const SCALARS = { id: 'std::uint64_t', text: 'std::string', integer: 'std::int64_t', number: 'double', flag: 'bool' } as const
const DEFAULTS = { id: '{0}', text: '', integer: '{0}', number: '{0}', flag: '{false}' } as const

function typeOf(type: FieldType): string {
  switch (type.kind) {
    case 'list':
      return `std::vector<${typeOf(type.of)}>`
    case 'map':
      return `std::map<std::string, ${typeOf(type.of)}>`
    case 'record':
      return type.name
    case 'json':
      return 'RawJson'
    default:
      return SCALARS[type.kind]
  }
}

const member = ({ name, type, isOptional, summary }: RecordField): string => {
  const initial = isOptional || !(type.kind in DEFAULTS) ? '' : DEFAULTS[type.kind as keyof typeof DEFAULTS]
  const text = isOptional ? `std::optional<${typeOf(type)}>` : typeOf(type)
  return withDoc([summary], `${text} ${identifier(name)}${initial};`, '  ')
}

const records = (model: Model): string =>
  recordTypes(model)
    .map(({ name, summary, fields }) =>
      [
        withDoc([summary], `struct ${name} {`),
        ...fields.map(member),
        '};',
        '',
        `inline bool read(sallyport_json value, ${name} &record) {`,
        `  static const char *const keys[] = {${fields.map((field) => cString(field.name)).join(', ')}};`,
        `  sallyport_json values[${fields.length}];`,
        `  sallyport_json_fields(value, keys, ${fields.length}, values);`,
        ...fields.map((field, index) => `  read(values[${index}], record.${identifier(field.name)});`),
        '  return sallyport_json_type_of(value) == SALLYPORT_JSON_OBJECT;',
        '}',
      ].join('\n'),
    )
    .join('\n\n')

const recordHeader = (model: Model): string =>
  [
    `/**\n * Records of the protocol. An absent or null field is empty; one of another type keeps its default. ${NOTICE}\n */`,
    '#ifndef SALLYPORT_RECORDS_HPP\n#define SALLYPORT_RECORDS_HPP',
    '#include "sallyport/read.hpp"',
    'namespace sallyport {\nnamespace records {',
    'using sallyport::read;',
    records(model),
    '} // namespace records\n} // namespace sallyport',
    '#endif',
  ].join('\n\n')

/** Files of `bindings/cpp`. */
export const emitCpp = (model: Model): Readonly<Record<string, string>> => ({
  'generated/sallyport/protocol.hpp': `${header(model)}\n`,
  'generated/sallyport/records.hpp': `${recordHeader(model)}\n`,
})
