/**
 * The files of the program. Each is read when something in it is first used, so a start reads little, and a bridge without a sandbox never reads
 * the sandbox. esbuild splits the program into chunks: what one or several dynamic imports share. A chunk belongs to the first part with an
 * entry that needs it, the chunks of most commands to the last.
 */
import { basename } from 'node:path'
import type { Metafile } from 'esbuild'

export interface Part {
  readonly name: string
  /** Its file, beside the others. */
  readonly file: string
  /** Modules that belong to it, with all that they import statically and no part before it has. Paths end so. */
  readonly entries: readonly string[]
}

/** The first starts; the last has what no entry needs. */
export type Parts = readonly [Part, ...Part[]]

const part = (name: string, ...entries: readonly string[]): Part => ({ name, file: `sallyport-${name}.cjs`, entries })

export const PARTS: Parts = [
  // Every daemon opens the folders of containers after its ready line.
  { name: 'start', file: 'sallyport.cjs', entries: ['daemon/src/main.ts', 'daemon/src/start/beside.ts'] },
  // What the bridge and the commands have in common, so that no command reads the bridge.
  part(
    'shared',
    'protocol/src/limits.ts',
    'protocol/src/scopes.ts',
    'daemon/core/src/display-text.ts',
    'daemon/core/src/storage/operator-proof.ts',
    'daemon/core/src/storage/rotating-file.ts',
    'daemon/core/src/storage/bridge-loaded.ts',
    'daemon/src/cli/log-file.ts',
    'daemon/src/cli/operator.ts',
    'daemon/src/cli/own-server.ts',
    'daemon/src/install/carry-out.ts',
  ),
  part('keychain', 'daemon/src/auth/vault/keychain-child.ts'),
  part(
    'bridge',
    'daemon/src/cli/daemon-logger.ts',
    'daemon/src/app/bridge.ts',
    'daemon/src/app/gateway.ts',
    'daemon/src/presence/feed/open.ts',
  ),
  part(
    'http',
    'undici/lib/dispatcher/pool.js',
    'undici/lib/dispatcher/env-http-proxy-agent.js',
    'undici/lib/dispatcher/dispatcher.js',
    'undici/lib/api/api-connect.js',
    'oauth4webapi/build/index.js',
  ),
  part(
    'gateway',
    'daemon/src/platform/gateway/connection.ts',
    'daemon/src/platform/gateway/websocket.ts',
    'daemon/src/platform/gateway/identify-throttle.ts',
    'daemon/src/platform/gateway/inflate.ts',
    'daemon/src/events/providers/webhook/provider.ts',
    'daemon/src/events/messages/message-table.ts',
    'ws/wrapper.mjs',
    'msgpackr/index.js',
  ),
  part('sandbox', 'daemon/sandbox/src/sandbox.ts', 're2js/build/index.js'),
  part('client', 'bindings/ts/src/index.ts'),
  part('tray', 'daemon/src/cli/tray.ts', 'daemon/src/tray/linux/status-notifier.ts', 'daemon/src/tray/helper-host.ts'),
  part('commands'),
]

/** The outputs that esbuild named, with the names of those that each needs when it is loaded. */
type Outputs = Metafile['outputs']

/** Adds an output and all that it imports statically. */
function addStatic(outputs: Outputs, path: string, found: Set<string>): Set<string> {
  if (found.has(path)) return found
  found.add(path)
  for (const { path: next, kind, external } of outputs[path]?.imports ?? [])
    if (kind === 'import-statement' && external !== true) addStatic(outputs, next, found)
  return found
}

/** The part of each output, by the base name of the output. Throws if an entry does not exist. */
export function partOfEach({ outputs }: Metafile, parts: Parts = PARTS): ReadonlyMap<string, Part> {
  const last = parts.at(-1) ?? parts[0]
  const assigned = new Map<string, Part>()
  for (const one of parts) {
    for (const module of one.entries) {
      const isOf = (path: string): boolean => path === module || path.endsWith(`/${module}`)
      const found = Object.entries(outputs).filter(([, { entryPoint = '', inputs }]) => isOf(entryPoint) || Object.keys(inputs).some(isOf))
      if (found.length === 0) throw new Error(`the part "${one.name}" has ${module}, but the program does not`)
      for (const [from] of found)
        for (const path of addStatic(outputs, from, new Set())) if (!assigned.has(basename(path))) assigned.set(basename(path), one)
    }
  }
  for (const path of Object.keys(outputs)) if (!assigned.has(basename(path))) assigned.set(basename(path), last)
  return assigned
}
