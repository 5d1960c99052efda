/** Does the steps of a plan, in order. */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { writeSmallFile } from '@sallyport/core/storage/small-file'
import { editSettingsFile } from '../config/settings-file.ts'
import { inHeldFolder, readHeld } from './held-file.ts'
import { removeOwnFiles } from './own-files.ts'
import { architectureOf, withValue } from './registry-file.ts'
import type { CommandLine, Step } from './steps.ts'

const PERMISSIONS = 0o777
const PRIVATE_MODE = 0o600
const OTHERS = 0o077
const PROGRAM_MODE = 0o755

export type Outcome = 'done' | 'unchanged' | 'failed'

export interface DoneStep {
  readonly step: Step
  readonly outcome: Outcome
  /** Why it failed. */
  readonly reason?: string
}

/** Ends the running bridge; false if none runs. */
type StopBridge = () => Promise<boolean>

/** What a file says; undefined if it cannot be read. */
export function textAt(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** Windows has no modes, and says that all users may read. */
const HAS_MODES = process.platform !== 'win32'

/** An earlier version wrote the private file with the mode of any other. */
function write({ path, text, isPrivate = false }: Extract<Step, { do: 'write' }>): Outcome {
  const isOpen = isPrivate && HAS_MODES && ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & OTHERS) !== 0
  if (textAt(path) === text && !isOpen) return 'unchanged'
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  if (isPrivate) writeSmallFile(path, text)
  else writeFileSync(path, text)
  return 'done'
}

/** In one step, so that a reader sees either the old file or the new one. Keeps the mode of the old file. */
function replace(path: string, before: ReturnType<typeof readHeld>, content: Buffer, mode: number): Outcome {
  if (before?.content.equals(content) === true) return 'unchanged'
  return inHeldFolder(path, (held) => {
    const part = `${held}.sallyport`
    rmSync(part, { force: true })
    writeFileSync(part, content, { mode: before === undefined ? mode : before.mode & PERMISSIONS, flag: 'wx' })
    renameSync(part, held)
    return 'done'
  })
}

/** Wine writes ASCII; other bytes stay as they are. */
function setValue({ path, key, name, text }: Extract<Step, { do: 'registry' }>): Outcome {
  const before = readHeld(path)
  const registry = before?.content.toString('latin1')
  // Checked again, because this is what is edited.
  if (registry === undefined || architectureOf(registry) === undefined) throw new Error(`${path} is not a registry file of Wine.`)
  return replace(path, before, Buffer.from(withValue(registry, { key, name }, text), 'latin1'), PRIVATE_MODE)
}

function remove(path: string): Outcome {
  try {
    rmSync(path)
    return 'done'
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === 'ENOENT') return 'unchanged'
    throw failure
  }
}

/** Rejects with the output of a program that fails. */
const run = ([program, ...args]: CommandLine): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], windowsHide: true })
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
    child.once('error', reject)
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(said.trim() || `${program} ended with ${code}`))))
  })

/** Resolves when the program runs; it outlives this process. */
const start = ([program, ...args]: CommandLine): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { detached: true, stdio: 'ignore', windowsHide: true })
    child.once('error', reject)
    child.once('spawn', () => {
      child.unref()
      resolve()
    })
  })

/** A tray ends when this file appears beside its socket address. */
export const TRAY_STOP_FILE = 'tray.stop'

function stopTray(dataDir: string): Outcome {
  if (!existsSync(dataDir)) return 'unchanged'
  const file = join(dataDir, TRAY_STOP_FILE)
  writeFileSync(file, '', { mode: 0o600 })
  rmSync(file)
  return 'done'
}

/** Rejects with a sentence if the keychain does not let go of it. */
async function forgetKey(entry: string): Promise<Outcome> {
  const [{ systemKeychain }, { KeyStoreUnavailable }, { keychainAdvice }] = await Promise.all([
    import('../auth/vault/keychain-client.ts'),
    import('../auth/vault/key-store.ts'),
    import('../auth/vault/key-errors.ts'),
  ])
  try {
    return (await systemKeychain().remove(entry)) ? 'done' : 'unchanged'
  } catch (failure) {
    if (!(failure instanceof KeyStoreUnavailable)) throw failure
    throw new Error(`${keychainAdvice(failure.reason)} Then remove the entry there yourself`, { cause: failure })
  }
}

async function outcomeOf(step: Step, stopBridge: StopBridge): Promise<Outcome> {
  switch (step.do) {
    case 'write':
      return write(step)
    case 'set':
      return editSettingsFile(step.file, { [step.key]: step.value }) ? 'done' : 'unchanged'
    case 'copy':
      return replace(step.path, readHeld(step.path), readFileSync(step.from), PROGRAM_MODE)
    case 'registry':
      return setValue(step)
    case 'remove':
      return step.isHeld === true ? inHeldFolder(step.path, (held) => remove(held)) : remove(step.path)
    case 'remove-folder':
      return removeOwnFiles(step.path) ? 'done' : 'unchanged'
    case 'forget-key':
      return forgetKey(step.entry)
    case 'run':
      await run(step.command)
      return 'done'
    case 'start':
      await start(step.command)
      return 'done'
    case 'stop-tray':
      return stopTray(step.dataDir)
    case 'stop-bridge':
      return (await stopBridge()) ? 'done' : 'unchanged'
  }
}

/** Goes on after a failed step, so that an uninstallation removes what it can. */
export async function carryOut(
  steps: readonly Step[],
  stopBridge: StopBridge,
  onDone: (done: DoneStep) => void,
): Promise<readonly DoneStep[]> {
  const all: DoneStep[] = []
  for (const step of steps) {
    const done = await outcomeOf(step, stopBridge).then(
      (outcome): DoneStep => ({ step, outcome }),
      (failure: unknown): DoneStep => {
        const reason = failure instanceof Error ? failure.message : String(failure)
        return { step, outcome: 'mayFail' in step && step.mayFail ? 'unchanged' : 'failed', reason }
      },
    )
    onDone(done)
    all.push(done)
  }
  return all
}
