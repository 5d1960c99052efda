/** What the texts of C# have in common. */
import type { FieldType, RecordField } from '../record-types.ts'
import { NOTICE } from './text.ts'

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** A documentation comment; none without a sentence. */
export const summaryOf = (sentences: readonly string[], indent: string): readonly string[] => {
  const text = sentences.filter((sentence) => sentence !== '').join(' ')
  return text === '' ? [] : [`${indent}/// <summary>${escaped(text)}</summary>`]
}

/** A file of the namespace. */
export const file = (title: string, usings: readonly string[], parts: readonly string[]): string =>
  [
    `// ${title} ${NOTICE}`,
    ...(usings.length === 0 ? [] : [usings.map((name) => `using ${name};`).join('\n')]),
    `namespace Sallyport\n{\n${parts.join('\n\n')}\n}`,
  ].join('\n\n')

export const SCALARS = { id: 'ulong', text: 'string', integer: 'long', number: 'double', flag: 'bool' } as const

/** Whether the type is one of C#'s value types, which need a `?` to be null. */
export const isValue = ({ kind }: FieldType): boolean => kind === 'id' || kind === 'integer' || kind === 'number' || kind === 'flag'

/** What marks a property that may be null. Value types say it with a `?`. */
export const mayBeNull = ({ type, isOptional }: RecordField): string => (isOptional && !isValue(type) ? '[MayBeNull] ' : '')
