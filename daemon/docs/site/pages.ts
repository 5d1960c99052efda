/** Which documents are pages of the site, where each stands, and in which list. Pure: the caller lists and reads the files. */
import { posix } from 'node:path'
import { isExternal, targetsOf, titleOf, withTargets } from './markdown.ts'

/** The committed files of a checkout, from its root with forward slashes, and how to read one. */
export interface Tree {
  readonly paths: readonly string[]
  readonly textOf: (path: string) => string
}

export interface Page {
  /** Path of the document in the repository; of a page of source code, the path of that file. */
  readonly source: string
  /** Path of the page in the site, without a slash before it. */
  readonly url: string
  readonly title: string
  /** The list of the site that has it; undefined for source code. */
  readonly section: string | undefined
  /** The list in that list, if it is long. */
  readonly group: string | undefined
  readonly markdown: string
}

export interface Site {
  readonly pages: readonly Page[]
  /** Files that the site has as they are, such as pictures: from the path in the repository to that in the site. */
  readonly files: ReadonlyMap<string, string>
}

interface Place {
  /** A folder of the repository with its slash, or one document. The first that matches decides. */
  readonly from: string
  /** Where its pages stand in the site. */
  readonly to: string
  readonly section: string
  /** Whether each folder in it is a list of its own. */
  readonly isGrouped?: true
}

/** In the order of the lists. */
const PLACES: readonly Place[] = [
  { from: 'README.md', to: '', section: 'Start' },
  { from: 'daemon/docs/guides/', to: 'guides/', section: 'Guides' },
  { from: 'bindings/engines/', to: 'clients/', section: 'Clients' },
  { from: 'bindings/', to: 'clients/', section: 'Clients' },
  { from: 'daemon/sandbox/', to: 'sandbox/', section: 'Sandbox' },
  { from: 'protocol/generated/reference/', to: 'reference/', section: 'Reference', isGrouped: true },
  { from: 'daemon/docs/design/', to: 'design/', section: 'Design' },
  { from: 'daemon/docs/decisions/', to: 'decisions/', section: 'Decisions' },
  { from: 'daemon/docs/', to: 'daemon/', section: 'How it works' },
  { from: 'daemon/', to: 'daemon/', section: 'How it works' },
  { from: '', to: 'project/', section: 'Project' },
]
export const SECTIONS: readonly string[] = [...new Set(PLACES.map(({ section }) => section))]

/** Forms of the place where the source is kept. */
const isLeftOut = (path: string): boolean => path.startsWith('.github/')

const isDocument = (path: string): boolean => path.endsWith('.md') && !isLeftOut(path)
/** Files that a browser shows by itself. */
const isShownAsItIs = (path: string): boolean => /\.(?:png|svg|json)$/.test(path)

const capital = (word: string): string => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`

/** `README.md` is the page of its folder. */
const urlOf = (path: string): string =>
  path
    .replace(/(?:^|(?<=\/))README\.md$/, 'index.html')
    .replace(/\.md$/, '.html')
    .toLowerCase()

function pageOf(path: string, markdown: string): Page {
  const place = PLACES.find(({ from }) => path === from || ((from.endsWith('/') || from === '') && path.startsWith(from)))
  if (place === undefined) throw new Error(`${path} has no place in the site`)
  const { from, to, section, isGrouped } = place
  const inside = path === from ? path : path.slice(from.length)
  const folder = posix.dirname(inside)
  const group = isGrouped === true && folder !== '.' ? capital(folder) : undefined
  const title = titleOf(markdown)
  if (title === undefined) throw new Error(`${path} has no heading of the first level`)
  return { source: path, url: `${to}${urlOf(inside)}`, title, section, group, markdown }
}

const FENCES: Readonly<Record<string, string>> = {
  c: 'c',
  h: 'c',
  cpp: 'cpp',
  hpp: 'cpp',
  cs: 'csharp',
  lua: 'lua',
  py: 'python',
  ts: 'ts',
  mjs: 'js',
  gd: 'gdscript',
  md: 'markdown',
}

/** A page with the text of a file that no document is. */
function sourcePage(path: string, text: string): Page {
  const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length + 1)))
  const language = FENCES[posix.extname(path).slice(1)] ?? ''
  const markdown = `# ${posix.basename(path)}\n\n\`${path}\`\n\n${fence}${language}\n${text.trimEnd()}\n${fence}\n`
  return {
    source: path,
    url: `files/${path.replace(/^\./, '')}.html`,
    title: posix.basename(path),
    section: undefined,
    group: undefined,
    markdown,
  }
}

/** A page that lists a folder. */
function folderPage(folder: string, paths: readonly string[]): Page {
  const rows = paths.map((path) => `- [${posix.relative(folder, path)}](${posix.relative(folder, path)})`)
  const markdown = `# ${posix.basename(folder)}\n\n\`${folder}\`\n\n${rows.join('\n')}\n`
  return {
    source: folder,
    url: `files/${folder}/index.html`,
    title: posix.basename(folder),
    section: undefined,
    group: undefined,
    markdown,
  }
}

/** The path in the repository that a link of a document leads to, and its anchor. */
export function destination(source: string, target: string): { readonly path: string; readonly anchor: string | undefined } {
  const [file = '', anchor] = decodeURI(target).split('#')
  // The page of a folder is named by the folder, so its links begin there.
  const folder = source.split('/').at(-1)?.includes('.') === true ? posix.dirname(source) : source
  return { path: file === '' ? source : posix.join(folder, file).replace(/\/$/, ''), anchor }
}

/** Documents in the order of the lists: within one the page of the folder, then those that the first page names, in its order, then by title. */
function inOrder(pages: readonly Page[], first: string): readonly Page[] {
  const isIndex = ({ url }: Page): boolean => /^[^/]*\/?index\.html$/.test(url)
  const named = targetsOf(first).map(({ target }) => target)
  const rank = ({ source }: Page): number => (named.includes(source) ? named.lastIndexOf(source) : named.length)
  return [...pages].sort(
    (a, b) =>
      SECTIONS.indexOf(a.section ?? '') - SECTIONS.indexOf(b.section ?? '') ||
      Number(isIndex(b)) - Number(isIndex(a)) ||
      rank(a) - rank(b) ||
      a.title.localeCompare(b.title, 'en'),
  )
}

/** Every page of the site: the documents, and the files and folders that they link to. Throws for a link that leads nowhere. */
export function siteOf(tree: Tree): Site {
  const documents = inOrder(
    tree.paths.filter(isDocument).map((path) => pageOf(path, tree.textOf(path))),
    tree.textOf('README.md'),
  )
  const pages = new Map(documents.map((page) => [page.source, page]))
  const files = new Map<string, string>()
  const add = (path: string, from: string): void => {
    if (pages.has(path) || files.has(path) || pages.has(`${path}/README.md`)) return
    const inside = tree.paths.filter((one) => one.startsWith(`${path}/`))
    if (tree.paths.includes(path)) {
      if (isShownAsItIs(path)) files.set(path, `files/${path}`)
      else pages.set(path, sourcePage(path, tree.textOf(path)))
    } else if (inside.length > 0) {
      pages.set(path, folderPage(path, inside))
      for (const one of inside) add(one, path)
    } else throw new Error(`${from}: a link leads to ${path}, which is not there`)
  }
  for (const { source, markdown } of documents) {
    for (const { target } of targetsOf(markdown)) if (!isExternal(target)) add(destination(source, target).path, source)
  }
  const urls = Map.groupBy(pages.values(), ({ url }) => url)
  for (const [url, [first, second]] of urls) {
    if (second !== undefined) throw new Error(`${first?.source} and ${second.source} have the same place in the site: ${url}`)
  }
  return { pages: [...pages.values()], files }
}

/** From one place of the site to another, so that the site works below any folder of a server. */
export const between = (from: string, to: string): string => posix.relative(posix.dirname(from), to) || posix.basename(to)

/**
 * What leads the links of a page to places of the site, in its Markdown, which may have been changed. `placeOf`: the form of a page they lead to.
 */
export function linker({ pages, files }: Site, placeOf: (url: string) => string): (page: Page, markdown: string) => string {
  const places = new Map([...pages.map(({ source, url }) => [source, placeOf(url)] as const), ...files])
  return ({ source, url }, markdown) =>
    withTargets(markdown, (target) => {
      if (isExternal(target)) return target
      const { path, anchor } = destination(source, target)
      const place = places.get(path) ?? places.get(posix.join(path, 'README.md'))
      if (place === undefined) throw new Error(`${source}: a link leads to ${target}, which the site does not have`)
      return `${encodeURI(between(placeOf(url), place))}${anchor === undefined ? '' : `#${anchor}`}`
    })
}
