/** The constants of the protocol with their doc sentences, the same for every language. */
import type { EndpointCommand, Model, OwnCommand } from '../model.ts'

/** One constant. Emitters form its name in their language from `name`. */
export interface Constant<Value extends string | number = string> {
  readonly name: string
  readonly value: Value
  readonly sentences: readonly string[]
}

const scopesSentence = (requirement: readonly (readonly string[])[]): string => {
  const sets = requirement.map((set) => set.join(' and ')).filter((set) => set !== '')
  return sets.length === 0 || sets.length < requirement.length ? 'Needs no scope.' : `Scopes: ${sets.join(', or ')}.`
}

const errorsSentence = (names: readonly string[]): string => (names.length === 0 ? '' : `Errors: ${names.join(', ')}.`)
const sinceSentence = (since: string): string => `Since contract ${since}.`

export const CONTRACT_VERSION_SENTENCE = 'Version of the contract, MAJOR.MINOR; part of the handshake.'

/** Numbers of the wire, by a name in camel case. */
export const wireNumbers = ({ wire: { headerBytes, slots }, protocolVersion }: Model): readonly Constant<number>[] => [
  { name: 'protocolVersion', value: protocolVersion, sentences: ['`v` of the handshake.'] },
  { name: 'headerBytes', value: headerBytes, sentences: ['Type of the frame and length of the payload, both uint32 little endian.'] },
  { name: 'slotCount', value: slots, sentences: ['Slots that clients try, ascending.'] },
]

export const OPCODES_SENTENCE = 'Types of frames.'
export const opcodes = ({ wire }: Model): readonly Constant<number>[] =>
  Object.entries(wire.opcodes).map(([name, value]) => ({ name, value, sentences: [] }))

export const ERRORS_SENTENCE = 'Codes of ERROR responses.'
export const errorCodes = ({ errors }: Model): readonly (Constant<number> & { readonly retryable: boolean })[] =>
  errors.map(({ name, code, summary, retryable }) => ({
    name,
    value: code,
    retryable,
    sentences: [summary, retryable ? 'The same call may succeed later.' : ''],
  }))

export const CLOSE_CODES_SENTENCE = 'Codes of CLOSE frames. The numbers differ in meaning from those of errors.'
export const closeCodes = ({ closeCodes: rows }: Model): readonly Constant<number>[] =>
  rows.map(({ name, code, summary }) => ({ name, value: code, sentences: [summary] }))

/** Limits that games meet; the others are in `protocol.json` and in the reference. */
export const limits = ({ limits: rows }: Model): readonly Constant<number>[] =>
  rows
    .filter(({ audience }) => audience === 'games')
    .map(({ name, value, unit, summary }) => ({ name, value, sentences: [summary, `Unit: ${unit}.`] }))

export const scopes = ({ scopes: rows }: Model): readonly Constant[] =>
  rows.map(({ name, summary, expandsTo }) => ({
    name,
    value: name,
    sentences: [summary, expandsTo === undefined ? '' : `Includes ${expandsTo.join(', ')}.`],
  }))

/** The default scopes, separated by spaces. */
export const defaultScopes = ({ defaultScopes: rows }: Model): readonly Constant[] =>
  Object.entries(rows).map(([use, names]) => ({
    name: `${use}Scopes`,
    value: names.join(' '),
    sentences: [`Default scopes of an authorization for ${use}.`],
  }))

/** `value` is the number of the bit. */
export const permissions = ({ permissions: rows }: Model): readonly Constant<number>[] =>
  rows.map(({ name, shift, summary }) => ({ name, value: shift, sentences: [summary] }))

export const KEYED_COMMANDS_SENTENCE = 'Commands whose calls take a `key`: a repeat may have another effect.'

export function commands({ commands: rows, endpoints }: Model): readonly (Constant & { readonly isKeyed: boolean })[] {
  const endpointOf = new Map(endpoints.map((row) => [row.name, row]))
  return rows.map((row: OwnCommand | EndpointCommand) => {
    const described = 'endpoint' in row ? endpointOf.get(row.endpoint) : row
    if (described === undefined) throw new Error(`no endpoint is named ${row.name}`)
    const { summary, since } = described
    const isKeyed = 'keyed' in row
    const keySentence = isKeyed ? 'Takes a key.' : ''
    const sentences = [summary, scopesSentence(row.scopes), keySentence, errorsSentence(row.errors), sinceSentence(since)]
    return { name: row.name, value: row.name, isKeyed, sentences }
  })
}

export const keyedCommands = (model: Model): readonly Constant[] => commands(model).filter(({ isKeyed }) => isKeyed)

export const events = ({ events: rows }: Model): readonly (Constant & { readonly isAutomatic: boolean })[] =>
  rows.map(({ name, summary, delivery, scopes: required, since }) => ({
    name,
    value: name,
    isAutomatic: delivery === 'automatic',
    sentences: [summary, delivery === 'automatic' ? 'Sent without a subscription.' : '', scopesSentence(required), sinceSentence(since)],
  }))

/** A set of texts that a field can have. */
export interface TextSet {
  readonly name: string
  readonly summary: string
  readonly texts: readonly string[]
}

export const textSets = ({ $defs }: Model): readonly TextSet[] =>
  Object.entries($defs).flatMap(([name, schema]) => {
    const { enum: texts, description } = schema
    if (!Array.isArray(texts) || !texts.every((text) => typeof text === 'string')) return []
    return [{ name, summary: typeof description === 'string' ? description : '', texts }]
  })

/** A set of numbers that a field can have. */
export interface NumberSetConstants {
  readonly name: string
  readonly summary: string
  readonly numbers: readonly Constant<number>[]
}

export const numberSets = ({ numberSets: sets }: Model): readonly NumberSetConstants[] =>
  sets.map(({ name, summary, numbers }) => ({
    name,
    summary,
    numbers: Object.entries(numbers).map(([key, value]) => ({ name: key, value, sentences: [] })),
  }))
