/**
 * Which program files are Wine. A name alone is none, because any program can have it: the file must lie where only root writes, or where a
 * launcher of games keeps the versions of Wine that the user installed. Other programs of the user can write there too, so the loader is part of
 * the grant, with its content.
 */
import { lstatSync, type Stats } from 'node:fs'
import { basename, dirname } from 'node:path'
import { WINE_LOADER } from './interpreter-table.ts'

const BINARIES = String.raw`(?:(?:files|dist)/)?(?:bin(?:-wow64)?|lib(?:64)?/wine/[\w-]+)`

/** Folders of Steam, Lutris, Heroic and Bottles below the user's own, up to the folder of one version. */
const VERSIONS = [
  '/compatibilitytools[.]d/[^/]+',
  '/steamapps/common/Proton[^/]*',
  '/lutris/runners/(?:wine|proton)/[^/]+',
  '/heroic/tools/(?:wine|proton)/[^/]+',
  '/bottles/runners/[^/]+',
].map((folder) => new RegExp(`${folder}/${BINARIES}$`))

const ROOT = 0
const SHARED_WRITE = 0o022
const STICKY = 0o1000

type Lstat = (path: string) => Pick<Stats, 'uid' | 'mode'>

/** Whether root alone can change what lies at a real path. */
function isOfRoot(path: string, lstat: Lstat): boolean {
  const { uid, mode } = lstat(path)
  const isShared = (mode & SHARED_WRITE) !== 0 && (mode & STICKY) === 0
  if (uid !== ROOT || isShared) return false
  const above = dirname(path)
  return above === path || isOfRoot(above, lstat)
}

/** `path`: of the running file, without links. */
export function isWineLoader(path: string, lstat: Lstat = lstatSync): boolean {
  if (!WINE_LOADER.test(basename(path))) return false
  if (VERSIONS.some((folder) => folder.test(dirname(path)))) return true
  try {
    return isOfRoot(path, lstat)
  } catch {
    return false // It was removed after its start.
  }
}
