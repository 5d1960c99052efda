/** Emits a class for the arguments of each command: a JSON object whose required fields the constructor wants. */
import type { Model } from '../model.ts'
import { type ArgumentTypes, argumentTypes, type FieldType, type RecordField, type RecordType } from '../record-types.ts'
import { cString } from './c-text.ts'
import { commands } from './constants.ts'
import { file, isValue, mayBeNull, SCALARS, summaryOf } from './csharp-text.ts'
import { pascal } from './names.ts'

function typeOf(type: FieldType): string {
  switch (type.kind) {
    case 'list':
      return `IReadOnlyList<${typeOf(type.of)}>`
    case 'map':
      return `IReadOnlyDictionary<string, ${type.of.kind === 'text' ? 'string' : 'object'}>`
    case 'record':
      return type.name
    case 'json':
      return 'object'
    default:
      return SCALARS[type.kind]
  }
}

/** Members of a dictionary, and of what names its command. */
const TAKEN = new Set(['Command', 'Comparer', 'Count', 'Item', 'Keys', 'Values'])
/** Words of C# that some arguments have as names. */
const KEYWORDS = new Set(['base', 'default', 'event', 'object', 'operator', 'params', 'private', 'ref', 'string'])

/** A name cannot begin with a digit. */
const wordsOf = ({ name }: RecordField): string => (/^\d/.test(name) ? `Key${pascal(name)}` : pascal(name))

const propertyName = (record: RecordType, field: RecordField): string => {
  const words = wordsOf(field)
  return TAKEN.has(words) || words === record.name ? `${words}Value` : words
}

const parameterName = (field: RecordField): string => {
  const words = wordsOf(field)
  const camel = `${words.slice(0, 1).toLowerCase()}${words.slice(1)}`
  return KEYWORDS.has(camel) ? `@${camel}` : camel
}

const typeText = ({ type, isOptional }: RecordField): string => `${typeOf(type)}${isOptional && isValue(type) ? '?' : ''}`
const literal = (value: NonNullable<RecordField['constant']>): string => (typeof value === 'string' ? cString(value) : String(value))

function property(record: RecordType, field: RecordField): string {
  const [type, key] = [typeText(field), cString(field.name)]
  return [
    ...summaryOf([field.summary], '        '),
    `        ${mayBeNull(field)}public ${type} ${propertyName(record, field)} { get => Get<${type}>(${key}); set => this[${key}] = value; }`,
  ].join('\n')
}

function constructorOf(record: RecordType, command: string | undefined): readonly string[] {
  const required = record.fields.filter(({ isRequired }) => isRequired)
  if (required.length === 0 && command === undefined) return []
  const given = required.filter(({ constant }) => constant === undefined)
  const value = (field: RecordField): string => (field.constant === undefined ? parameterName(field) : literal(field.constant))
  return [
    ...summaryOf([given.length === 0 ? '' : 'With what is required.'], '        '),
    `        public ${record.name}(${given.map((field) => `${typeText(field)} ${parameterName(field)}`).join(', ')})${
      command === undefined ? '' : ` : base(Sallyport.Commands.${pascal(command)})`
    }`,
    '        {',
    ...required.map((field) => `            ${propertyName(record, field)} = ${value(field)};`),
    '        }',
    '',
  ]
}

const argumentClass = (record: RecordType, command: string | undefined, sentences: readonly string[]): string =>
  [
    ...summaryOf(command === undefined ? [record.summary] : [`Arguments of ${command}.`, ...sentences], '    '),
    `    public sealed class ${record.name} : ${command === undefined ? 'JsonObject' : 'CallArguments'}`,
    '    {',
    ...constructorOf(record, command),
    record.fields.map((field) => property(record, field)).join('\n'),
    '    }',
  ].join('\n')

/** The text of `generated/Arguments.cs`. */
export function emitArguments(model: Model): string {
  const { types, commands: commandOf }: ArgumentTypes = argumentTypes(model)
  const sentencesOf = new Map(commands(model).map(({ name, sentences }) => [name, sentences]))
  return file(
    'Arguments of commands. A field that is not set is not sent; one that is null is sent as null.',
    ['System.Collections.Generic'],
    types.map((record) => {
      const command = commandOf.get(record.name)
      return argumentClass(record, command, sentencesOf.get(command ?? '') ?? [])
    }),
  )
}
