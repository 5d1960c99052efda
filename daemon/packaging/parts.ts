/**
 * The files of the program. Each is read when something in it is first used, so a start reads little, and a bridge reads neither the sandbox nor
 * the HTTP client before it needs them. The code cache of a file is read as a whole, so what a bridge needs at once has its own files.
 */
import { basename } from 'node:path'
import type { Metafile } from 'esbuild'

export interface Part {
  /** Its file, beside the others. */
  readonly file: string
  /** Paths of modules. The part has these modules, with all that they import statically and no part before it has. */
  readonly entries?: readonly string[]
  /** The part has each chunk of fewer bytes that several parts after it need. */
  readonly sharedBelow?: number
}

/** The first starts; the last has what no entry needs. */
export type Parts = readonly [Part, ...Part[]]

export const PARTS: Parts = [
  { file: 'sallyport.cjs', entries: ['daemon/src/main.ts'] },
  // A start with something to warn of logs before a game needs the bridge. If another server has the first slot, the start waits for its end too.
  { file: 'sallyport-log.cjs', entries: ['daemon/src/cli/daemon-logger.ts', 'daemon/src/ipc/transport/first-slot.ts'] },
  // Otherwise a command would read all of the bridge for a list of limits, or each start would read what it does not use.
  { file: 'sallyport-shared.cjs', sharedBelow: 40_000 },
  // The text of the page, and what its form is made of. Few daemons show it.
  { file: 'sallyport-dashboard.cjs', entries: ['daemon/src/operator/dashboard/html.ts', 'daemon/src/operator/dashboard/protocol-text.ts'] },
  { file: 'sallyport-bridge.cjs', entries: ['daemon/src/app/bridge.ts'] },
  {
    // The first sign-in of a game needs it, but neither the sandbox nor the commands.
    file: 'sallyport-online.cjs',
    entries: [
      'undici/lib/dispatcher/pool.js',
      'oauth4webapi/build/index.js',
      'ws/wrapper.mjs',
      'daemon/src/platform/gateway/connection.ts',
      'daemon/src/platform/gateway/websocket.ts',
      'daemon/src/platform/gateway/identify-throttle.ts',
      'daemon/src/platform/gateway/inflate.ts',
      'daemon/src/events/messages/message-table.ts',
      'daemon/src/sessions/keys/open-keys.ts',
      'daemon/core/src/storage/renewable.ts',
    ],
  },
  // The SDK of OpenTelemetry. Few daemons have a collector.
  { file: 'sallyport-otlp.cjs', entries: ['daemon/src/operator/otlp/start.ts'] },
  { file: 'sallyport-rest.cjs' },
]

type Outputs = Metafile['outputs']

/** The paths of the chunks that run before a chunk. */
const neededBy = (outputs: Outputs, path: string): readonly string[] =>
  (outputs[path]?.imports ?? []).filter(({ kind, external }) => kind === 'import-statement' && external !== true).map((one) => one.path)

/** Adds a chunk and all that it needs. */
function addNeeded(outputs: Outputs, path: string, found: Set<string>): Set<string> {
  if (found.has(path)) return found
  found.add(path)
  for (const needed of neededBy(outputs, path)) addNeeded(outputs, needed, found)
  return found
}

/** The chunks of `later` that another part than their own needs too, if they have fewer bytes. */
function smallShared(outputs: Outputs, partOf: ReadonlyMap<string, Part>, later: readonly Part[], bytes: number): readonly string[] {
  const isShared = (path: string, by: Part): boolean => {
    const own = partOf.get(path)
    return own !== undefined && own !== by && later.includes(own) && (outputs[path]?.bytes ?? 0) < bytes
  }
  return [...partOf].flatMap(([path, part]) => neededBy(outputs, path).filter((needed) => isShared(needed, part)))
}

/** The part of each chunk that esbuild made, by the base name of the chunk. Throws if the program does not load an entry. */
export function partOfEach({ outputs }: Metafile, parts: Parts = PARTS): ReadonlyMap<string, Part> {
  const [first] = parts
  const paths = Object.keys(outputs)
  const partOf = new Map(paths.map((path) => [path, parts.at(-1) ?? first]))
  for (const part of parts.toReversed()) {
    const { file, entries = [] } = part
    for (const entry of entries) {
      const from = paths.find((path) => outputs[path]?.entryPoint?.endsWith(entry) === true)
      if (from === undefined) throw new Error(`the entry of ${file} is ${entry}, which the program does not load`)
      for (const path of addNeeded(outputs, from, new Set())) partOf.set(path, part)
    }
  }
  for (const [at, part] of parts.entries()) {
    const { sharedBelow } = part
    if (sharedBelow === undefined) continue
    for (const path of smallShared(outputs, partOf, parts.slice(at + 1), sharedBelow)) partOf.set(path, part)
  }
  return new Map([...partOf].map(([path, part]) => [basename(path), part]))
}
