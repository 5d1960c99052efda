/** Names of socket files in a folder that other programs use too. Nothing here takes the name of a socket from it for good. */
import { linkSync, lstatSync, renameSync, rmSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { randomToken } from '@sallyport/core/os/random-token'

/** What identifies a socket file under each of its names. */
type SocketFile = Pick<Stats, 'dev' | 'ino'>

/** How a name begins that is no slot. */
export const OWN_NAME = '.sp-'
const CHARACTERS = 8

/** A new name for a socket of this daemon alone. */
export const ownName = (folder: string): string => join(folder, `${OWN_NAME}${randomToken().slice(0, CHARACTERS)}`)

/** The socket file with this name. Throws the system error. */
export const socketFileAt = (path: string): Stats => lstatSync(path)

/** Whether the path is a name of this socket file. */
export function isNamed(path: string, { dev, ino }: SocketFile): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  return found !== undefined && found.dev === dev && found.ino === ino
}

/**
 * Removes a name of this socket file; false if the path is none. The name is moved first and looked at then: another program may replace it at
 * any time, and its socket gets its name back.
 */
export function removeName(path: string, file: SocketFile): boolean {
  if (!isNamed(path, file)) return false
  const aside = `${path}.${process.pid}`
  try {
    renameSync(path, aside)
  } catch (failure) {
    // The keeper of a killed daemon was faster.
    if ((failure as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw failure
  }
  const isOurs = isNamed(aside, file)
  if (!isOurs && !addName(aside, path)) return false // A third program has the name now. The other one keeps this.
  rmSync(aside)
  return isOurs
}

/** Gives the socket file at a path one more name. False if the name is taken. Throws the system error. */
export function addName(path: string, name: string): boolean {
  try {
    linkSync(path, name)
    return true
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw failure
  }
}
