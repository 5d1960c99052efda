/** The encodings of a secret in a text: plain, JSON, URL or form. */
import { TextSearch } from './text-search.ts'

/** Shorter texts may be ordinary words and are not treated as secrets. */
const MIN_SECRET_CHARACTERS = 8
/** Of all encodings of all secrets. A sign-in has a few thousand; with more, every text counts as one with a secret, so that memory is bounded. */
const MAX_SOUGHT_CHARACTERS = 65_536

const NOT_ASCII = /[^\x20-\x7e]/g
const PERCENT = /%[0-9A-F]{2}/g

const inAscii = (json: string): string => json.replace(NOT_ASCII, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

function variantsOf(secret: string): readonly string[] {
  const json = JSON.stringify(secret).slice(1, -1)
  const percent = encodeURIComponent(secret.toWellFormed())
  const form = new URLSearchParams({ '': secret }).toString().slice(1)
  const encoded = [percent, form]
  return [secret, json, inAscii(json), ...encoded, ...encoded.map((one) => one.replace(PERCENT, (code) => code.toLowerCase()))]
}

/** Removes all escapes, so that JSON nested at any depth looks the same. */
const unescaped = (text: string): string => text.replaceAll('\\', '')

/** For `containsSecret`. */
export type SecretSearch = Pick<TextSearch, 'isIn'>

const NOTHING: SecretSearch = { isIn: () => false }
const EVERYTHING: SecretSearch = { isIn: () => true }

/** Searches for all variants of the secrets. */
export function secretVariants(secrets: readonly string[]): SecretSearch {
  const long = new Set(secrets.filter(({ length }) => length >= MIN_SECRET_CHARACTERS))
  if (long.size === 0) return NOTHING
  const sought = new Set<string>()
  let characters = 0
  for (const secret of long) {
    // The encodings of a text are no shorter.
    if (characters + secret.length > MAX_SOUGHT_CHARACTERS) return EVERYTHING
    for (const variant of variantsOf(secret).map(unescaped)) {
      if (sought.has(variant)) continue
      sought.add(variant)
      characters += variant.length
    }
  }
  return characters > MAX_SOUGHT_CHARACTERS ? EVERYTHING : new TextSearch([...sought])
}

/** Whether the text contains one of them. */
export const containsSecret = (text: string, secrets: SecretSearch): boolean => secrets.isIn(unescaped(text))
