/** Reads how parts are joined: what openers take, what is filled in later, and slots that hold one listener. `npm run figures` counts the same. */

/** The names that an opener takes: the members of its one parameter, `{ a, b }: Parts` or `parts: Parts`. */
export function openerArguments(text: string, name: string): readonly string[] {
  const parts = new RegExp(`export function ${name}\\([^)]*?:\\s*(\\w+)\\s*\\)`).exec(text)?.[1]
  const [, body = ''] = new RegExp(`interface ${parts} \\{\\n([\\s\\S]*?)\\n\\}`).exec(text) ?? []
  return [...body.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, member = '']) => member)
}

const lines = (text: string, pattern: RegExp): readonly string[] =>
  text
    .split('\n')
    .filter((line) => pattern.test(line))
    .map((line) => line.trim())

/** Lines of the composition that assign a member of an object, or a variable that is filled later. */
export const givenLater = (code: string): readonly string[] => lines(code, /^\s*let\s|^\s*[a-z]\w*(?:\.\w+)+\s*=[^=>]/)

/** Members that hold one listener of a change, which the next one would replace. A timer's cancel function is none. */
export const singleListeners = (code: string): readonly string[] =>
  lines(code, /^\s+#?on[A-Z]\w*: \(.*\) => \w+ = \(|^\s+on[A-Z]\w*\(listener\b/)
