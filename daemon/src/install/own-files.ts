/** Removes what this program made in a folder of the user, and nothing else: a setting can name a folder with other files. */
import { type Dirent, lstatSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** Files of a data folder and of a folder of settings. Databases and replaced files also have companions, such as `grants.sqlite-wal`. */
const FILES: readonly string[] = [
  'applications.sqlite',
  'bridge.loaded',
  'choices.json',
  'config.json',
  'dashboard.address',
  'dashboard.port',
  'format',
  'grants.sqlite',
  'history.sqlite',
  'installed.json',
  'launches.sqlite',
  'presence.paused',
  'sandbox.sqlite',
  'socket.address',
  'tray.stop',
]
/** Folders of a data folder, and the files in them. */
const FOLDERS: Readonly<Record<string, RegExp>> = {
  log: /^sallyport\.log/,
  operator: /^[0-9a-f-]+$/,
  uploads: /./,
  vault: /^(?:tokens\.|keyring-[0-9a-f]+\.node$)/,
}

const isOwnFile = (entry: Dirent): boolean =>
  entry.isFile() && FILES.some((name) => entry.name === name || entry.name.startsWith(`${name}.`) || entry.name.startsWith(`${name}-`))

function removeNested(folder: string, own: RegExp): void {
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isFile() && own.test(entry.name)) rmSync(join(folder, entry.name))
  if (readdirSync(folder).length === 0) rmdirSync(folder)
}

/** False if there is no folder. Throws with a sentence if files of others are in it: those stay, and the folder with them. */
export function removeOwnFiles(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false })
  if (found === undefined) return false
  if (!found.isDirectory()) throw new Error(`${folder} is a link or no folder, so nothing in it was removed.`)
  const entries = readdirSync(folder, { withFileTypes: true })
  const files = entries.filter(isOwnFile)
  // Without one of its files, a folder called log or uploads is not ours either.
  if (files.length === 0 && entries.some((entry) => !entry.isDirectory() || FOLDERS[entry.name] === undefined)) {
    throw new Error(`${folder} has no file of Sallyport, so nothing in it was removed.`)
  }
  for (const { name } of files) rmSync(join(folder, name))
  for (const [name, own] of Object.entries(FOLDERS)) {
    if (entries.some((entry) => entry.name === name && entry.isDirectory())) removeNested(join(folder, name), own)
  }
  const [other] = readdirSync(folder)
  if (other !== undefined) throw new Error(`${folder} also has files of others, such as ${other}. Those stay; remove them yourself.`)
  rmdirSync(folder)
  return true
}
