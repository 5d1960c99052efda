/** Holds the documents against the tree: each link, anchor and path leads somewhere. */
import { readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Tree } from '#daemon/docs/site/pages.ts'
import { anchorsOf, linksIn, pathsIn } from './documents.ts'
import { committedPaths, ROOT } from './source-tree.ts'

const tree: Tree = { paths: committedPaths(), textOf: (path) => readFileSync(join(ROOT, path), 'utf8') }

/** A tree of made-up files. */
const treeOf = (files: Readonly<Record<string, string>>): Tree => ({ paths: Object.keys(files), textOf: (path) => files[path] ?? '' })

describe('links', () => {
  it('lead to files and headings that exist', () => {
    const { checked, broken } = linksIn(tree)
    expect(checked).toBeGreaterThan(1_000)
    expect(broken).toEqual([])
  })

  it('are followed from the folder of their page, wrapped or not, outside of code', () => {
    const { checked, broken } = linksIn(
      treeOf({
        'docs/a.md': '# One `two`, *three*\n[up](../README.md) [here](#one-two-three) [a\nfolder](../src) [site](https://example.com)',
        'docs/b.md': '```\n[no](gone.md)\n```\n`[no](gone.md)`\n[gone](gone.md)\n[wrong](a.md#four)\n[self](#none)',
        'src/x.ts': '',
        'README.md': '[b](docs/b.md)',
      }),
    )
    expect(checked).toBe(7)
    expect(broken).toEqual([
      'docs/b.md:5: no file docs/gone.md',
      'docs/b.md:6: no heading #four in docs/a.md',
      'docs/b.md:7: no heading #none in docs/b.md',
    ])
  })

  it('count headings that repeat', () => {
    expect([...anchorsOf('# A b\n## A b\n```\n# no\n```\n## [C](d.md) & e\n# F#\n## G ##\n')]).toEqual(['a-b', 'a-b-1', 'c--e', 'f', 'g'])
  })
})

describe('paths in backticks', () => {
  it('exist', () => {
    const { checked, broken } = pathsIn(tree)
    expect(checked).toBeGreaterThan(250)
    expect(broken).toEqual([])
  })

  it('are looked for from the root, the part of the page and its sources', () => {
    const { checked, broken } = pathsIn(
      treeOf({
        'daemon/src/auth/grants.ts': '',
        'test/unit/grants.test.ts': '',
        'daemon/docs/page.md': [
          '`daemon/src/auth` `auth/grants.ts` `auth/` `src/*/grants.ts` `unit/grants` `grants.ts` `either/or` `/tmp` `dist/x.ts`',
          '`auth/gone.ts`',
          '`test/unit/gone`',
          '`gone.ts`',
          '`src/*/gone.ts`',
        ].join('\n'),
      }),
    )
    expect(checked).toBe(10)
    expect(broken).toEqual([
      'daemon/docs/page.md:2: no path auth/gone.ts',
      'daemon/docs/page.md:3: no path test/unit/gone',
      'daemon/docs/page.md:4: no file is called gone.ts',
      'daemon/docs/page.md:5: no path src/*/gone.ts',
    ])
  })
})

describe('a picture of a guide', () => {
  const FOLDER = 'daemon/docs/pictures'
  const MAX_BYTES = 60 * 1024
  /** Of an alternative text that says what is to be seen. */
  const MIN_CHARACTERS = 40
  const guides = tree.paths.filter((path) => /^daemon\/docs\/guides\/.+\.md$/.test(path)).map(tree.textOf)

  it.each(tree.paths.filter((path) => path.startsWith(`${FOLDER}/`)))('is light, and has words for those who do not see it: %s', (path) => {
    expect(statSync(join(ROOT, path)).size).toBeLessThanOrEqual(MAX_BYTES)
    const shown = guides.flatMap((text) => [...text.matchAll(/!\[([^\]]*)\]\(\.\.\/pictures\/([^)]+)\)/g)])
    const [, words = ''] = shown.find(([, , name]) => name === basename(path)) ?? []
    expect(words.length).toBeGreaterThan(MIN_CHARACTERS)
  })
})

describe('a decision record', () => {
  const FOLDER = 'daemon/docs/decisions'
  const MAX_RECORDS = 20
  const MAX_LINES = 40
  const HEAD = /^# (\d{4}) — .+\n\nDate: (20\d\d-\d\d-\d\d)\nStatus: (accepted|superseded by \d{4})\n\n/
  const records = tree.paths.filter((path) => path.startsWith(`${FOLDER}/`) && !path.endsWith('README.md'))
  const list = tree.textOf(`${FOLDER}/README.md`)

  it('is one of few', () => {
    expect(records.length).toBeGreaterThan(10)
    expect(records.length).toBeLessThanOrEqual(MAX_RECORDS)
  })

  it.each(records)('is short and listed with its date and status: %s', (path) => {
    const text = tree.textOf(path)
    const name = basename(path)
    const [, number, date, status] = HEAD.exec(text) ?? []
    expect(number, 'the record opens with its number, date and status').toBe(name.slice(0, 4))
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(MAX_LINES)
    expect(list).toContain(`| [${number}](${name}) | ${date} | ${status} | `)
    const next = /\d{4}$/.exec(status ?? '')?.[0]
    if (next !== undefined) expect(records.filter((one) => basename(one).startsWith(next))).toHaveLength(1)
  })
})

describe('a design page', () => {
  const FOLDER = 'daemon/docs/design'
  const pages = tree.paths.filter((path) => path.startsWith(`${FOLDER}/`) && !path.endsWith('README.md'))

  it.each(pages)('is listed: %s', (path) => {
    expect(tree.textOf(`${FOLDER}/README.md`)).toContain(`](${basename(path)}) | `)
  })
})

describe('each version of the change log', () => {
  const KINDS = ['Added', 'Changed', 'Fixed', 'Removed', 'Security']
  const versions = tree.textOf('CHANGELOG.md').split(/^## /m).slice(1)

  it.each(versions.map((version) => [version.split('\n')[0], version]))('has one list of each kind: %s', (_, version = '') => {
    const [before = '', ...sections] = version.split(/^### /m)
    const kinds = sections.map((section) => section.split('\n')[0] ?? '')
    expect(before.split('\n').filter((line) => line.startsWith('- '))).toEqual([])
    expect(kinds).toEqual(KINDS.filter((kind) => kinds.includes(kind)))
    for (const section of sections) expect(section.trim().split('\n\n'), 'a heading and one list').toHaveLength(2)
    const entries = sections.flatMap((section) => section.split(/^- /m).slice(1)).map((entry) => entry.replace(/\s+/g, ' ').trim())
    expect(entries.filter((entry, index) => entries.indexOf(entry) !== index)).toEqual([])
  })
})
