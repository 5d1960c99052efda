/**
 * `npm run docs:site [-- --out DIR]`: makes a static site of the documents. Installs the packages for it once, from the lockfile beside this
 * file. Ends with 1 and a list if a link is broken. The site works below any folder of a file server, and loads nothing from other hosts.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import { parseArgs } from 'node:util'
import { checkLinks } from './built-links.ts'
import { contents, copyOf, llmsFullText, llmsText, navigation } from './lists.ts'
import { summaryOf } from './markdown.ts'
import { between, linker, siteOf, type Tree } from './pages.ts'
import { programsOf, type Protocol, samplesOf, withTabs } from './tabs.ts'

const HERE = import.meta.dirname
const ROOT = resolve(HERE, '../../..')
const MODULES = join(HERE, 'node_modules')
const PROTOCOL = 'protocol/generated/protocol.json'
/** What tools make, and is no part of the documents. */
const MADE = ['**/node_modules', '**/dist', '**/.cache', '**/.git', '**/build']
/** How much more a word counts in a guide, for the search. */
const GUIDE_WEIGHT = 3
/** A file of every site that this command made. */
const MARK = 'assets/site.js'

/** Installs the packages, unless those of this lockfile are there. Throws if npm could not. */
function install(): void {
  const stamp = join(MODULES, '.sallyport-lock')
  const wanted = createHash('sha256')
    .update(readFileSync(join(HERE, 'package-lock.json')))
    .digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  console.log('Installing the packages that make the site. This runs again only when they change…')
  const words = ['ci', '--prefix', HERE, '--ignore-scripts', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error']
  const { status, error } = spawnSync('npm', words, {
    cwd: HERE,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })
  if (status !== 0) throw new Error(`The packages could not be installed (${error?.message ?? 'see above'}). It is safe to try again.`)
  writeFileSync(stamp, wanted)
}

const filesBelow = (folder: string, exclude: readonly string[] = []): readonly string[] =>
  globSync(['**/*', '**/.*', '.*/**/*'], { cwd: folder, exclude })
    .filter((path) => statSync(join(folder, path)).isFile())
    .map((path) => path.split(sep).join('/'))
    .sort()

/** Makes the folder, or removes an earlier site from it. Refuses a folder with anything else in it. */
function empty(out: string): void {
  if (existsSync(out) && readdirSync(out).length > 0) {
    if (!existsSync(join(out, MARK))) throw new Error(`${out} holds other files. Name an empty folder with --out.`)
    rmSync(out, { recursive: true })
  }
  mkdirSync(out, { recursive: true })
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

async function make(out: string): Promise<void> {
  const tree: Tree = { paths: filesBelow(ROOT, MADE), textOf: (path) => readFileSync(join(ROOT, path), 'utf8') }
  const site = siteOf(tree)
  const samples = samplesOf(JSON.parse(tree.textOf(PROTOCOL)) as Protocol)
  const programs = programsOf(tree)
  empty(out)
  install()
  const { writePages, writeSearch } = await import('./generator.ts')

  const toPages = linker(site, (url) => url)
  const sources = site.pages.map((page) => {
    const markdown = withTabs(page, samples, programs)
    const data = {
      title: page.title,
      summary: summaryOf(page.markdown),
      // A reference repeats its words in every row.
      weight: page.section === 'Guides' ? GUIDE_WEIGHT : 1,
      root: between(page.url, 'index.html').replace(/index\.html$/, ''),
      copy: page.section === undefined ? undefined : between(page.url, copyOf(page.url)),
      navigation: navigation(site, page),
      contents: contents(markdown),
    }
    return { url: page.url, markdown: toPages(page, markdown), data }
  })
  await writePages(sources, out)

  const toCopies = linker(site, (url) => copyOf(url))
  const documents = site.pages.filter(({ section }) => section !== undefined)
  const copies = new Map(documents.map((page) => [page, toCopies(page, page.markdown)]))
  for (const [{ url }, markdown] of copies) write(join(out, copyOf(url)), markdown)
  write(join(out, 'llms.txt'), llmsText(site))
  write(join(out, 'llms-full.txt'), llmsFullText(site, copies))
  for (const [from, to] of site.files) cpSync(join(ROOT, from), join(out, to))

  const { checked, broken } = checkLinks(filesBelow(out), (path) => readFileSync(join(out, path), 'utf8'))
  for (const sentence of broken) console.error(sentence)
  if (broken.length > 0) throw new Error(`${broken.length} of ${checked} links are broken.`)
  await writeSearch(out)
  console.log(`${documents.length} documents and ${site.pages.length - documents.length} pages of source code in ${out}`)
  console.log(`${checked} links lead somewhere, ${samples.size} calls and events have code in each language`)
}

try {
  const { values } = parseArgs({ options: { out: { type: 'string', default: join(HERE, 'dist') } } })
  await make(resolve(values.out))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
