/**
 * Returns memory to the system. After its start, and after games have left, a process keeps pages that it no longer needs: V8 collects only
 * when it needs room, and the C library keeps what was freed.
 */
import type * as ffiModule from 'node:ffi'
import type { Clock } from '../clock.ts'
import { Quiet } from '../quiet.ts'

type Ffi = typeof ffiModule
/** V8's collector. */
type Collect = (options: { readonly type: 'major'; readonly execution: 'sync'; readonly flavor: 'last-resort' }) => void

// `null` opens the running program, which has the C library loaded.
const SELF = null

/** Only glibc has it. */
function releaserOnLinux(ffi: Ffi): () => void {
  const trim = ffi.dlopen(SELF, { malloc_trim: { arguments: ['uint64'], return: 'int32' } }).functions
  return () => void trim.malloc_trim(0n)
}

function releaserOnMac(ffi: Ffi): () => void {
  const relieve = ffi.dlopen(SELF, { malloc_zone_pressure_relief: { arguments: ['uint64', 'uint64'], return: 'uint64' } }).functions
  return () => void relieve.malloc_zone_pressure_relief(0n, 0n)
}

function releaserOnWindows(ffi: Ffi): () => void {
  const { GetCurrentProcess, SetProcessWorkingSetSize } = ffi.dlopen('kernel32.dll', {
    GetCurrentProcess: { arguments: [], return: 'uint64' },
    SetProcessWorkingSetSize: { arguments: ['uint64', 'uint64', 'uint64'], return: 'int32' },
  }).functions
  /** (SIZE_T)-1: as small as possible. */
  const SMALLEST = 0xffff_ffff_ffff_ffffn
  return () => void SetProcessWorkingSetSize(GetCurrentProcess(), SMALLEST, SMALLEST)
}

const RELEASERS: Partial<Record<NodeJS.Platform, (ffi: Ffi) => () => void>> = {
  linux: releaserOnLinux,
  darwin: releaserOnMac,
  win32: releaserOnWindows,
}

/** Undefined if `make` throws. */
function optional<T>(make: () => T): T | undefined {
  try {
    return make()
  } catch {
    return undefined
  }
}

/**
 * Collects all garbage. The flags are for this call only: with other flags, V8 refuses the compiled code of
 * modules that are loaded later. Without the reducer, V8 does not wake the process afterwards to look at its heap.
 */
function collect(): void {
  const { setFlagsFromString } = process.getBuiltinModule('node:v8')
  const { runInNewContext } = process.getBuiltinModule('node:vm')
  setFlagsFromString('--expose-gc')
  setFlagsFromString('--no-memory-reducer')
  try {
    const gc = runInNewContext('globalThis.gc') as Collect | undefined
    gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  } finally {
    setFlagsFromString('--memory-reducer')
    setFlagsFromString('--no-expose-gc')
  }
}

/** V8's threads sweep for a moment after a collection, and free more. */
const SWEEP_MS = 1_000
/** Longer than a game waits between calls while it starts. */
const QUIET_MS = 5_000

/**
 * Collects garbage, some 20 ms, and a second later returns what is free. Resolves then. Does nothing where this system or this Node has no
 * call for it.
 */
export function releaseMemory(clock: Clock): Promise<void> {
  // Made first: on Windows, code that runs after the release brings pages back.
  const release = optional(() => RELEASERS[process.platform]?.(process.getBuiltinModule('node:ffi')))
  collect()
  return new Promise((resolve) => {
    clock.after(SWEEP_MS, () => {
      resolve()
      release?.()
    })
  })
}

/** Releases memory once in a quiet time after each `start`. */
export const releaseWhenQuiet = (clock: Clock): Quiet => new Quiet(clock, QUIET_MS, () => void releaseMemory(clock))
