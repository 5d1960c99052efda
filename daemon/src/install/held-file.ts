/**
 * Files below folders that a contained program can change while an installation works there. Each folder of a path is opened without
 * following a link, and the file is named below its descriptor, so what was checked is what is read and changed. Linux only.
 */
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'

const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants
/** A descriptor that only names its folder, so that the folder needs no permission to be read. Node has no name for it. */
const O_PATH = 0o10000000
/** A registry of Wine has a tenth of it. */
const MAX_BYTES = 268_435_456
const NO_FOLDER: readonly unknown[] = ['ELOOP', 'ENOTDIR']

/** Throws the system error; a link has a sentence. */
function openFolder(path: string): number {
  let held = openSync('/', O_PATH | O_DIRECTORY)
  let passed = ''
  for (const name of path.split('/').filter((part) => part !== '')) {
    passed += `/${name}`
    try {
      const next = openSync(`/proc/self/fd/${held}/${name}`, O_PATH | O_DIRECTORY | O_NOFOLLOW)
      closeSync(held)
      held = next
    } catch (failure) {
      closeSync(held)
      throw NO_FOLDER.includes((failure as NodeJS.ErrnoException).code)
        ? new Error(`${passed} is a link or no folder. Remove it, or name another prefix.`, { cause: failure })
        : failure
    }
  }
  return held
}

/** Calls `act` with a path that names the same file below its held folder. `path`: absolute and real. Throws the system error. */
export function inHeldFolder<T>(path: string, act: (held: string) => T): T {
  const folder = openFolder(posix.dirname(path))
  try {
    return act(`/proc/self/fd/${folder}/${posix.basename(path)}`)
  } finally {
    closeSync(folder)
  }
}

/** The content and mode of a file, which must be no link. Undefined if there is none. Throws with a sentence. */
export function readHeld(path: string): { readonly content: Buffer; readonly mode: number } | undefined {
  return inHeldFolder(path, (held) => {
    let fd: number
    try {
      fd = openSync(held, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    } catch (failure) {
      const { code } = failure as NodeJS.ErrnoException
      if (code === 'ENOENT') return undefined
      throw code === 'ELOOP' ? notPlain(path) : failure
    }
    try {
      const found = fstatSync(fd)
      if (!found.isFile() || found.nlink !== 1) throw notPlain(path)
      if (found.size > MAX_BYTES) throw new Error(`${path} has more than ${MAX_BYTES} bytes. Restore it, or name another prefix.`)
      return { content: readFileSync(fd), mode: found.mode }
    } finally {
      closeSync(fd)
    }
  })
}

const notPlain = (path: string): Error => new Error(`${path} is a link, or no file. Restore it, or name another prefix.`)
