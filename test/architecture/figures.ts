/**
 * `npm run figures`: counts what the layout of the code is judged by. `npm run figures -- --root FOLDER` counts another checkout,
 * for example one of an earlier commit, so that two states can be compared.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { givenLater, openerArguments, singleListeners } from './composition.ts'
import { linksIn, pathsIn } from './documents.ts'
import { codeOnly } from './source-tree.ts'
import { bannedIn } from './words.ts'

const { values } = parseArgs({ options: { root: { type: 'string' } } })
const OWN_ROOT = resolve(import.meta.dirname, '../..')
const ROOT = resolve(values.root ?? OWN_ROOT)
const MADE = /(?:^|\/)generated\//

const committed = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' })
  .stdout.split('\n')
  .filter((path) => path !== '' && existsSync(join(ROOT, path)))
  .toSorted()
const paths = committed.filter((path) => !MADE.test(path))
const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const linesOf = (path: string): readonly string[] => textOf(path).split('\n')

const daemon = paths.filter((path) => /^daemon\/(?:src|core|sandbox)\/.*\.ts$/.test(path))
const tests = paths.filter((path) => path.startsWith('test/') && /\.(?:ts|json|mjs)$/.test(path))
const documents = paths.filter((path) => path.endsWith('.md'))
const sources = paths.filter((path) => /^(?:daemon|protocol|bindings)\/.*\.(?:ts|mjs)$/.test(path))

/** The first folder below `daemon/src`, or the workspace; a file beside the folders is a room of its own. */
const roomOf = (path: string): string => {
  const [, area = '', name = ''] = path.split('/')
  return area === 'src' ? name : area
}

const WORKSPACE = /^@sallyport\/(core|sandbox)\//
const IMPORT = /(?:^|\n)(?:import|export)\s[^'"`;]*?from\s*'([^']+)'|\bimport\(\s*'([^']+)'/g

function arrows(): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>()
  for (const path of daemon) {
    for (const [, first, second] of textOf(path).matchAll(IMPORT)) {
      const specifier = first ?? second ?? ''
      const workspace = WORKSPACE.exec(specifier)?.[1]
      if (workspace === undefined && !specifier.startsWith('.')) continue
      const [from, to] = [roomOf(path), workspace ?? roomOf(relative(ROOT, resolve(ROOT, dirname(path), specifier)))]
      if (from !== to) found.set(from, (found.get(from) ?? new Set()).add(to))
    }
  }
  return found
}

/** How many arrows point up in the best order that taking away a room which imports least of the rest finds. */
function upward(rooms: readonly string[], all: ReadonlyMap<string, ReadonlySet<string>>): number {
  const left = new Set(rooms)
  let count = 0
  while (left.size > 0) {
    const counted = [...left].map((room) => ({ room, imports: [...(all.get(room) ?? [])].filter((to) => left.has(to)).length }))
    const { room: lowest, imports } = counted.reduce((best, one) => (one.imports < best.imports ? one : best))
    count += imports
    left.delete(lowest)
  }
  return count
}

/** Names that the composition uses above the line that makes them, and variables that are filled later. */
function lateBound(): number {
  const composition = daemon.filter((path) =>
    /^daemon\/src\/(?:app\/[^/]+|compose|live|joining|showing|client-link|gateway-side)\.ts$/.test(path),
  )
  const config = join(OWN_ROOT, 'test/architecture/late-bound.oxlintrc.json')
  const { stdout } = spawnSync(
    process.execPath,
    [
      join(OWN_ROOT, 'node_modules/oxlint/bin/oxlint'),
      '--config',
      config,
      '--format',
      'json',
      ...composition.map((path) => join(ROOT, path)),
    ],
    { encoding: 'utf8' },
  )
  const { diagnostics } = JSON.parse(stdout) as { readonly diagnostics: readonly unknown[] }
  return diagnostics.length + composition.flatMap((path) => givenLater(codeOnly(textOf(path)))).length
}

/** How many named arguments each opener of the composition takes; an older checkout has one function with all of them. */
function openers(): string {
  const found = daemon
    .filter((path) => path.startsWith('daemon/src/app/'))
    .flatMap((path) =>
      ['assemble', 'openSessions', 'openEvents', 'openPresence', 'openRpc']
        .filter((name) => textOf(path).includes(`export function ${name}(`))
        .map((name) => `${name} ${openerArguments(textOf(path), name).length}`),
    )
  return found.join(', ')
}

/** Interfaces with methods that one place implements and no test stands in for. */
function lonelyInterfaces(): readonly string[] {
  const texts = daemon.map(textOf).join('\n')
  const testTexts = tests
    .filter((path) => path.endsWith('.ts'))
    .map(textOf)
    .join('\n')
  const named = [...texts.matchAll(/export interface (\w+)[^{]*\{([^}]*)\}/g)].filter(([, , body = '']) => /^\s+\w+\??\(|=>/m.test(body))
  return named
    .map(([, name = '']) => name)
    .filter((name) => !/(?:Options|Parts|Ports|Deps|Row|Handler|Listener)$/.test(name))
    .filter((name) => {
      const made = texts.match(
        new RegExp(`implements [^{]*\\b${name}\\b|\\)\\s*:\\s*(?:Promise<)?${name}\\b|(?:const|return)\\s+\\w+\\s*:\\s*${name}\\b`, 'g'),
      )
      return made?.length === 1 && !new RegExp(`\\b${name}\\b`).test(testTexts)
    })
}

/**
 * Hand-written files that name an endpoint which nothing but its row, its handler and the tests of all rows should know; except this file,
 * which names it to count it.
 */
const naming = (endpoint: string): readonly string[] =>
  [...sources, ...tests].filter((path) => !path.endsWith('architecture/figures.ts') && new RegExp(`\\b${endpoint}\\b`).test(textOf(path)))

const all = arrows()
const rooms = [...new Set(daemon.map(roomOf))].filter((room) => room !== 'main.ts')
const longest = (files: readonly string[], size: (path: string) => number) =>
  files.map((path) => [size(path), path] as const).reduce((most, one) => (one[0] > most[0] ? one : most), [0, ''] as const)
const banned = [...sources, ...tests.filter((path) => path.endsWith('.ts')), ...documents].flatMap((path) => bannedIn(path, textOf(path)))

const [fileLines, file] = longest([...daemon, ...sources], (path) => linesOf(path).length - 1)
const [column, document] = longest(documents, (path) => Math.max(...linesOf(path).map((line) => line.length)))
/** Kept by the last run of each test command in that checkout. */
const DURATIONS = join(ROOT, '.cache/test-durations.json')
const durations = existsSync(DURATIONS) ? (JSON.parse(readFileSync(DURATIONS, 'utf8')) as Readonly<Record<string, number>>) : {}
const durationOf = (command: string): string => (durations[command] === undefined ? 'not run here yet' : `${durations[command]} s`)

const references = [linksIn, pathsIn].map((find) => find({ paths: committed, textOf }))
const falseReferences = references.flatMap(({ broken }) => broken)

const decisions = documents.filter((path) => /^daemon\/docs\/decisions\/\d/.test(path))
const [decisionLines] = longest(decisions, (path) => linesOf(path).length - 1)
/** An older checkout has it beside the written headers. */
const C_HEADERS = ['bindings/c/generated/sallyport/protocol.h', 'bindings/c/include/sallyport/protocol.h']
const cHeader = C_HEADERS.find((path) => existsSync(join(ROOT, path)))
const limitsInC = cHeader === undefined ? 0 : textOf(cHeader).match(/^#define SALLYPORT_LIMIT_/gm)?.length

const figures: Readonly<Record<string, string | number>> = {
  'rooms of the daemon': rooms.length,
  'arrows between rooms': [...all.values()].reduce((sum, to) => sum + to.size, 0),
  'arrows that point up': upward(rooms, all),
  'longest file of the sources': `${fileLines} lines, ${file}`,
  'objects that are given a part after they were made': lateBound(),
  'slots that hold one listener': daemon.flatMap((path) => singleListeners(codeOnly(textOf(path)))).length,
  'arguments of each opener': openers(),
  'interfaces with one implementation and no fake': lonelyInterfaces().length,
  'hand-written files that name GET_GUILD_ROLE': naming('GET_GUILD_ROLE').length,
  'limits generated into C': limitsInC ?? 0,
  decisions: `${decisions.length}, the longest has ${decisionLines} lines`,
  'lines of tests': tests.reduce((sum, path) => sum + linesOf(path).length - 1, 0),
  'banned words': banned.length,
  'links and paths of documents': references.reduce((sum, { checked }) => sum + checked, 0),
  'false links and paths': falseReferences.length,
  'longest line of Markdown': `${column} columns, ${document}`,
  'time of the last npm test': durationOf('npm test'),
  'time of the last npm run test:all': durationOf('npm run test:all'),
}
for (const [name, figure] of Object.entries(figures)) console.log(`${name.padEnd(50)} ${figure}`)
if (ROOT === OWN_ROOT) for (const line of [...banned.slice(0, 40), ...falseReferences]) console.log(line)
