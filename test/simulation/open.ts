/** Enters the simulation in this process or thread, for good, and loads what runs in it. Only then may the daemon be imported. */
import { enterSimulation } from './machine/machine.ts'
import type { RunOptions, RunReport } from './simulate.ts'

export async function openSimulation(): Promise<(options: RunOptions) => Promise<RunReport>> {
  enterSimulation()
  const { preload } = await import('./preload.ts')
  await preload()
  return (await import('./simulate.ts')).simulate
}
