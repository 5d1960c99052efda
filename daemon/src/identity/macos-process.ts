/** Facts of a process on macOS: program, sandbox, command line and working folder. Not tested on a Mac. */
import type * as ffiModule from 'node:ffi'
import { type Launched, programAt } from './program-at.ts'
import type { ProgramFacts } from './program.ts'

/** PROC_PIDPATHINFO_MAXSIZE */
const PATH_BYTES = 4096

/** struct proc_uniqidentifierinfo, which begins with the UUID of the program. */
const PROC_PIDUNIQIDENTIFIERINFO = 17
const UNIQUE_BYTES = 56
const UUID_BYTES = 16

/** struct proc_vnodepathinfo: the working folder and the root, each a struct vnode_info and a path. */
const PROC_PIDVNODEPATHINFO = 9
const VNODE_PATHS = { bytes: 2352, folder: 152, folderBytes: 1024 }

const CTL_KERN = 1
const KERN_PROCARGS2 = 49
/** The largest command line and environment (ARG_MAX). */
const ARGUMENTS_BYTES = 1_048_576

const NUL = 0

export function openMacProcesses(ffi: typeof ffiModule) {
  const { functions: c } = ffi.dlopen(null, {
    proc_pidpath_audittoken: { arguments: ['buffer', 'buffer', 'uint32'], return: 'int32' },
    proc_pidinfo: { arguments: ['int32', 'int32', 'uint64', 'buffer', 'int32'], return: 'int32' },
    sandbox_check: { arguments: ['int32', 'pointer', 'int32'], return: 'int32' },
    sysctl: { arguments: ['buffer', 'uint32', 'buffer', 'buffer', 'pointer', 'uint64'], return: 'int32' },
  })
  const path = Buffer.alloc(PATH_BYTES)

  const info = (pid: number, flavor: number, bytes: number): Buffer | undefined => {
    const value = Buffer.alloc(bytes)
    return c.proc_pidinfo(pid, flavor, 0n, value, bytes) === bytes ? value : undefined
  }

  const launched = (pid: number, executable: string): Launched => ({
    executable,
    argv() {
      const name = Buffer.from(Int32Array.of(CTL_KERN, KERN_PROCARGS2, pid).buffer)
      const value = Buffer.alloc(ARGUMENTS_BYTES)
      const length = Buffer.alloc(8)
      length.writeBigUInt64LE(BigInt(ARGUMENTS_BYTES))
      if (c.sysctl(name, 3, value, length, null, 0n) !== 0) return undefined
      return wordsOf(value.subarray(0, Number(length.readBigUInt64LE(0))))
    },
    folder() {
      const { bytes, folder, folderBytes } = VNODE_PATHS
      const found = info(pid, PROC_PIDVNODEPATHINFO, bytes)?.subarray(folder, folder + folderBytes)
      return found === undefined || found[0] === NUL ? undefined : textBefore(found)
    },
  })

  return {
    /** Throws when the token's process has exited or runs another program. */
    programOf(pid: number, token: Buffer): ProgramFacts {
      const bytes = c.proc_pidpath_audittoken(token, path, PATH_BYTES)
      if (bytes <= 0) throw new Error('The system returned no path for this process.')
      const facts = programAt(launched(pid, path.toString('utf8', 0, bytes)))
      // It also reports a sandbox for an exited process; the caller checks liveness afterwards.
      return c.sandbox_check(pid, null, 0) === 0 ? facts : { ...facts, kind: 'container', container: 'sandbox' }
    },
    /** UUID of a process's program; undefined once it has exited. */
    uuidOf: (pid: number): Buffer | undefined => info(pid, PROC_PIDUNIQIDENTIFIERINFO, UNIQUE_BYTES)?.subarray(0, UUID_BYTES),
  }
}

const textBefore = (bytes: Buffer): string => {
  const end = bytes.indexOf(NUL)
  return bytes.toString('utf8', 0, end < 0 ? bytes.length : end)
}

/** Format: number of arguments, program path, zeros, then each argument with a terminating zero. */
export function wordsOf(bytes: Buffer): readonly string[] | undefined {
  if (bytes.length < 4) return undefined
  const count = bytes.readInt32LE(0)
  let at = bytes.indexOf(NUL, 4)
  while (at >= 0 && at < bytes.length && bytes[at] === NUL) at++
  if (at < 0) return undefined
  const words = bytes.toString('utf8', at).split('\0', count)
  return words.length === count ? words : undefined
}
