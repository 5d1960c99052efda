/**
 * What a test command runs. `npm test`: every check and the fast tests. `npm test -- PATH…`: what answers in seconds, for the files and folders
 * of tests that the paths name. `--all`: everything; with `--endurance` also ten minutes of fifty games.
 */
import { globSync, statSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'

const TESTS = import.meta.dirname
const ROOT = resolve(TESTS, '..')

/** Fast tests: no process, no browser, no compiler. */
const FAST: readonly string[] = ['unit/', 'architecture/', 'conformance/']

/** Type-aware lint: of the whole tree, or of the folders with files that git calls changed. */
export type LintByTypes = 'whole' | 'changed'

export interface Plan {
  readonly kind: 'fast' | 'part' | 'all'
  readonly lintByTypes: LintByTypes
  /** Whether the format of the tree is checked. */
  readonly checksFormat: boolean
  /** Whether the bundled program is made, which end-to-end tests start. */
  readonly makesProgram: boolean
  /** Whether the executable is made, which end-to-end tests start too. A part of the tests takes the one that is there. */
  readonly makesPackage: boolean
  /** Whether fifty games play for ten minutes at the executable (test/endurance). */
  readonly endures: boolean
  /** Every end-to-end test runs against the executable too, not only those of the smoke set. */
  readonly isPackaged: boolean
  /** Paths of tests, and options, as vitest takes them. Empty: every test. */
  readonly vitest: readonly string[]
}

export interface Refused {
  readonly refusal: string
}

/** A path as vitest takes it: a part of a file's path. Whole, so that no other file has it in the middle of its own. */
const filterOf = (path: string): string => {
  const whole = join(TESTS, path)
  return statSync(whole).isDirectory() ? `${whole}${sep}` : whole
}

/** The path from `test/`, for a path from there or from the root of the repository; a pattern may stand for several. */
function testsAt(word: string): readonly string[] {
  const found = [TESTS, ROOT].map((folder) => globSync(word, { cwd: folder }).map((path) => relative(TESTS, join(folder, path))))
  return (found.find((paths) => paths.length > 0) ?? []).map((path) => path.split(sep).join('/'))
}

const OWN: readonly string[] = ['--all', '--packaged', '--endurance']

/** `words`: the arguments of the command. */
export function planOf(words: readonly string[]): Plan | Refused {
  const isAll = words.includes('--all')
  const given = words.filter((word) => !OWN.includes(word))
  const options = given.filter((word) => word.startsWith('-'))
  const named = given.filter((word) => !word.startsWith('-')).map((word) => ({ word, paths: testsAt(word) }))
  const missing = named.find(({ paths }) => paths.length === 0)
  if (missing !== undefined) return { refusal: `No test is at ${missing.word}. Name a file or a folder below test/.` }
  const outside = named.find(({ paths }) => paths.some((path) => path.startsWith('..')))
  if (outside !== undefined) return { refusal: `${outside.word} holds no tests. Name a file or a folder below test/.` }
  const chosen = named.flatMap(({ paths }) => paths)
  const isPart = chosen.length > 0 && !isAll
  const vitest = isAll || isPart ? chosen : FAST
  const makesPackage = isAll && process.platform === 'linux' && process.arch === 'x64'
  return {
    kind: isAll ? 'all' : isPart ? 'part' : 'fast',
    lintByTypes: isPart ? 'changed' : 'whole',
    checksFormat: !isPart,
    makesProgram: isAll || !vitest.every((path) => FAST.some((folder) => `${path}/`.startsWith(folder))),
    makesPackage,
    endures: makesPackage && words.includes('--endurance'),
    isPackaged: words.includes('--packaged'),
    vitest: [...vitest.map(filterOf), ...options],
  }
}
