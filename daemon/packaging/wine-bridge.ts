/** Builds the pipe bridge of Wine prefixes. `npm run wine-bridge` puts it beside the program of a clone. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { VERSION } from '../core/src/version.ts'
import { WINE_BRIDGE } from '../src/install/wine.ts'
import { ICONS } from './icons.ts'
import { sourceTime } from './installers/installers.ts'
import { runTool, type Tool } from './installers/tools.ts'
import { withResources } from './windows-resources.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const SOURCES = join(ROOT, 'daemon/wine-bridge')

export const WINE_BRIDGE_TOOL: Tool = 'x86_64-w64-mingw32-gcc'

const WARNINGS = ['-std=c99', '-Wall', '-Wextra', '-Werror', '-Wconversion']
/** The memory of its system calls must be below 4 GiB, so the program stays at a fixed low address. */
const ADDRESS = ['--image-base,0x10000000', '--disable-dynamicbase', '--disable-high-entropy-va', '--no-insert-timestamp']

/** `defines`: for tests of one way to make system calls. `time`: seconds since the epoch. */
export async function buildWineBridge(output: string, time: number, defines: readonly string[] = []): Promise<void> {
  const sources = (await readdir(SOURCES)).filter((name) => name.endsWith('.c')).toSorted()
  await runTool({
    tool: WINE_BRIDGE_TOOL,
    args: [
      ...WARNINGS,
      ...['-Os', '-s', '-municode', '-mwindows'],
      ...ADDRESS.map((word) => `-Wl,${word}`),
      ...defines.map((name) => `-D${name}`),
      ...['-o', output, ...sources],
    ],
    cwd: SOURCES,
    time,
  })
  const about = { version: VERSION, fileName: WINE_BRIDGE, description: 'Sallyport, pipe bridge for Wine', icon: await readFile(ICONS.ico) }
  await writeFile(output, withResources(await readFile(output), about))
}

if (import.meta.main) await buildWineBridge(join(ROOT, 'daemon/dist', WINE_BRIDGE), await sourceTime(ROOT))
