/** Rules for every file of the tree: a file states its purpose, is small, and names no machine, no host of ours and no work in progress. */
import { describe, expect, it } from 'vitest'
import { filesOf, isCode, isShipped } from './source-tree.ts'

const MAX_LINES = 400
const LEAST_PURPOSE = 15

const all = filesOf((path) => !/(?:^|\/)(?:package-lock\.json|[^/]*\.tsbuildinfo|[^/]*\.(?:log|png|ico|icns))$/.test(path))
const code = all.filter(({ path }) => isCode(path))
/** Where the platform may be named by its hosts: its profiles, and what is read by people or compared by tests. */
const mayNamePlatform = (path: string): boolean => path.startsWith('daemon/src/config/') || !isCode(path) || !isShipped(path)

const lineCount = (text: string): number => text.trimEnd().split('\n').length

/** The doc comment a file opens with, as plain words. */
function purposeOf(text: string): string {
  const opening = /^(?:#![^\n]*\n)?\/\*\*([\s\S]*?)\*\//.exec(text)
  return (opening?.[1] ?? '').replace(/^\s*\* ?/gm, '').trim()
}

// Put together here, so that this file does not hold what it forbids.
const word = (...parts: readonly string[]): string => parts.join('')

interface Forbidden {
  readonly what: string
  readonly pattern: RegExp
  /** Files that must name it to do their job. */
  readonly except?: readonly string[]
}

const FORBIDDEN: readonly Forbidden[] = [
  { what: 'a path of a build machine', pattern: new RegExp(word('(?<![\\w.-])/(?:wo', 'rk|ro', 'ot|Us', 'ers)/')) },
  { what: 'files outside the repository', pattern: new RegExp(word('\\.\\./sha', 'red')), except: ['.ci/run'] },
  { what: 'a package registry', pattern: new RegExp(word('registry\\.(?:npm', 'js|yarn', 'pkg)|npm', 'mirror')) },
  {
    what: 'work in progress',
    pattern: new RegExp(word('\\b(?:TO', 'DO|FIX', 'ME|X', 'XX|HA', 'CK)\\b|\\b(?:it|describe|test)\\.to', 'do\\b')),
  },
  { what: 'a ticket', pattern: new RegExp(word('\\b[Ii]ss', 'ue\\s*#?\\d')) },
]

describe('every source file', () => {
  it('opens with a comment that says its purpose', () => {
    // A unit test mirrors a source, which says it.
    const silent = code.filter(({ path, text }) => !path.startsWith('test/unit/') && purposeOf(text).length < LEAST_PURPOSE)
    expect(silent.map(({ path }) => path)).toEqual([])
  })

  it(`has at most ${MAX_LINES} lines`, () => {
    expect(code.filter(({ text }) => lineCount(text) > MAX_LINES).map(({ path, text }) => `${path}: ${lineCount(text)}`)).toEqual([])
  })
})

describe('no file', () => {
  it.each(FORBIDDEN)('names $what', ({ pattern, except = [] }) => {
    const lines = all
      .filter(({ path }) => !except.includes(path))
      .flatMap(({ path, text }) => {
        const at = text.split('\n').findIndex((line) => pattern.test(line))
        return at === -1 ? [] : [`${path}:${at + 1}`]
      })
    expect(lines).toEqual([])
  })

  it('outside the profiles names a host of the platform', () => {
    const host = /\b(?:discord(?:app|says)?\.(?:com|gg|net|media)|discord\.dev)\b/
    expect(all.filter(({ path, text }) => !mayNamePlatform(path) && host.test(text)).map(({ path }) => path)).toEqual([])
  })

  it('carries a secret that looks real', () => {
    const key =
      /-----BEGIN (?:RSA |EC |OPENSSH )?PRIVATE KEY-----|\bgh[pousr]_[A-Za-z0-9]{30,}|\bnpm_[A-Za-z0-9]{30,}|\b[MN][A-Za-z\d]{23}\.[\w-]{6}\.[\w-]{27}\b/
    expect(all.filter(({ text }) => key.test(text)).map(({ path }) => path)).toEqual([])
  })
})
