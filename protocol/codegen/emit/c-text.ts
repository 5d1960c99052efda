/** C text: names, doc comments and constants. */
import { lowerSnake, upperSnake } from './names.ts'

const PREFIX = 'SALLYPORT'
const COLUMNS = 120

/** `SET_ACTIVITY`, `rpc.voice.read` or `frameBytes` as the last part of a constant. */
export const constantName = (kind: string, name: string): string => [PREFIX, kind, upperSnake(name)].filter((part) => part !== '').join('_')

/** `LobbyMember` as the last part of a type or function. */
export const typeName = (name: string): string => `sallyport_${lowerSnake(name)}`

/** A text that cannot end its comment, begin another one or form a trigraph. */
const plain = (text: string): string => text.replaceAll('*/', '* /').replaceAll('/*', '/ *').replace(/\s+/g, ' ').trim()

export const cString = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`

/** Sentences in one comment, each from a line of its own if they do not fit into one. */
export function doc(sentences: readonly string[], indent = ''): string {
  const texts = sentences.map(plain).filter((text) => text !== '')
  const single = `${indent}/** ${texts.join(' ')} */`
  if (single.length <= COLUMNS) return single
  const lines = texts.flatMap((text) => {
    const wrapped: string[] = []
    for (const word of text.split(' ')) {
      const line = wrapped.at(-1)
      if (line === undefined || indent.length + line.length + word.length + 4 > COLUMNS) wrapped.push(word)
      else wrapped[wrapped.length - 1] = `${line} ${word}`
    }
    return wrapped
  })
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`), `${indent} */`].join('\n')
}

export const define = (name: string, value: string, sentences: readonly string[] = []): string =>
  [...(sentences.length === 0 ? [] : [doc(sentences)]), `#define ${name} ${value}`].join('\n')

export const defineText = (name: string, value: string, sentences: readonly string[] = []): string =>
  define(name, cString(value), sentences)

export interface Member {
  readonly name: string
  readonly value: number
  readonly sentences: readonly string[]
}

export const enumeration = (type: string, sentences: readonly string[], members: readonly Member[]): string =>
  [
    doc(sentences),
    `typedef enum ${type} {`,
    members
      .map(({ name, value, sentences: own }) => [...(own.length === 0 ? [] : [doc(own, '  ')]), `  ${name} = ${value}`].join('\n'))
      .join(',\n'),
    `} ${type};`,
  ].join('\n')
