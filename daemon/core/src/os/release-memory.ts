/**
 * Returns memory to the system. After its start, and after games have left, a process keeps pages that it no longer needs: V8 collects only
 * when it needs room, and the C library keeps what was freed.
 */
import { readFileSync } from 'node:fs'
import type * as ffiModule from 'node:ffi'
import type { Clock } from '../clock.ts'
import { Quiet } from '../quiet.ts'

type Ffi = typeof ffiModule
/** V8's collector. */
type Collect = (options: { readonly type: 'major'; readonly execution: 'sync'; readonly flavor: 'last-resort' }) => void

// `null` opens the running program, which has the C library loaded.
const SELF = null

interface Mapping {
  readonly start: bigint
  readonly end: bigint
}

const HEAD = /^([0-9a-f]+)-([0-9a-f]+) (\S{4}) \S+ \S+ \d+ +(.+)$/
const ANONYMOUS = /^Anonymous: +(\d+) kB$/

/**
 * The mappings of a file that are read-only and have no private page, of the text of /proc/PID/smaps. The kernel reads such pages from the
 * file again when they are needed. Users read the RSS of a program as its size: with these pages it is 72 MiB before the first game and
 * 104 MiB after everything was used, without them 19 and 35. A read-only mapping with private pages (relocated data) must stay.
 */
export function cleanMappings(smaps: string, file: string): readonly Mapping[] {
  const found: Mapping[] = []
  let current: Mapping | undefined
  for (const line of smaps.split('\n')) {
    const [, start = '', end = '', rights = '', path] = HEAD.exec(line) ?? []
    if (path !== undefined) {
      const isReadOnly = (rights === 'r-xp' || rights === 'r--p') && path === file
      current = isReadOnly ? { start: BigInt(`0x${start}`), end: BigInt(`0x${end}`) } : undefined
      continue
    }
    if (current !== undefined && ANONYMOUS.exec(line)?.[1] === '0') found.push(current)
  }
  return found
}

/** Returns what the C library keeps after it was freed. Only glibc has it. */
const trimmerOnLinux = (ffi: Ffi): (() => void) | undefined => {
  const trim = optional(() => ffi.dlopen(SELF, { malloc_trim: { arguments: ['uint64'], return: 'int32' } }).functions.malloc_trim)
  return trim && (() => void trim(0n))
}

function releaserOnLinux(ffi: Ffi): () => void {
  const MADV_DONTNEED = 4
  const trim = trimmerOnLinux(ffi)
  const { madvise } = ffi.dlopen(SELF, { madvise: { arguments: ['uint64', 'uint64', 'int32'], return: 'int32' } }).functions
  const mappings = cleanMappings(readFileSync('/proc/self/smaps', 'latin1'), process.execPath)
  return () => {
    trim?.()
    for (const { start, end } of mappings) madvise(start, end - start, MADV_DONTNEED)
  }
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

/** Those that leave the pages of the program in memory, where a daemon at work needs them. */
const TRIMMERS: Partial<Record<NodeJS.Platform, (ffi: Ffi) => (() => void) | undefined>> = {
  linux: trimmerOnLinux,
  darwin: releaserOnMac,
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

/** V8's threads sweep for a moment after a collection, and would bring pages of the program back. */
const SWEEP_MS = 1_000
/** Longer than a game waits between calls while it starts. */
const QUIET_MS = 5_000
/** A game that calls all the time must not keep what a crowd has left. */
const LATEST_MS = 30_000

/**
 * Collects garbage, some 20 ms, and a second later returns what is free. Resolves then. Does nothing where this system or this Node has no
 * call for it.
 */
export function releaseMemory(clock: Clock): Promise<void> {
  // Made first, because code that runs after the release brings pages back.
  const release = optional(() => RELEASERS[process.platform]?.(process.getBuiltinModule('node:ffi')))
  collect()
  return new Promise((resolve) => {
    clock.after(SWEEP_MS, () => {
      resolve()
      release?.()
    })
  })
}

/**
 * Collects garbage and returns what is free, at once: some 100 ms with ten thousand connections. For a daemon at work, which grows by garbage
 * faster than V8 collects it.
 */
export function relieveMemory(): void {
  collect()
  optional(() => TRIMMERS[process.platform]?.(process.getBuiltinModule('node:ffi')))?.()
}

/** Releases memory once after each `start`: in a quiet time, or half a minute later. */
export const releaseWhenQuiet = (clock: Clock): Quiet =>
  new Quiet(clock, { quietMs: QUIET_MS, latestMs: LATEST_MS }, () => void releaseMemory(clock))
