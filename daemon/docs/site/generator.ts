/** Makes pages of Markdown with Eleventy, and the index of the search with Pagefind. Their packages must be installed. */
import { join, relative } from 'node:path'
import { Eleventy, type MarkdownIt } from '@11ty/eleventy'
import highlight from '@11ty/eleventy-plugin-syntaxhighlight'
import { close, createIndex } from 'pagefind'
import { headingsOf } from './markdown.ts'

const THEME = join(import.meta.dirname, 'theme')

export interface Source {
  /** Path of the page in the site. */
  readonly url: string
  readonly markdown: string
  /** What the layout shows besides. */
  readonly data: Readonly<Record<string, unknown>>
}

/** Gives headings the anchors of GitHub, and lets a keyboard scroll what is wide. */
function amend(markdown: MarkdownIt): void {
  markdown.core.ruler.push('anchors', ({ src, tokens }) => {
    const headings = headingsOf(src)
    const opened = tokens.filter(({ type }) => type === 'heading_open')
    if (opened.length !== headings.length) throw new Error(`of ${headings.length} headings, ${opened.length} became headings of a page`)
    opened.forEach((token, index) => token.attrSet('id', headings[index]?.anchor ?? ''))
  })
  const { rules } = markdown.renderer
  const { fence } = rules
  if (fence === undefined) throw new Error('markdown-it has no rule for code blocks')
  rules['fence'] = (...words) => fence(...words).replace(/^<pre\b/, '<pre tabindex="0"')
  rules['table_open'] = () => '<div class="table" tabindex="0"><table>'
  rules['table_close'] = () => '</table></div>'
}

/** Writes a page for each source into the folder, with the files of the theme. */
export async function writePages(sources: readonly Source[], out: string): Promise<void> {
  const here = process.cwd()
  const input = relative(here, THEME)
  const eleventy = new Eleventy(input, relative(here, out), {
    quietMode: true,
    configPath: false,
    config(configuration) {
      configuration.addPlugin(highlight)
      configuration.amendLibrary('md', amend)
      configuration.addPassthroughCopy({ [join(input, 'site.css')]: 'assets/site.css', [join(input, 'site.mjs')]: 'assets/site.js' })
      for (const { url, markdown, data } of sources) {
        // Only Markdown: braces in code are no templates.
        const settings = { permalink: url, layout: 'page.liquid', templateEngineOverride: 'md' }
        configuration.addTemplate(join(input, `${url}.md`), markdown, { ...data, ...settings })
      }
    },
  })
  await eleventy.write()
}

function assertDone(errors: readonly string[]): void {
  if (errors.length > 0) throw new Error(`the index of the search could not be made: ${errors.join('; ')}`)
}

/** Adds the index of the search to a written site. It has the pages that the layout marks, without source code. */
export async function writeSearch(out: string): Promise<void> {
  try {
    const { index, errors } = await createIndex({ keepIndexUrl: true })
    assertDone(errors)
    if (index === undefined) throw new Error('the index of the search could not be made')
    assertDone((await index.addDirectory({ path: out })).errors)
    assertDone((await index.writeFiles({ outputPath: join(out, 'pagefind') })).errors)
  } finally {
    await close()
  }
}
