/**
 * The bytes of node-ipc and of everything it pulls in are the bytes that were read and judged (decision record 0001).
 * After a new review: `UPDATE_REVIEWED=1 npx vitest run --root test architecture/node-ipc`.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from './source-tree.ts'

/** Pinned by each other exactly, so one wrong version means a wrong tree. */
const VERSIONS = {
  'node-ipc': '14.0.0',
  'event-pubsub': '6.1.1',
  'strong-type': '2.0.0',
  'js-message': '3.1.0',
  'js-queue': '3.1.0',
  'easy-stack': '2.1.0',
} as const

/** Package name to file to sha256. */
type Reviewed = Readonly<Record<string, Readonly<Record<string, string>>>>

const MODULES = join(ROOT, 'node_modules')
const REVIEWED_FILE = join(import.meta.dirname, 'node-ipc.reviewed.json')

function hashesOf(directory: string): Record<string, string> {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => !entry.isDirectory())
  return Object.fromEntries(
    files
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => [relative(directory, path).split(sep).join('/'), createHash('sha256').update(readFileSync(path)).digest('hex')]),
  )
}

/** Every directory called `name` directly below some node_modules, nested ones too. */
const copiesOf = (name: string): readonly string[] =>
  readdirSync(MODULES, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.name === name && entry.parentPath.split(sep).at(-1) === 'node_modules')
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).split(sep).join('/'))

const installed: Reviewed = Object.fromEntries(Object.keys(VERSIONS).map((name) => [name, hashesOf(join(MODULES, name))]))
if (process.env['UPDATE_REVIEWED'] === '1') writeFileSync(REVIEWED_FILE, `${JSON.stringify(installed, undefined, 2)}\n`)
const reviewed = JSON.parse(readFileSync(REVIEWED_FILE, 'utf8')) as Reviewed

describe('node-ipc', () => {
  it('is reviewed together with everything it depends on', () => {
    expect(Object.keys(reviewed)).toEqual(Object.keys(VERSIONS))
    const pulled = new Set<string>()
    const pull = (name: string): void => {
      if (pulled.has(name)) return
      pulled.add(name)
      const manifest = JSON.parse(readFileSync(join(MODULES, name, 'package.json'), 'utf8')) as { dependencies?: Record<string, string> }
      Object.keys(manifest.dependencies ?? {}).forEach(pull)
    }
    pull('node-ipc')
    expect([...pulled].sort()).toEqual(Object.keys(VERSIONS).sort())
  })

  it.each(Object.entries(VERSIONS))('%s is the reviewed version %s, byte for byte, with no extra file', (name, version) => {
    const manifest = JSON.parse(readFileSync(join(MODULES, name, 'package.json'), 'utf8')) as {
      version: string
      scripts?: Record<string, string>
    }
    expect(manifest.version).toBe(version)
    expect(Object.keys(manifest.scripts ?? {}).filter((script) => /^(?:pre|post)?(?:install|prepare)$/.test(script))).toEqual([])
    expect(installed[name]).toEqual(reviewed[name])
  })

  it('is installed once: a second copy deeper in the tree would be unreviewed', () => {
    expect(Object.keys(VERSIONS).flatMap(copiesOf)).toEqual(Object.keys(VERSIONS).map((name) => `node_modules/${name}`))
  })
})
