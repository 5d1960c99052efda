/** Collects the facts of this machine for an installation, does its steps and prints them. */
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isSea } from 'node:sea'
import { setTimeout as pause } from 'node:timers/promises'
import type { BridgeState } from '@sallyport/protocol'
import { SANDBOX_IPC_PREFIX } from '@sallyport/core/platform-names'
import { configFile, socketPath } from '../config/paths.ts'
import { OPTIONS } from '../config/schema.ts'
import { SettingsError } from '../config/settings-error.ts'
import { carryOut, type DoneStep, textAt } from '../install/carry-out.ts'
import { isUsableScheme, OWN_SCHEME, planInstall, planUninstall, schemesIn } from '../install/plan.ts'
import { type CommandLine, type Facts, type Plan, stepText } from '../install/steps.ts'
import { probeSlot } from '../ipc/transport/address.ts'
import type { Context } from './command.ts'
import { withBridgeOnData } from './daemon-client.ts'
import { hasTrayHere } from './native-tray.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { asOperator } from './operator.ts'
import { withProgress } from './progress.ts'

/** Settings that select platform and folders: what the user gives here, the installed bridge gets too. */
const KEPT = ['platform', 'runtimeDir', 'dataDir', 'config'] as const

/** Beside the program where the Windows installer put it: starts it without a console window. */
const LAUNCHER = 'sallyportw.exe'

/** Runs this program: the executable, or Node with the program of a clone. */
export function programHere(): CommandLine {
  const [node, script = ''] = process.argv
  return isSea() || node === undefined ? [process.execPath] : [process.execPath, ...process.execArgv, resolve(script)]
}

export function quietProgramHere(): CommandLine | undefined {
  const launcher = join(dirname(process.execPath), LAUNCHER)
  return process.platform === 'win32' && isSea() && existsSync(launcher) ? [launcher] : undefined
}

/** Flags and environment variables do not reach a service, so their values become its flags. Paths are absolute, because it starts elsewhere. */
export function keptFlags({ loaded: { settings, origins } }: Context): readonly string[] {
  return KEPT.flatMap((key) => {
    const value = settings[key]
    if (value === undefined || (origins[key] !== 'flag' && origins[key] !== 'env')) return []
    const kept = key === 'platform' ? (settings.profileFile ?? value) : resolve(value)
    return [`--${OPTIONS[key].flag}`, kept]
  })
}

/** Throws SettingsError for an unusable scheme. */
function schemesOf(operands: readonly string[], recordFile: string): readonly string[] {
  const unusable = operands.find((scheme) => !isUsableScheme(scheme))
  if (unusable !== undefined) {
    throw new SettingsError(
      `${JSON.stringify(unusable)} is not a URL scheme that a game can have. Use lower-case letters, digits, +, - and dots, for example my-game.`,
    )
  }
  return [...new Set([OWN_SCHEME, ...schemesIn(textAt(recordFile)), ...operands])]
}

/** The user's systemd listens there. */
export const hasSystemd = (runtimeFolder: string | undefined): boolean =>
  runtimeFolder !== undefined && existsSync(join(runtimeFolder, 'systemd', 'private'))

async function factsOf(context: Context): Promise<Facts> {
  const { operands, loaded, io } = context
  const { settings, origins } = loaded
  const { platform, env, home } = io.machine
  const ipcPrefix = settings.profile?.ipcPrefix ?? SANDBOX_IPC_PREFIX
  const recordFile = join(settings.dataDir, 'installed.json')
  return {
    platform,
    home,
    env,
    uid: process.getuid?.(),
    program: programHere(),
    quietProgram: quietProgramHere(),
    hasTray: hasTrayHere(),
    flags: keptFlags(context),
    hasSystemd: hasSystemd(env['XDG_RUNTIME_DIR']),
    ipcPrefix,
    runtimeDir: origins.runtimeDir === 'default' ? undefined : resolve(settings.runtimeDir),
    isServed: (await probeSlot(socketPath(settings.runtimeDir, ipcPrefix, 0, platform))) === 'taken',
    schemes: schemesOf(operands, recordFile),
    dataDir: settings.dataDir,
    configDir: dirname(configFile(io.machine)),
    recordFile,
  }
}

const POLL_MS = 50
const END_MS = 15_000

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function hasEnded(pid: number): Promise<boolean> {
  for (let waited = 0; waited < END_MS; waited += POLL_MS) {
    if (!isRunning(pid)) return true
    await pause(POLL_MS)
  }
  return false
}

/** Ends the bridge on this data folder; false if none runs. Rejects if it does not end. */
async function stopBridge(context: Context): Promise<boolean> {
  const pid = await withBridgeOnData(context, (client) => asOperator<BridgeState>(client, context, 'WATCH_BRIDGE', {})).then(
    (state) => state.pid,
    () => undefined,
  )
  if (pid === undefined) return false
  process.kill(pid, 'SIGTERM')
  if (await withProgress(context.io, 'Waiting for the end of the bridge', () => hasEnded(pid))) return true
  throw new Error(`The bridge (process ${pid}) has not ended; end it yourself.`)
}

const doneText = ({ step, outcome, reason }: DoneStep): string =>
  `${outcome.padEnd('unchanged'.length)}  ${stepText(step)}${outcome === 'failed' ? ` (${reason})` : ''}`

/** Prints the plan or does it, as the settings say. */
export async function perform(context: Context, plan: Plan): Promise<ExitCode> {
  const { io, loaded } = context
  const { json, dryRun } = loaded.settings
  if (dryRun) {
    if (json) io.out(JSON.stringify(plan))
    else for (const step of plan.steps) io.out(stepText(step))
    for (const note of plan.notes) io.info(note)
    return EXIT.ok
  }
  const done = await carryOut(
    plan.steps,
    () => stopBridge(context),
    (one) => json || io.out(doneText(one)),
  )
  if (json) io.out(JSON.stringify({ steps: done, notes: plan.notes }))
  for (const note of plan.notes) io.info(note)
  return done.some(({ outcome }) => outcome === 'failed') ? EXIT.failed : EXIT.ok
}

export const installHere = async (context: Context): Promise<ExitCode> => perform(context, planInstall(await factsOf(context)))

export async function uninstallHere(context: Context): Promise<ExitCode> {
  const { purge } = context.loaded.settings
  return perform(context, planUninstall(await factsOf(context), purge))
}
