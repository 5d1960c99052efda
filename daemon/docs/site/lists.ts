/** The lists of pages: as HTML beside each page, and as text for language models (llms.txt). Pure. */
import { headingsOf, summaryOf } from './markdown.ts'
import { between, type Page, SECTIONS, type Site } from './pages.ts'

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign)

/** A title without the name of the list that it stands in. */
const shortTitle = ({ title, group }: Page): string =>
  group !== undefined && title.startsWith(`${group}: `) ? title.slice(group.length + 2) : title

function itemsOf(pages: readonly Page[], current: Page): string {
  const items = pages.map((page) => {
    const mark = page === current ? ' aria-current="page"' : ''
    return `<li><a href="${between(current.url, page.url)}"${mark}>${escaped(shortTitle(page))}</a></li>`
  })
  return `<ul>${items.join('')}</ul>`
}

const folded = (name: string, isOpen: boolean, inside: string): string =>
  `<details${isOpen ? ' open' : ''}><summary>${escaped(name)}</summary>${inside}</details>`

/** Every list, with that of the current page open. */
export function navigation({ pages }: Site, current: Page): string {
  return SECTIONS.map((section) => {
    const inside = pages.filter((page) => page.section === section)
    const groups = [...Map.groupBy(inside, ({ group }) => group)]
    const lists = groups.map(([group, members]) => {
      const items = itemsOf(members, current)
      return group === undefined ? items : folded(group, current.section === section && current.group === group, items)
    })
    return folded(section, current.section === section, lists.join(''))
  }).join('')
}

/** The headings of the second level of a page with several; empty for another. */
export function contents(markdown: string): string {
  const headings = headingsOf(markdown).filter(({ level }) => level === 2)
  if (headings.length < 2) return ''
  const items = headings.map(({ text, anchor }) => `<li><a href="#${anchor}">${escaped(text)}</a></li>`)
  return folded('On this page', false, `<ul>${items.join('')}</ul>`)
}

/** The copy of a page as Markdown. */
export const copyOf = (url: string): string => url.replace(/\.html$/, '.md')

/** The list of https://llmstxt.org: each document with a sentence, by section. */
export function llmsText({ pages }: Site): string {
  const start = pages.find(({ url }) => url === 'index.html')
  if (start === undefined) throw new Error('the site has no first page')
  const sections = SECTIONS.map((section) => {
    const rows = pages
      .filter((page) => page.section === section && page !== start)
      .map(({ title, url, markdown }) => `- [${title}](${copyOf(url)}): ${summaryOf(markdown)}`)
    return rows.length === 0 ? '' : `\n## ${section}\n\n${rows.join('\n')}\n`
  })
  return `# ${start.title}\n\n> ${summaryOf(start.markdown)}\n${sections.join('')}`
}

/** Every document in one text, each after a line with its place. */
export const llmsFullText = ({ pages }: Site, copies: ReadonlyMap<Page, string>): string =>
  pages
    .filter(({ section }) => section !== undefined)
    .map((page) => `<!-- ${copyOf(page.url)} -->\n\n${copies.get(page) ?? page.markdown}`)
    .join('\n\n')
