/** The public keys of applications: a schema that normalizes them to one text, and a lookup. */
import * as z from 'zod'

const APPLICATION = /^[1-9][0-9]{0,19}$/
/** An Ed25519 public key. */
const KEY = /^[0-9a-f]{64}$/i

const Pair = z.tuple([z.string().regex(APPLICATION), z.string().regex(KEY).toLowerCase()])
const pairsOf = (text: string): string[][] => text.split(',').map((pair) => pair.trim().split('='))
const textOf = (pairs: readonly (readonly [string, string])[]): string => pairs.map((pair) => pair.join('=')).join(',')

/** Accepts `ID=KEY,ID=KEY` or an object; the output is the text. */
export const PublicKeys = z
  .union([z.string().min(1).transform(pairsOf), z.record(z.string(), z.string()).transform((keys) => Object.entries(keys))])
  .pipe(z.array(Pair).min(1))
  .transform(textOf)

/** The keys by application. `text`: the output of PublicKeys. */
export const publicKeysOf = (text: string | undefined): ReadonlyMap<string, string> =>
  new Map(text === undefined ? [] : pairsOf(text).map(([id = '', key = '']) => [id, key]))
