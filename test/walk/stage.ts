/** A booted machine with a platform and the player's desktop, for one walk. */
import { chmod, copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Machine } from '../e2e/systemd/machine.ts'
import type { SystemName } from '../e2e/systemd/root.ts'
import { Desktop } from './desktop.ts'
import { packaged } from './packagings.ts'
import { startPlatform } from './platform.ts'
import { makePrograms } from './programs.ts'

export interface Folders {
  /** The machine shows it as `SHARED`. */
  readonly shared: string
  readonly scratch: string
}

export interface Stage {
  readonly machine: Machine
  readonly desktop: Desktop
}

/** Boots it, and ends all after the play. `prepare`: what else the machine must find in the shared folder. */
export async function onStage<Result>(
  system: SystemName,
  prepare: (folders: Folders) => Promise<unknown>,
  play: (stage: Stage) => Promise<Result>,
): Promise<Result> {
  const base = await mkdtemp(join(tmpdir(), 'sp-walk-'))
  const closers: (() => Promise<unknown>)[] = [() => rm(base, { recursive: true, force: true })]
  try {
    const folders = { shared: join(base, 'shared'), scratch: join(base, 'scratch') }
    await mkdir(folders.shared)
    await chmod(base, 0o755)
    await makePrograms(folders.shared, folders.scratch)
    await copyFile(packaged().executable, join(folders.shared, 'platform'))
    await prepare(folders)
    const machine = await Machine.boot(folders.shared, system)
    closers.unshift(() => machine.stop())
    const platform = await startPlatform(machine)
    closers.unshift(() => platform.kill())
    const desktop = await Desktop.open(machine, folders.shared)
    closers.unshift(() => desktop.close())
    return await play({ machine, desktop })
  } finally {
    for (const close of closers) await close()
  }
}
