/** What the Markdown files refer to: links, anchors, and paths of the repository in backticks. Pure: the caller lists and reads the files. */
import { posix } from 'node:path'
import { headingsOf, isExternal, targetsOf, withoutBlocks } from '#daemon/docs/site/markdown.ts'
import type { Tree } from '#daemon/docs/site/pages.ts'

export interface References {
  readonly checked: number
  /** `file:line: sentence` for each that leads nowhere. */
  readonly broken: readonly string[]
}

interface Found {
  readonly line: number
  readonly target: string
}

const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length

/** Targets of links and pictures, without those of code. */
export const linksOf = (text: string): readonly Found[] => targetsOf(text).map(({ at, target }) => ({ line: lineAt(text, at), target }))

/** What stands in backticks on one line, outside of code blocks. */
export const codeOf = (text: string): readonly Found[] =>
  [...withoutBlocks(text).matchAll(/(?<!`)`([^`\n]+)`(?!`)/g)].map((match) => ({ line: lineAt(text, match.index), target: match[1] ?? '' }))

/** The anchors of a page. */
export const anchorsOf = (text: string): ReadonlySet<string> => new Set(headingsOf(text).map(({ anchor }) => anchor))

/** Folders as the last part of a path too. */
function placesOf(paths: readonly string[]): ReadonlySet<string> {
  const places = new Set<string>([''])
  for (const path of paths) {
    for (let place = path; place !== '.' && !places.has(place); place = posix.dirname(place)) places.add(place)
  }
  return places
}

/** Relative links and their anchors. */
export function linksIn({ paths, textOf }: Tree): References {
  const places = placesOf(paths)
  const known = new Map<string, ReadonlySet<string>>()
  const anchorsAt = (place: string): ReadonlySet<string> => {
    const anchors = known.get(place) ?? anchorsOf(place.endsWith('.md') ? textOf(place) : '')
    known.set(place, anchors)
    return anchors
  }
  const broken: string[] = []
  let checked = 0
  for (const path of paths.filter((name) => name.endsWith('.md'))) {
    for (const { line, target } of linksOf(textOf(path))) {
      if (isExternal(target)) continue
      checked += 1
      const [file = '', anchor] = decodeURI(target).split('#')
      const place = file === '' ? path : posix.join(posix.dirname(path), file).replace(/\/$/, '').replace(/^\.$/, '')
      if (!places.has(place)) broken.push(`${path}:${line}: no file ${place}`)
      else if (anchor !== undefined && !anchorsAt(place).has(anchor)) broken.push(`${path}:${line}: no heading #${anchor} in ${place}`)
    }
  }
  return { checked, broken }
}

const PATH = /^[\w@*.-]+(?:\/[\w@*.-]+)*\/?$/
const SOURCE = /\.(?:ts|mjs|hpp)$/
/** Begins as a path of ours does, and is below the folder of sockets. */
const RUNTIME = /^app\/com\./
/** Folders that the tools make. A page may name them. */
const isMade = (path: string): boolean => /(?:^|\/)(?:dist|node_modules|\.cache|build)(?:\/|$)/.test(path)

/** Folders from which a page may name a path: the root, its own folder and those above, their sources and headers, and the tests. */
function basesOf(page: string): readonly string[] {
  const above: string[] = []
  for (let folder = posix.dirname(page); folder !== '.'; folder = posix.dirname(folder)) above.push(folder)
  return [
    '',
    ...above,
    ...above.flatMap((folder) => [`${folder}/src`, `${folder}/include`]),
    'test',
    ...(page.startsWith('daemon/') ? [] : ['daemon']),
  ]
}

const pattern = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[.+^$()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]*')}(?:\\.test\\.ts)?$`)

/**
 * Paths in backticks. A text is one if it has a slash and begins with a file or folder of a place from which the page names paths, or if it is
 * the name of a source file; that is the name of any file. Tests may be named without their ending.
 */
export function pathsIn({ paths, textOf }: Tree): References {
  const places = placesOf(paths)
  const names = new Set(paths.map((path) => posix.basename(path)))
  const has = (path: string): boolean => {
    if (places.has(path) || places.has(`${path}.test.ts`)) return true
    return path.includes('*') && paths.some((one) => pattern(path).test(one))
  }
  const broken: string[] = []
  let checked = 0
  for (const page of paths.filter((name) => name.endsWith('.md'))) {
    const bases = basesOf(page)
    for (const { line, target } of codeOf(textOf(page))) {
      const path = target.replace(/\/$/, '')
      if (!PATH.test(target) || isMade(path) || RUNTIME.test(target)) continue
      if (!target.includes('/')) {
        if (!SOURCE.test(target) || target.includes('*') || target.startsWith('.')) continue
        checked += 1
        if (!names.has(target)) broken.push(`${page}:${line}: no file is called ${target}`)
        continue
      }
      const [first = ''] = path.split('/')
      const starts = bases.filter((base) => places.has(posix.join(base, first)))
      if (starts.length === 0 && !SOURCE.test(path)) continue
      checked += 1
      if (!bases.some((base) => has(posix.join(base, path)))) broken.push(`${page}:${line}: no path ${target}`)
    }
  }
  return { checked, broken }
}
