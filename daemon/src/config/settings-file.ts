/** Edits the settings file of the user, and keeps what else is in it. */
import { chmodSync, existsSync, mkdirSync, readdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isObject } from './kinds.ts'
import { edited, type FileEdits } from './load.ts'
import { readJson } from './platforms.ts'
import { readBounded } from './read-bounded.ts'
import { SettingsError } from './settings-error.ts'

const PERMISSIONS = 0o777
const PRIVATE_FILE = 0o600
const PRIVATE_FOLDER = 0o700
/** The spaces or tabs before the first key. */
const INDENT = /^\{\r?\n([ \t]+)"/
const DEFAULT_INDENT = '  '

const indentOf = (text: string): string => INDENT.exec(text)?.[1] ?? DEFAULT_INDENT

const partOf = (target: string, pid: number): string => `${target}.${pid}.new`

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (failure) {
    return (failure as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Removes what killed commands left. A command that runs writes its own. */
function removeLeftParts(target: string): void {
  const folder = dirname(target)
  for (const name of readdirSync(folder)) {
    const pid = /\.(\d{1,10})\.new$/.exec(name)?.[1]
    const isPart = pid !== undefined && name === basename(partOf(target, Number(pid)))
    if (isPart && !isRunning(Number(pid))) rmSync(join(folder, name), { force: true })
  }
}

/**
 * Writes the edits into the file, which may not exist yet. A reader sees either the old file or the new one, and a link stays a link. False if
 * the file says so already. Throws SettingsError for a file that is no JSON object, and the system error.
 */
export function editSettingsFile(file: string, edits: FileEdits): boolean {
  const isThere = existsSync(file)
  const target = isThere ? realpathSync(file) : file
  const before = isThere ? readBounded(target) : '{}'
  const content = isThere ? readJson(target, 'settings file') : {}
  if (!isObject(content)) throw new SettingsError(`There must be a JSON object in the settings file ${file}.`)
  const after = edited(content, edits)
  if (isThere && JSON.stringify(after) === JSON.stringify(content)) return false
  mkdirSync(dirname(target), { recursive: true, mode: PRIVATE_FOLDER })
  removeLeftParts(target)
  const part = partOf(target, process.pid)
  rmSync(part, { force: true })
  try {
    writeFileSync(part, `${JSON.stringify(after, undefined, indentOf(before))}\n`, { mode: PRIVATE_FILE, flag: 'wx', flush: true })
    if (isThere) chmodSync(part, statSync(target).mode & PERMISSIONS)
    renameSync(part, target)
  } finally {
    rmSync(part, { force: true })
  }
  return true
}
