/**
 * Prevents other programs of the user from tracing this process or reading its memory, and disables core files. This does not restrict
 * root. Windows has no such call; there, programs of one user can access each other.
 */
import type * as ffiModule from 'node:ffi'

type Ffi = typeof ffiModule

// `null` opens the running program, which has the C library loaded.
const SELF = null
const RLIMIT = { arguments: ['int32', 'buffer'], return: 'int32' } as const
const RLIMIT_CORE = 4
/** struct rlimit { rlim_t rlim_cur; rlim_t rlim_max; }, of 8 bytes each. */
const RLIMIT_BYTES = 16

/** Lowers only the soft limit, so that a launched game can raise it again. */
function withoutCore(ffi: Ffi): boolean {
  const { getrlimit, setrlimit } = ffi.dlopen(SELF, { getrlimit: RLIMIT, setrlimit: RLIMIT }).functions
  const limit = Buffer.alloc(RLIMIT_BYTES)
  if (getrlimit(RLIMIT_CORE, limit) !== 0) return false
  limit.writeBigUInt64LE(0n, 0)
  return setrlimit(RLIMIT_CORE, limit) === 0
}

function undumpable(ffi: Ffi): boolean {
  const PR_SET_DUMPABLE = 4
  const { prctl } = ffi.dlopen(SELF, {
    prctl: { arguments: ['int32', 'uint64', 'uint64', 'uint64', 'uint64'], return: 'int32' },
  }).functions
  return prctl(PR_SET_DUMPABLE, 0n, 0n, 0n, 0n) === 0
}

function untraceable(ffi: Ffi): boolean {
  const PT_DENY_ATTACH = 31
  const { ptrace } = ffi.dlopen(SELF, { ptrace: { arguments: ['int32', 'int32', 'uint64', 'int32'], return: 'int32' } }).functions
  return ptrace(PT_DENY_ATTACH, 0, 0n, 0) === 0
}

const STEPS: Partial<Record<NodeJS.Platform, readonly ((ffi: Ffi) => boolean)[]>> = {
  linux: [undumpable, withoutCore],
  darwin: [untraceable, withoutCore],
}

/** False if the system has these calls and one failed. Cannot be undone. */
export function harden(platform: NodeJS.Platform = process.platform): boolean {
  const steps = STEPS[platform]
  if (steps === undefined) return true
  try {
    const ffi = process.getBuiltinModule('node:ffi')
    return steps.map((step) => step(ffi)).every(Boolean)
  } catch {
    // No node:ffi in this Node, or a C library without these functions.
    return false
  }
}
