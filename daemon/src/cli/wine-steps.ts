/** Does what `sallyport wine` promises. */
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { SANDBOX_IPC_PREFIX } from '@sallyport/core/platform-names'
import { OWN_PROGRAM } from '../identity/command-line.ts'
import { planWineInstall, planWineUninstall, WINE_BRIDGE } from '../install/wine.ts'
import type { Plan } from '../install/steps.ts'
import type { Context } from './command.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'
import { perform } from './install-steps.ts'
import { asTable } from './text.ts'
import { hasBridge, isRunning, openPrefix, winePrefixes } from './wine-prefix.ts'

/** Beside the program, or where a package puts it. */
function bridgeHere(): string {
  const folder = dirname(OWN_PROGRAM.script)
  const found = [join(folder, WINE_BRIDGE), join(folder, '..', 'lib', 'sallyport', WINE_BRIDGE)].find((path) => existsSync(path))
  if (found !== undefined) return found
  throw new CommandFailure(
    EXIT.failed,
    `The pipe bridge ${WINE_BRIDGE} is not beside this program. Install a package for Linux on x64, or build it in a clone: npm run wine-bridge`,
  )
}

/** Wine would overwrite the change when its server ends. */
function assertStopped(prefix: string): void {
  if (!isRunning(prefix)) return
  throw new CommandFailure(
    EXIT.failed,
    `Programs of ${prefix} run. End them (WINEPREFIX='${prefix}' wineserver -k), then run this command again.`,
  )
}

async function change(given: string, context: Context, planFor: (prefix: string) => Plan): Promise<ExitCode> {
  if (context.io.machine.platform !== 'linux') throw new CommandFailure(EXIT.failed, 'Pipe bridges of Wine work on Linux only.')
  const prefix = openPrefix(given, process.getuid?.())
  const plan = planFor(prefix)
  if (!context.loaded.settings.dryRun) assertStopped(prefix)
  return perform(context, plan)
}

export const installInPrefix = (given: string, context: Context): Promise<ExitCode> =>
  change(given, context, (prefix) => {
    const { settings, origins } = context.loaded
    return planWineInstall({
      prefix,
      bridge: bridgeHere(),
      runtimeDir: origins.runtimeDir === 'default' ? undefined : resolve(settings.runtimeDir),
      ipcPrefix: settings.profile?.ipcPrefix ?? SANDBOX_IPC_PREFIX,
    })
  })

export const uninstallFromPrefix = (given: string, context: Context): Promise<ExitCode> => change(given, context, planWineUninstall)

export function listPrefixes({ io, loaded }: Context): ExitCode {
  const prefixes = winePrefixes(io.machine).map((prefix) => ({ prefix, installed: hasBridge(prefix) }))
  if (loaded.settings.json) io.out(JSON.stringify(prefixes))
  else if (prefixes.length === 0) io.out('There is no Wine prefix in the usual places.')
  else
    io.out(
      asTable(
        ['PREFIX', 'BRIDGE'],
        prefixes.map(({ prefix, installed }) => [prefix, installed ? 'installed' : 'not installed']),
      ),
    )
  return EXIT.ok
}
