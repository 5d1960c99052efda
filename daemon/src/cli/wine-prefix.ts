/** Finds Wine prefixes and reads their state. */
import { existsSync, readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { posix } from 'node:path'
import type { Machine } from '../config/paths.ts'
import { readHeld } from '../install/held-file.ts'
import { architectureOf } from '../install/registry-file.ts'
import { bridgeOf, registryOf } from '../install/wine.ts'
import { EXIT } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'

/** Prefixes of this user: the default one, the selected one, and those of Steam. */
export function winePrefixes({ env, home }: Machine): readonly string[] {
  const steam = posix.join(home, '.local/share/Steam/steamapps/compatdata')
  const ofSteam = existsSync(steam) ? readdirSync(steam).map((id) => posix.join(steam, id, 'pfx')) : []
  const all = [env['WINEPREFIX'] ?? '', posix.join(home, '.wine'), ...ofSteam]
  return [...new Set(all)].filter((prefix) => prefix !== '' && existsSync(registryOf(prefix)))
}

export const hasBridge = (prefix: string): boolean => existsSync(bridgeOf(prefix))

const refused = (message: string): CommandFailure => new CommandFailure(EXIT.failed, message)

/**
 * The folder of a prefix that this user can change: the given one, or `pfx` in it, as Proton has it. Throws CommandFailure if it is no prefix,
 * belongs to another user, or has no 64-bit programs.
 */
export function openPrefix(given: string, uid: number | undefined): string {
  const prefix = [given, posix.join(given, 'pfx')].map((path) => posix.resolve(path)).find((path) => existsSync(registryOf(path)))
  if (prefix === undefined || !existsSync(posix.join(prefix, 'drive_c/windows')))
    throw refused(
      `${given} is not a Wine prefix: it has no system.reg and drive_c/windows. Start a program in it once, or name another folder.`,
    )
  if (statSync(prefix).uid !== uid) throw refused(`${prefix} belongs to another user, who must run this command.`)
  const real = realpathSync(prefix)
  const architecture = architectureOf(registryIn(real))
  if (architecture === undefined) throw refused(`${registryOf(prefix)} is not a registry file of Wine; restore it, or make a new prefix.`)
  if (architecture !== 'win64')
    throw refused(`${prefix} runs 32-bit programs only, and the pipe bridge has 64 bits. Make a prefix with WINEARCH=win64.`)
  return real
}

/** The text of the registry. Throws CommandFailure for a link in its place, or in the place of the folder for programs. */
function registryIn(prefix: string): string {
  try {
    // The folder of the pipe bridge, which may be missing itself.
    readHeld(bridgeOf(prefix))
    return readHeld(registryOf(prefix))?.content.toString('latin1') ?? ''
  } catch (failure) {
    throw refused((failure as Error).message)
  }
}

/** The folder in which the server of a prefix works; its name has device and inode of the prefix. */
const serverFolder = (prefix: string): string => {
  const { dev, ino } = statSync(prefix, { bigint: true })
  return `/server-${dev.toString(16)}-${ino.toString(16)}`
}

/** Whether programs of the prefix run. Wine's server holds the registry in memory, and writes the file when it ends. */
export function isRunning(prefix: string): boolean {
  const folder = serverFolder(prefix)
  return readdirSync('/proc').some((name) => {
    if (!/^\d+$/.test(name)) return false
    try {
      return readlinkSync(`/proc/${name}/cwd`).endsWith(folder)
    } catch {
      return false // It has ended, or belongs to another user.
    }
  })
}
