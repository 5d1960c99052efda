/**
 * Gives a test run its own temporary folder, which every program that it starts inherits, and a place for the tested program
 * (e2e/support/program.ts). At the end of the run, programs that still run there are named and killed, and files there are removed. So a failed
 * test leaves no daemon for the next run.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const VARIABLE = process.platform === 'win32' ? 'TEMP' : 'TMPDIR'
const CACHE = join(import.meta.dirname, '..', '.cache')
/** Time for programs to end after SIGTERM. */
const FAREWELL_MS = 5_000
const LOOK_MS = 100
/** Vitest's own, which ends with the run. */
const WATCHDOG = 'vitest-watchdog'

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // It has ended meanwhile, or belongs to another user.
    return ''
  }
}

/** Ids of processes that got this folder, directly or from their parent. Linux only. Of a daemon, an ordinary user can read the arguments alone. */
function running(folder: string): readonly number[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      const line = read(`/proc/${pid}/cmdline`)
      if (pid === process.pid || line.startsWith(WATCHDOG)) return false
      return read(`/proc/${pid}/environ`).split('\0').includes(`${VARIABLE}=${folder}`) || line.includes(`${folder}/`)
    })
}

async function endAll(folder: string): Promise<void> {
  for (let waited = 0; waited < FAREWELL_MS && running(folder).length > 0; waited += LOOK_MS) await pause(LOOK_MS)
  for (const pid of running(folder)) {
    console.warn(`left running, now ended: ${pid} ${read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim()}`)
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended meanwhile.
    }
  }
}

export default function setup(): () => Promise<void> {
  const before = process.env[VARIABLE]
  const folder = mkdtempSync(join(tmpdir(), 'sp-'))
  process.env[VARIABLE] = folder
  mkdirSync(CACHE, { recursive: true })
  // In the tree, where the program finds its native packages.
  const place = mkdtempSync(join(CACHE, 'program-'))
  process.env['SALLYPORT_TEST_PROGRAM'] = join(place, 'sallyport.cjs')
  return async () => {
    if (before === undefined) delete process.env[VARIABLE]
    else process.env[VARIABLE] = before
    await endAll(folder)
    const left = readdirSync(folder)
    if (left.length > 0) console.warn(`left lying, now removed: ${left.join(', ')}`)
    // What was just killed may still write there.
    for (const one of [folder, place]) rmSync(one, { recursive: true, force: true, maxRetries: 5 })
  }
}
