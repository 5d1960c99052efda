import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkLinks } from '#daemon/docs/site/built-links.ts'
import { contents, copyOf, llmsFullText, llmsText, navigation } from '#daemon/docs/site/lists.ts'
import { summaryOf, titleOf, withTargets } from '#daemon/docs/site/markdown.ts'
import { between, linker, type Page, SECTIONS, siteOf, type Tree } from '#daemon/docs/site/pages.ts'
import { committedPaths, ROOT } from '#test/architecture/source-tree.ts'

const tree: Tree = { paths: committedPaths(), textOf: (path) => readFileSync(join(ROOT, path), 'utf8') }
const site = siteOf(tree)
const urlOf = (source: string): string | undefined => site.pages.find((page) => page.source === source)?.url

const treeOf = (files: Readonly<Record<string, string>>): Tree => ({ paths: Object.keys(files), textOf: (path) => files[path] ?? '' })
const pageOf = (of: ReturnType<typeof siteOf>, source: string): Page => {
  const page = of.pages.find((one) => one.source === source)
  if (page === undefined) throw new Error(`no page ${source}`)
  return page
}

describe('the pages', () => {
  test('are all documents but the forms for changes, each in a list', () => {
    const documents = tree.paths.filter((path) => path.endsWith('.md') && !path.startsWith('.github/'))
    expect(documents.length).toBeGreaterThan(150)
    expect(site.pages.flatMap(({ source, section }) => (section === undefined ? [] : [source])).sort()).toEqual(documents)
    expect(new Set(site.pages.map(({ section }) => section))).toEqual(new Set([...SECTIONS, undefined]))
  })

  test('have short addresses', () => {
    expect(
      ['README.md', 'daemon/docs/guides/ci.md', 'bindings/c/README.md', 'bindings/engines/godot/DESIGN.md', 'SECURITY.md'].map(urlOf),
    ).toEqual(['index.html', 'guides/ci.html', 'clients/c/index.html', 'clients/godot/design.html', 'project/security.html'])
  })

  test('lead everywhere that their documents lead', () => {
    const toPages = linker(site, (url) => url)
    expect(site.pages.map((page) => toPages(page, page.markdown)).join('').length).toBeGreaterThan(100_000)
  })

  test('begin with those that the first page names, in its order', () => {
    const guides = site.pages.filter(({ section }) => section === 'Guides').map(({ source }) => source)
    expect(guides.slice(0, 3)).toEqual(['first-lobby', 'your-game', 'refused-sign-in'].map((name) => `daemon/docs/guides/${name}.md`))
  })
})

describe('a made-up site', () => {
  const files = {
    'README.md': '# One\n\nIt *is*\n[a](daemon/docs/guides/go.md#two) site.\n',
    'daemon/docs/guides/go.md':
      '# Go\n\nText.\n\n## Two\n\n[up](../../../README.md) [c](../../src/a.c) [all](../../src) ![p](p.png) `[no](gone.md)`\n\n## `Three` & 4\n',
    'daemon/docs/guides/p.png': '',
    'daemon/src/a.c': 'int a; /* ``` */\n',
    'daemon/src/b.c': 'int b;\n',
  }
  const made = siteOf(treeOf(files))
  const go = pageOf(made, 'daemon/docs/guides/go.md')

  test('has pages of the files that are linked to, and pictures as they are', () => {
    expect(made.pages.map(({ url }) => url)).toEqual([
      'index.html',
      'guides/go.html',
      'files/daemon/src/a.c.html',
      'files/daemon/src/index.html',
      'files/daemon/src/b.c.html',
    ])
    expect([...made.files]).toEqual([['daemon/docs/guides/p.png', 'files/daemon/docs/guides/p.png']])
    expect(pageOf(made, 'daemon/src/a.c').markdown).toContain('````c\nint a; /* ``` */\n````')
  })

  test('leads its links from where a page stands', () => {
    expect(linker(made, (url) => url)(go, go.markdown)).toContain(
      '[up](../index.html) [c](../files/daemon/src/a.c.html) [all](../files/daemon/src/index.html) ![p](../files/daemon/docs/guides/p.png) `[no](gone.md)`',
    )
    expect(linker(made, copyOf)(pageOf(made, 'README.md'), files['README.md'])).toContain('[a](guides/go.md#two)')
  })

  test('lists its pages', () => {
    expect(navigation(made, go)).toContain('<li><a href="../index.html">One</a></li>')
    expect(navigation(made, go)).toContain(
      '<details open><summary>Guides</summary><ul><li><a href="go.html" aria-current="page">Go</a></li>',
    )
    expect(contents(go.markdown)).toContain('<li><a href="#two">Two</a></li><li><a href="#three--4">Three &amp; 4</a></li>')
    expect(llmsText(made)).toBe('# One\n\n> It *is* a site.\n\n## Guides\n\n- [Go](guides/go.md): Text.\n')
    expect(llmsFullText(made, new Map([[go, 'copy']]))).toBe(`<!-- index.md -->\n\n${files['README.md']}\n\n<!-- guides/go.md -->\n\ncopy`)
  })

  test('is refused with a link that leads nowhere, or without a title', () => {
    expect(() => siteOf(treeOf({ 'README.md': '# A\n[b](b.md)' }))).toThrow('README.md: a link leads to b.md')
    expect(() => siteOf(treeOf({ 'README.md': 'A' }))).toThrow('README.md has no heading of the first level')
    expect(() => siteOf(treeOf({ 'README.md': '# A', 'a.md': '# A', 'A.md': '# B' }))).toThrow('the same place in the site: project/a.html')
  })
})

test('Markdown is read with its code left alone', () => {
  expect(titleOf('```\n# no\n```\n# `C#` and [d](e)\n')).toBe('C# and d')
  expect(summaryOf('<!-- x -->\n# A\n\n| a |\n|---|\n\nOne\n[two](b).\n\nThree.')).toBe('One two.')
  expect(withTargets('[a](b) `[c](d)` [e\nf](g)', (target) => `${target}!`)).toBe('[a](b!) `[c](d)` [e\nf](g!)')
  expect([between('a/b.html', 'index.html'), between('index.html', 'a/b.html'), between('a/b.html', 'a/b.html')]).toEqual([
    '../index.html',
    'a/b.html',
    'b.html',
  ])
})

test('the check of a made site finds what leads nowhere, and what comes from elsewhere', () => {
  const made: Readonly<Record<string, string>> = {
    'index.html':
      '<a href="a/b.html#c">1</a><a class="x" href="a/b.html#d">2</a><a href="gone.html">3</a><a href="https://example.com/">4</a>' +
      '<img src="https://example.com/x.png"><script src="/site.js"></script><link rel="icon" href="data:,"><a href="#e">5</a><h1 id="e">E</h1>',
    'a/b.html': '<h2 id="c">C</h2><a href="../index.html">6</a>',
  }
  expect(checkLinks(Object.keys(made), (path) => made[path] ?? '')).toEqual({
    checked: 9,
    broken: [
      'index.html: no anchor #d in a/b.html',
      'index.html: no file gone.html',
      'index.html: img loads https://example.com/x.png from outside of the site',
      'index.html: script loads /site.js from outside of the site',
    ],
  })
})
