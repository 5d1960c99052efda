/** How a secret looks where somebody repeats it: as it was sent, or as JSON, an address or a form spell it. */

/** Shorter texts are ordinary words, which must not hide every sentence that holds one. */
const SECRET_CHARACTERS = 8

const NOT_ASCII = /[^\x20-\x7e]/g
const PERCENT = /%[0-9A-F]{2}/g

const inAscii = (json: string): string => json.replace(NOT_ASCII, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

function spellingsOf(secret: string): readonly string[] {
  const json = JSON.stringify(secret).slice(1, -1)
  const percent = encodeURIComponent(secret.toWellFormed())
  const form = new URLSearchParams({ '': secret }).toString().slice(1)
  const addresses = [percent, form]
  return [secret, json, inAscii(json), ...addresses, ...addresses.map((one) => one.replace(PERCENT, (code) => code.toLowerCase()))]
}

/** What must not be found in a text that is shown when none of the secrets may be; for `repeats`. */
export const guarded = (secrets: readonly string[]): readonly string[] => [
  ...new Set(secrets.filter(({ length }) => length >= SECRET_CHARACTERS).flatMap(spellingsOf)),
]

/** JSON within JSON escapes what is escaped once more: without any escapes, all depths look the same. */
const unescaped = (text: string): string => text.replaceAll('\\', '')

/** Whether the text holds one of them. */
export function repeats(text: string, secrets: readonly string[]): boolean {
  const plain = unescaped(text)
  return secrets.some((secret) => plain.includes(unescaped(secret)))
}
