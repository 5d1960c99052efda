/** Words that the project does not use, since the field has a term for what each would say. CONTRIBUTING.md has the glossary. */

/** A word, and what to write for it. */
const BANNED: Readonly<Record<string, string>> = {
  told: 'sent, published, reported',
  tell: 'send, publish, report',
  tells: 'sends, publishes, reports',
  telling: 'sending, publishing, reporting',
  wish: 'request, subscription',
  wishes: 'requests, subscriptions',
  knock: 'attempt',
  shelf: 'queue, collection',
  deputy: 'detached session',
  doorkeeper: 'request guard',
  whoever: 'the actor',
  whatever: 'the thing',
  somebody: 'the actor',
  someone: 'the actor',
  nobody: 'no game, no program, no user',
  everybody: 'every game, every user',
  anybody: 'any game, any user',
  oftener: 'more often',
  party: "account, identity; only the platform's activity has a party",
}
const PATTERN = new RegExp(`\\b(?:${Object.keys(BANNED).join('|')})\\b`, 'gi')

/** What the field calls the licences of others, as in the name of the file. */
const THIRD_PARTY = /third-party/gi
/** Where `party` is the platform's own word, and a file that names the shell of Tcl/Tk, which is called wish. */
const PARTY = /^(?:protocol\/|daemon\/docs\/|bindings\/|test\/|daemon\/sandbox\/|daemon\/src\/(?:presence|social|events|rpc|operator)\/)/
const EXEMPT: readonly string[] = [
  'test/architecture/words.ts',
  'test/architecture/words.test.ts',
  'daemon/src/identity/interpreter-table.ts',
]

/** `path:line: word (write …)` for each. Identifiers count word by word: `toldGuilds` holds `told`. */
export function bannedIn(path: string, text: string): readonly string[] {
  if (EXEMPT.includes(path)) return []
  return text.split('\n').flatMap((line, index) => {
    const words = line
      .replaceAll(THIRD_PARTY, '')
      .replace(/([a-z\d])([A-Z])/g, '$1 $2')
      .replaceAll('_', ' ')
    return (words.match(PATTERN) ?? [])
      .map((word) => word.toLowerCase())
      .filter((word) => word !== 'party' || !PARTY.test(path))
      .map((word) => `${path}:${index + 1}: ${word} (write ${BANNED[word]})`)
  })
}
