/** The encodings of a secret in a text: plain, JSON, URL or form. */

/** Shorter texts may be ordinary words and are not treated as secrets. */
const MIN_SECRET_CHARACTERS = 8

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

/** All variants of the secrets, for `containsSecret`. */
export const secretVariants = (secrets: readonly string[]): readonly string[] => [
  ...new Set(secrets.filter(({ length }) => length >= MIN_SECRET_CHARACTERS).flatMap(variantsOf)),
]

/** Removes all escapes, so that JSON nested at any depth looks the same. */
const unescaped = (text: string): string => text.replaceAll('\\', '')

/** Whether the text contains one of them. */
export function containsSecret(text: string, secrets: readonly string[]): boolean {
  if (secrets.length === 0) return false
  const unescapedText = unescaped(text)
  return secrets.some((secret) => unescapedText.includes(unescaped(secret)))
}
