/** Applies a patch in the unified format to texts. Strict: every line of context must be where the patch says, or a little further. */

/** Changed files: the path from the root, and the new text. */
export type Patched = ReadonlyMap<string, string>

interface Hunk {
  /** The line of the old text, from 0. */
  readonly at: number
  readonly before: readonly string[]
  readonly after: readonly string[]
}

const FILE = /^\+\+\+ b\/(.+)$/
const HUNK = /^@@ -(\d+)/
/** How many lines a hunk may have moved, by changes above it. */
const MOVED_MAX = 200

function hunksOf(patch: string): ReadonlyMap<string, readonly Hunk[]> {
  const files = new Map<string, Hunk[]>()
  let hunks: Hunk[] = []
  let hunk: { readonly at: number; readonly before: string[]; readonly after: string[] } | undefined
  for (const line of patch.split('\n')) {
    const [, file] = FILE.exec(line) ?? []
    const [, at] = HUNK.exec(line) ?? []
    if (file !== undefined) {
      hunks = []
      files.set(file, hunks)
      hunk = undefined
    } else if (at !== undefined) {
      hunk = { at: Number(at) - 1, before: [], after: [] }
      hunks.push(hunk)
    } else if (hunk !== undefined && /^[ +-]/.test(line) && !line.startsWith('--- ')) {
      if (!line.startsWith('+')) hunk.before.push(line.slice(1))
      if (!line.startsWith('-')) hunk.after.push(line.slice(1))
    }
  }
  return files
}

/** Where the lines are, as near to the place as they are found; undefined if nowhere. */
function placeOf(lines: readonly string[], { at, before }: Hunk): number | undefined {
  const isThere = (place: number): boolean => before.every((line, index) => lines[place + index] === line)
  for (let moved = 0; moved <= MOVED_MAX; moved++)
    for (const place of [at + moved, at - moved]) if (place >= 0 && isThere(place)) return place
  return undefined
}

/** `read`: the text of a file, by its path from the root. Throws if a hunk does not apply, or the patch changes nothing. */
export function applyPatch(patch: string, read: (path: string) => string): Patched {
  const files = hunksOf(patch)
  if (files.size === 0) throw new Error('the patch names no file')
  return new Map(
    [...files].map(([path, hunks]) => {
      const lines = read(path).split('\n')
      // From the end, so that the places above stay.
      for (const hunk of hunks.toReversed()) {
        const place = placeOf(lines, hunk)
        if (place === undefined) throw new Error(`the patch does not apply to ${path} at line ${hunk.at + 1}`)
        lines.splice(place, hunk.before.length, ...hunk.after)
      }
      return [path, lines.join('\n')]
    }),
  )
}
