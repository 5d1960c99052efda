/** Holds the documents against the tree: each link, anchor and path leads somewhere. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { anchorsOf, linksIn, pathsIn, type Tree } from './documents.ts'
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
    expect([...anchorsOf('# A b\n## A b\n```\n# no\n```\n## [C](d.md) & e\n')]).toEqual(['a-b', 'a-b-1', 'c--e'])
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
