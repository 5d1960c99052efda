/** The public keys of applications: a kind of setting that normalizes them to one text, and a lookup. */
import { isObject, type Kind, listOf } from './kinds.ts'

const APPLICATION = /^[1-9][0-9]{0,19}$/
/** An Ed25519 public key. */
const KEY = /^[0-9a-f]{64}$/i

const pairsOf = (text: string): string[][] => text.split(',').map((pair) => pair.trim().split('='))

const pair: Kind<string> = (given) => {
  const [id, key, ...more] = given as readonly unknown[]
  const isPair = typeof id === 'string' && typeof key === 'string' && more.length === 0
  return isPair && APPLICATION.test(id) && KEY.test(key) ? `${id}=${key.toLowerCase()}` : undefined
}

/** Accepts `ID=KEY,ID=KEY` or an object; the value is the text. */
export const publicKeys: Kind<string> = (given) => {
  const pairs = typeof given === 'string' ? pairsOf(given) : isObject(given) ? Object.entries(given) : []
  return listOf(pair, pairs)?.join(',')
}

/** The keys by application. `text`: a value of `publicKeys`. */
export const publicKeysOf = (text: string | undefined): ReadonlyMap<string, string> =>
  new Map(text === undefined ? [] : pairsOf(text).map(([id = '', key = '']) => [id, key]))
