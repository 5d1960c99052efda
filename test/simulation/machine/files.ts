/**
 * Files are those of the system, in a folder of their own. Each operation is over when it returns, because the order in which the system ends
 * several at once is not the seed's. Nothing of the system is watched, and no program is started.
 */
import childProcess from 'node:child_process'
import { EventEmitter } from 'node:events'
import fs from 'node:fs'
import promises from 'node:fs/promises'

/** The tables of sockets are those of the real machine. */
const HIDDEN = /^\/proc\/net\//

const BY_PATH = ['access', 'chmod', 'lstat', 'mkdir', 'readdir', 'readFile', 'rename', 'rm', 'stat', 'unlink', 'writeFile'] as const

type Sync = (...args: unknown[]) => unknown

const syncOf = (name: string): Sync => (fs as unknown as Record<string, Sync>)[`${name}Sync`] as Sync

class VirtualHandle {
  readonly fd: number
  constructor(fd: number) {
    this.fd = fd
  }
  stat = async (options?: fs.StatOptions) => fs.fstatSync(this.fd, options as never)
  readFile = async (encoding: BufferEncoding | null = null) => fs.readFileSync(this.fd, { encoding })
  writeFile = async (data: string | Uint8Array) => fs.writeFileSync(this.fd, data)
  sync = async () => fs.fsyncSync(this.fd)
  datasync = async () => fs.fdatasyncSync(this.fd)
  truncate = async (length?: number) => fs.ftruncateSync(this.fd, length)
  chmod = async (mode: number) => fs.fchmodSync(this.fd, mode)
  close = async () => fs.closeSync(this.fd)
  async read(buffer: Buffer, offset = 0, length = buffer.length - offset, position: number | null = null) {
    return { bytesRead: fs.readSync(this.fd, buffer, offset, length, position), buffer }
  }
  async write(buffer: Buffer, offset = 0, length = buffer.length - offset, position: number | null = null) {
    return { bytesWritten: fs.writeSync(this.fd, buffer, offset, length, position), buffer }
  }
  async [Symbol.asyncDispose]() {
    await this.close()
  }
}

const refused = (what: string) => (): never => {
  throw Object.assign(new Error(`the simulation ${what}`), { code: 'ENOSYS' })
}

/** As for a program that is not installed: a browser, say. */
function notInstalled(): object {
  const child = new EventEmitter()
  process.nextTick(() => child.emit('error', Object.assign(new Error('spawn ENOENT'), { code: 'ENOENT' })))
  return Object.assign(child, { unref: () => {} })
}

export function replaceFiles(): void {
  for (const name of BY_PATH) {
    const work = syncOf(name)
    Object.assign(promises, {
      [name]: async (path: unknown, ...rest: unknown[]) => {
        if (typeof path === 'string' && HIDDEN.test(path)) throw Object.assign(new Error(`${path} is hidden`), { code: 'ENOENT' })
        return work(path, ...rest)
      },
    })
  }
  Object.assign(promises, {
    open: async (path: string, flags?: string | number, mode?: number) => new VirtualHandle(fs.openSync(path, flags ?? 'r', mode)),
  })
  Object.assign(fs, { watch: refused('watches no folder') })
  const noProgram = refused('starts no program')
  Object.assign(childProcess, { spawn: notInstalled, exec: noProgram, execFile: noProgram, fork: noProgram })
}
