/** Enters the simulation in this process or thread, for good, and loads what runs in it. Only then may the daemon be imported. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildFaultyDisk, FaultyDisk, missingForDisk } from '#test/support/vfs/faulty-disk.ts'
import { enterSimulation } from './machine/machine.ts'
import type { RunOptions, RunReport } from './simulate.ts'

/** `sqlite`: the disk below SQLite; without it, only what node:fs writes has faults. */
export async function openSimulation(sqlite: FaultyDisk | undefined): Promise<(options: RunOptions) => Promise<RunReport>> {
  enterSimulation(sqlite)
  const { preload } = await import('./preload.ts')
  await preload()
  return (await import('./simulate.ts')).simulate
}

/** The disk below SQLite of this thread. Undefined, with a sentence on stderr, where it cannot be built. */
export async function openDisk(): Promise<FaultyDisk | undefined> {
  const missing = await missingForDisk()
  if (missing !== undefined) {
    console.error(`no faults below SQLite: ${missing}`)
    return undefined
  }
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-disk-'))
  try {
    return new FaultyDisk(await buildFaultyDisk(folder))
  } finally {
    rmSync(folder, { recursive: true })
  }
}
