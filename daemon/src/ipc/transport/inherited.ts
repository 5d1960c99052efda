/** Sockets that a service manager opened for the daemon (systemd socket activation). */
import { fstatSync, readFileSync } from 'node:fs'

/** Inherited descriptors; empty without socket activation. */
export function inheritedDescriptors(environment: NodeJS.ProcessEnv, pid: number): readonly number[] {
  const FIRST_DESCRIPTOR = 3
  if (environment['LISTEN_PID'] !== String(pid)) return []
  const count = Number.parseInt(environment['LISTEN_FDS'] ?? '', 10)
  return Number.isInteger(count) && count > 0 ? Array.from({ length: count }, (_, index) => FIRST_DESCRIPTOR + index) : []
}

const INODE = 6
const PATH = 7

/** Path of an inherited socket; undefined if it has none or the system does not list it. */
export function pathOfDescriptor(fd: number): string | undefined {
  try {
    const inode = String(fstatSync(fd).ino)
    const lines = readFileSync('/proc/net/unix', 'utf8').split('\n')
    // The path is the last column and may contain spaces.
    const fields = lines.map((line) => line.trimStart().split(/ +/)).find((words) => words[INODE] === inode)
    const path = fields?.slice(PATH).join(' ')
    return path?.startsWith('/') === true ? path : undefined
  } catch {
    return undefined
  }
}
