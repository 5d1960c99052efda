/**
 * The simulated machine: one timeline, one stream of random numbers, one network. `enterSimulation` replaces what the process has of them, once and
 * for good, so it must run before the code that is simulated is loaded. Each run then gets a machine of its own.
 */
import { syncBuiltinESMExports } from 'node:module'
import { replaceDatabases } from './databases.ts'
import { Disk, Killed } from './disk.ts'
import { replaceFiles } from './files.ts'
import type { FaultyDisk } from '#test/support/vfs/faulty-disk.ts'
import { Network } from './network.ts'
import { type Random, streamOf } from './random.ts'
import { replaceNetwork } from './replace-network.ts'
import { replaceRandomness } from './randomness.ts'
import { replaceSignals } from './signals.ts'
import type { Tap } from './socket.ts'
import { replaceTime } from './time.ts'
import { currentOwner, keepOwnersInSnapshots, type Owner, Timeline } from './timeline.ts'

export interface Failure {
  readonly owner: string
  readonly failure: unknown
}

export class Machine {
  readonly timeline: Timeline
  readonly network: Network
  readonly disk: Disk
  /** What the code under test draws from. */
  readonly random: Random
  /** How far the wall clock is from the timeline, milliseconds. */
  wallOffsetMs = 0
  /** How long it slept, milliseconds: by the time since its start, and not by the timeline. */
  sleptMs = 0
  /** Exceptions that nothing caught: each would have ended its process. */
  readonly failures: Failure[] = []

  constructor(seed: number, tap: Tap, disk: Disk) {
    this.disk = disk
    this.random = streamOf(seed, 'code')
    this.timeline = new Timeline(streamOf(seed, 'timers'), (failure, owner) => this.fail(failure, owner))
    this.network = new Network(this.timeline, streamOf(seed, 'network'), tap)
  }

  fail(failure: unknown, owner: Owner | undefined): void {
    if (failure instanceof Killed || owner?.isDead === true) return
    this.failures.push({ owner: owner?.name ?? 'simulation', failure })
  }
}

const PID = 4_242
const MEMORY_BYTES = 64 * 1024 * 1024

let running: Machine | undefined
let isEntered = false

const machine = (): Machine => {
  if (running === undefined) throw new Error('no simulation runs')
  return running
}

/** What the system chooses for each process. */
function replaceProcess(): void {
  Object.defineProperty(process, 'pid', { value: PID })
  process.memoryUsage.rss = () => MEMORY_BYTES
}

/** Idempotent. `sqlite`: the disk below SQLite, where it can be built. */
export function enterSimulation(sqlite: FaultyDisk | undefined): void {
  if (isEntered) return
  isEntered = true
  const disk = new Disk(sqlite)
  running = new Machine(0, { onBytes: () => {} }, disk)
  disk.replace()
  keepOwnersInSnapshots()
  replaceProcess()
  replaceTime(machine)
  replaceRandomness(machine)
  replaceSignals()
  replaceFiles()
  replaceDatabases(disk)
  replaceNetwork(() => machine().network)
  syncBuiltinESMExports()
  process.on('unhandledRejection', (failure) => machine().fail(failure, currentOwner()))
  process.on('uncaughtException', (failure) => machine().fail(failure, currentOwner()))
}

/** Replaces the machine of the process by a new one. */
export function bootMachine(seed: number, tap: Tap): Machine {
  const { disk } = machine()
  disk.clear()
  running = new Machine(seed, tap, disk)
  return running
}
