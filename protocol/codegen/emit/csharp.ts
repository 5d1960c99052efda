/** Emits constants, records and arguments for C#. C# 7.2, no reflection. */
import type { Model } from '../model.ts'
import { type FieldType, type RecordField, type RecordType, recordTypes } from '../record-types.ts'
import { cString } from './c-text.ts'
import { emitArguments } from './csharp-arguments.ts'
import { file, isValue, mayBeNull, SCALARS, summaryOf } from './csharp-text.ts'
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
  textSets,
  wireNumbers,
} from './constants.ts'
import { pascal } from './names.ts'

const constant = (type: string, value: (row: Constant<string | number>) => string) => (row: Constant<string | number>) =>
  [...summaryOf(row.sentences, '        '), `        public const ${type} ${pascal(row.name)} = ${value(row)};`].join('\n')

const text = constant('string', ({ value }) => cString(String(value)))
const number = constant('long', ({ value }) => String(value))
const bit = constant('ulong', ({ value }) => `1UL << ${value}`)

const group = (name: string, sentence: string, constants: readonly string[]): string =>
  [...summaryOf([sentence], '    '), `    public static class ${name}`, '    {', constants.join('\n'), '    }'].join('\n')

const enumeration = (name: string, sentence: string, rows: readonly Constant<number>[]): string =>
  [
    ...summaryOf([sentence], '    '),
    `    public enum ${name}`,
    '    {',
    rows.map((row) => [...summaryOf(row.sentences, '        '), `        ${pascal(row.name)} = ${row.value}`].join('\n')).join(',\n'),
    '    }',
  ].join('\n')

/** A class whose `Contains` says whether a value is one of the cases. */
const membership = (
  name: string,
  [ofClass, ofMethod]: readonly [string, string],
  { parameter, subject }: { readonly parameter: string; readonly subject: string },
  cases: readonly string[],
): string =>
  [
    ...summaryOf([ofClass], '    '),
    `    public static class ${name}`,
    '    {',
    ...summaryOf([ofMethod], '        '),
    `        public static bool Contains(${parameter})`,
    '        {',
    `            switch (${subject})`,
    '            {',
    ...cases.map((one) => `                case ${one}:`),
    '                    return true;',
    '                default:',
    '                    return false;',
    '            }',
    '        }',
    '    }',
  ].join('\n')

const retryable = (model: Model): string =>
  membership(
    'RetryableErrors',
    ['Codes of errors after which the same call may succeed later.', 'Whether the code is one of them.'],
    { parameter: 'long code', subject: '(ErrorCode)code' },
    errorCodes(model)
      .filter((row) => row.retryable)
      .map((row) => `ErrorCode.${pascal(row.name)}`),
  )

const errorNames = (model: Model): string =>
  [
    ...summaryOf(['Names of errors, as the documents spell them.'], '    '),
    '    public static class ErrorNames',
    '    {',
    ...summaryOf(['The name of a code: "RATE_LIMITED". UNKNOWN_ERROR for others.'], '        '),
    '        public static string Of(long code)',
    '        {',
    '            switch ((ErrorCode)code)',
    '            {',
    ...errorCodes(model).map((row) => `                case ErrorCode.${pascal(row.name)}: return ${cString(row.name)};`),
    '                default: return "UNKNOWN_ERROR";',
    '            }',
    '        }',
    '    }',
  ].join('\n')

const keyed = (model: Model): string =>
  membership(
    'KeyedCommands',
    [KEYED_COMMANDS_SENTENCE, 'Whether the command is one of them.'],
    { parameter: 'string command', subject: 'command' },
    keyedCommands(model).map((row) => `Commands.${pascal(row.name)}`),
  )

const protocol = (model: Model): string =>
  file(
    'The protocol as C#: constants, limits and names.',
    [],
    [
      group('Wire', 'The wire.', [
        text({ name: 'contractVersion', value: model.contractVersion, sentences: [CONTRACT_VERSION_SENTENCE] }),
        ...wireNumbers(model).map(number),
      ]),
      enumeration('Opcode', OPCODES_SENTENCE, opcodes(model)),
      enumeration('ErrorCode', ERRORS_SENTENCE, errorCodes(model)),
      errorNames(model),
      retryable(model),
      enumeration('CloseCode', CLOSE_CODES_SENTENCE, closeCodes(model)),
      group('Limits', 'Limits; each with its unit.', limits(model).map(number)),
      group('Scopes', 'Scopes, and the default scopes of an authorization.', [...scopes(model), ...defaultScopes(model)].map(text)),
      group('Permissions', 'Permissions in a guild: bits of a decimal text.', permissions(model).map(bit)),
      group('Commands', 'Commands.', commands(model).map(text)),
      keyed(model),
      group('Events', 'Events.', events(model).map(text)),
      ...textSets(model).map(({ name, summary, texts }) =>
        group(
          name,
          summary,
          texts.map((value) => text({ name: value, value, sentences: [] })),
        ),
      ),
    ],
  )

const READERS = { id: 'Id', text: 'Text', integer: 'Integer', number: 'Number', flag: 'Flag' } as const

function typeOf(type: FieldType): string {
  switch (type.kind) {
    case 'list':
      return `List<${typeOf(type.of)}>`
    case 'map':
      return `Dictionary<string, ${typeOf(type.of)}>`
    case 'record':
      return type.name
    case 'json':
      return 'object'
    default:
      return SCALARS[type.kind]
  }
}

/** An expression that reads `value`; null if it has another type. */
function reading(type: FieldType, value: string): string {
  switch (type.kind) {
    case 'list':
      return `JsonValue.List(${value}, one => ${required(type.of, 'one')})`
    case 'map':
      return `JsonValue.Map(${value}, one => ${required(type.of, 'one')})`
    case 'record':
      return `${type.name}.Read(${value})`
    case 'json':
      return value
    default:
      return `JsonValue.${READERS[type.kind]}(${value})`
  }
}

const required = (type: FieldType, value: string): string => `${reading(type, value)}${isValue(type) ? '.GetValueOrDefault()' : ''}`

/** A member cannot have the name of its class. */
const propertyName = (record: RecordType, field: RecordField): string => {
  const name = pascal(field.name)
  return name === record.name ? `${name}Value` : name
}

const property = (record: RecordType, field: RecordField): string =>
  [
    ...summaryOf(
      [
        field.summary,
        field.type.kind === 'json' ? 'Of any shape: a value as `Json.Read` returns it.' : '',
        field.isOptional && !isValue(field.type) ? 'Null if it is absent.' : '',
      ],
      '        ',
    ),
    `        ${mayBeNull(field)}public ${typeOf(field.type)}${field.isOptional && isValue(field.type) ? '?' : ''} ${propertyName(record, field)} { get; set; }`,
  ].join('\n')

const recordClass = (record: RecordType): string =>
  [
    ...summaryOf([record.summary], '    '),
    `    public sealed class ${record.name}`,
    '    {',
    ...record.fields.map((field) => property(record, field)),
    '',
    '        /// <summary>Reads a parsed JSON object; null for any other value.</summary>',
    `        [MayBeNull] public static ${record.name} Read(object json)`,
    '        {',
    '            var fields = json as IReadOnlyDictionary<string, object>;',
    '            if (fields == null) return null;',
    `            return new ${record.name}`,
    '            {',
    ...record.fields.map((field) => {
      const value = `JsonValue.Get(fields, ${cString(field.name)})`
      return `                ${propertyName(record, field)} = ${field.isOptional ? reading(field.type, value) : required(field.type, value)},`
    }),
    '            };',
    '        }',
    '    }',
  ].join('\n')

const records = (model: Model): string =>
  file(
    'Records of the protocol. An absent field, a null and a value of another type are read as null or the default.',
    ['System.Collections.Generic'],
    recordTypes(model).map(recordClass),
  )

/** Files of `bindings/csharp`. */
export const emitCsharp = (model: Model): Readonly<Record<string, string>> => ({
  'generated/Protocol.cs': `${protocol(model)}\n`,
  'generated/Records.cs': `${records(model)}\n`,
  'generated/Arguments.cs': `${emitArguments(model)}\n`,
})
