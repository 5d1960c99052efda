/** Collects the facts of this machine for an installation, does its steps and prints them. */
import { existsSync, lstatSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isSea } from 'node:sea'
import { setTimeout as pause } from 'node:timers/promises'
import type { BridgeState } from '@sallyport/protocol'
import { INSTALLED_PLATFORM, SANDBOX_IPC_PREFIX } from '@sallyport/core/platform-names'
import { keychainEntriesOf } from '../auth/vault/encrypted-file.ts'
import type { Origin } from '../config/load.ts'
import { configFile, socketPath } from '../config/paths.ts'
import { OPTIONS } from '../config/schema.ts'
import { SettingsError } from '../config/settings-error.ts'
import { carryOut, type DoneStep, textAt } from '../install/carry-out.ts'
import { activationPath } from '../install/linux-files.ts'
import { isUsableScheme, OWN_SCHEME, planInstall, planUninstall, schemesIn } from '../install/plan.ts'
import { hasSystemd, startersOf } from '../install/starters.ts'
import { type CommandLine, type Facts, type Plan, stepText } from '../install/steps.ts'
import { probeSlot } from '../ipc/transport/address.ts'
import type { Context } from './command.ts'
import { withBridgeOnData } from './daemon-client.ts'
import { identifyServer } from './doctor-servers.ts'
import { hasTrayHere } from './native-tray.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'
import { asOperator } from './operator.ts'
import { withProgress } from './progress.ts'
import { runningBridge } from './running-bridge.ts'

/** Settings that select folders and files: what the user gives here, the installed bridge gets too. */
const FOLDERS = ['runtimeDir', 'dataDir', 'config'] as const
/** With the platform, which an installation writes into the settings file. */
const KEPT = ['platform', ...FOLDERS] as const

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

const isGiven = (origin: Origin): boolean => origin === 'flag' || origin === 'env'

/** Flags and environment variables do not reach a service, so their values become its flags. Paths are absolute, because it starts elsewhere. */
export function keptFlags({ loaded: { settings, origins } }: Context, keys: readonly (typeof KEPT)[number][] = KEPT): readonly string[] {
  return keys.flatMap((key) => {
    const value = settings[key]
    if (value === undefined || !isGiven(origins[key])) return []
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

/** What the user gives here, and the platform of installed bridges if the user has named none. */
function platformChoice({ loaded: { settings, origins }, io }: Context): Facts['platformChoice'] {
  const file = settings.config ?? configFile(io.machine)
  if (isGiven(origins.platform)) return { file: resolve(file), value: settings.profileFile ?? settings.platform }
  return origins.platform === 'default' ? { file: resolve(file), value: INSTALLED_PLATFORM } : undefined
}

/** Throws SettingsError if a package starts the bridge, whose unit has no flags of this user. */
function flagsFor(context: Context, hasPackageUnit: boolean): readonly string[] {
  const flags = keptFlags(context, FOLDERS)
  if (flags.length === 0 || !hasPackageUnit) return flags
  throw new SettingsError(
    `A package starts the bridge here, without ${flags.filter((word) => word.startsWith('--')).join(' and ')}. Omit it, or set it in the settings file with: sallyport config set`,
  )
}

/** A socket can have two names: that of systemd's folder and a slot. */
const isSameFile = (one: string, other: string): boolean => {
  const [first, second] = [one, other].map((path) => lstatSync(path, { throwIfNoEntry: false }))
  return first !== undefined && first.ino === second?.ino && first.dev === second.dev
}

/** A bridge of this user is no foreign server, however it was started: by the file of systemd's socket, or by what it says of itself. */
async function firstSlot(context: Context, ipcPrefix: string): Promise<Pick<Facts, 'isRunning' | 'hasForeignServer'>> {
  const { settings } = context.loaded
  const slot = socketPath(settings.runtimeDir, ipcPrefix, 0, context.io.machine.platform)
  const isRunning = (await runningBridge(context)) !== undefined
  const isTaken = !isSameFile(activationPath(settings.runtimeDir, ipcPrefix), slot) && (await probeSlot(slot)) === 'taken'
  return { isRunning, hasForeignServer: isTaken && (await identifyServer(slot, settings)).bridge === undefined }
}

async function factsOf(context: Context): Promise<Facts> {
  const { operands, loaded, io } = context
  const { settings, origins } = loaded
  const { platform, env, home } = io.machine
  const { iconText } = await import('../operator/dashboard/html.ts')
  const ipcPrefix = settings.profile?.ipcPrefix ?? SANDBOX_IPC_PREFIX
  const recordFile = join(settings.dataDir, 'installed.json')
  const starters = startersOf(io.machine).filter(({ kind }) => kind === 'unit')
  const hasPackageUnit = starters.some(({ owner }) => owner === 'package')
  return {
    platform,
    home,
    env,
    uid: process.getuid?.(),
    program: programHere(),
    quietProgram: quietProgramHere(),
    hasTray: hasTrayHere(),
    icon: iconText(),
    flags: flagsFor(context, hasPackageUnit),
    hasSystemd: hasSystemd(env),
    ipcPrefix,
    runtimeDir: origins.runtimeDir === 'default' ? undefined : resolve(settings.runtimeDir),
    ...(await firstSlot(context, ipcPrefix)),
    hasPackageUnit,
    hasOwnUnit: starters.some(({ owner }) => owner === 'user'),
    platformChoice: platformChoice(context),
    schemes: schemesOf(operands, recordFile),
    dataDir: settings.dataDir,
    keychainEntries: keychainEntriesOf(settings.dataDir),
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

/** Ends the bridge on this data folder; false if none runs. Rejects if it does not end, or does not say its process. */
async function stopBridge(context: Context): Promise<boolean> {
  const pid = await withBridgeOnData(context, (client) => asOperator<BridgeState>(client, context, 'WATCH_BRIDGE', {})).then(
    (state) => state.pid,
    (failure: unknown) => {
      if (failure instanceof CommandFailure && failure.exitCode === EXIT.noDaemon) return undefined
      throw failure
    },
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

export const stopHere = (context: Context): Promise<ExitCode> =>
  perform(context, { steps: [{ do: 'stop-tray', dataDir: context.loaded.settings.dataDir }, { do: 'stop-bridge' }], notes: [] })
