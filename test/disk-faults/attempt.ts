/** One scenario, once: as it is, to list its points, or with one of them failing, to judge what follows. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ConnectionLostError } from '@sallyport/client'
import { type Point, pointsOf, SECCOMP, type Way, wordsFor } from './points.ts'
import type { Scenario, Step } from './scenarios.ts'
import { type Facts, flawOfEnd, flawOfSentence, flawsOf, flawsOfFolder } from './truth.ts'
import { NotKept, type Platform, World } from './world.ts'

/** A call that failed once works again within this time: the vault remembers a failure for three seconds. */
const AGAIN_MS = 6_000
const BETWEEN_MS = 200

export interface Result {
  /** The point was reached. */
  readonly isHit: boolean
  readonly flaws: readonly string[]
  readonly said: string
}

const note = (facts: Facts, { tells }: Step, isAnswered: boolean): void => {
  for (const [fact, told] of Object.entries(tells)) facts.set(fact as keyof Step['tells'], isAnswered ? told : undefined)
}

async function runAll(world: World, facts: Facts, steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    await step.run(world)
    note(facts, step, true)
  }
}

/** The earlier run, the start, and what comes before the faults. */
async function prepare(world: World, facts: Facts, scenario: Scenario, words: readonly string[], list: string): Promise<number> {
  if (scenario.earlier.length > 0) {
    await world.start()
    await runAll(world, facts, scenario.earlier)
    await world.leave()
  }
  const start = Date.now()
  await world.start({ words, list })
  if (scenario.before === undefined) return start
  await runAll(world, facts, scenario.before)
  return Date.now()
}

export async function listPoints(platform: Platform, scenario: Scenario, application: string): Promise<readonly Point[]> {
  if (scenario.isShortLived === true) platform.shortLived.add(application)
  const world = await World.create(platform, application)
  const list = join(world.at.base, 'list')
  const facts: Facts = new Map()
  const from = await prepare(world, facts, scenario, SECCOMP, list)
  await runAll(world, facts, scenario.steps)
  const to = scenario.ends ? Number.POSITIVE_INFINITY : Date.now()
  await world.leave()
  const points = pointsOf(readFileSync(list, 'utf8'), world.at.data)
  await world.at.remove()
  return points.filter(({ at }) => at >= from && at < to)
}

/** Runs the step until it is answered well or the daemon is gone; gives the flaws of the errors on the way. */
async function underFaults(world: World, facts: Facts, step: Step, isOnce: boolean): Promise<readonly string[]> {
  const flaws = new Set<string>()
  for (const end = Date.now() + AGAIN_MS; ; await pause(BETWEEN_MS)) {
    try {
      await step.run(world)
      note(facts, step, true)
      return [...flaws]
    } catch (failure) {
      note(facts, step, false)
      if (failure instanceof ConnectionLostError || failure instanceof TypeError ? await hasEnded(world) : await isOver(world)) return [...flaws]
      const sentence = (failure as Error).message
      const flaw = failure instanceof NotKept ? undefined : flawOfSentence(sentence)
      if (flaw !== undefined) flaws.add(`${step.name} ${flaw}`)
      if (!isOnce) return [...flaws]
      if (Date.now() > end) return [...flaws, `${step.name} does not work again after one failure: ${sentence}`]
    }
  }
}

/** The exit of a killed process is told a moment after its connections end. */
const EXIT_MS = 5_000
const hasEnded = (world: World): Promise<boolean> =>
  Promise.race([world.bridge.ended.then(() => true), pause(EXIT_MS).then(() => false)])

export async function attempt(
  platform: Platform,
  scenario: Scenario,
  application: string,
  { point, way, paths }: { readonly point: Point; readonly way: Way; readonly paths: readonly string[] },
): Promise<Result> {
  if (scenario.isShortLived === true) platform.shortLived.add(application)
  const world = await World.create(platform, application)
  const list = join(world.at.base, 'list')
  const facts: Facts = new Map()
  const flaws: string[] = []
  const words = wordsFor(point, way, paths, world.at.data)
  const isOnce = way.endsWith('once')
  await prepare(world, facts, scenario, words, list)
  if (world.bridge.ready !== undefined)
    for (const step of scenario.steps) {
      if (await isOver(world)) note(facts, step, false)
      else flaws.push(...(await underFaults(world, facts, step, isOnce)))
    }
  const { code, signal } = await world.leave()
  const said = world.bridge.said()
  const isKilled = signal === 'SIGKILL'
  if (!isKilled && code !== 0) {
    const flaw = flawOfEnd(said)
    if (flaw !== undefined) flaws.push(`the daemon ended with ${code ?? signal} and ${flaw}`)
  }
  const isHit = isKilled || (existsSync(list) && readFileSync(list, 'utf8').includes('(INJECTED)'))
  flaws.push(...(await afterRestart(world, facts)))
  await world.at.remove()
  return { isHit, flaws, said }
}

const isOver = (world: World): Promise<boolean> => Promise.race([world.bridge.ended.then(() => true), pause(0).then(() => false)])

async function afterRestart(world: World, facts: Facts): Promise<readonly string[]> {
  const flaws: string[] = []
  const { ready } = await world.start()
  if (ready === undefined) return [`the daemon does not start again: ${world.bridge.said()}`]
  // The first connection loads all that reads the data.
  await world.game()
  flaws.push(...(await flawsOf(world, facts)))
  const { code } = await world.leave()
  if (code !== 0) flaws.push(`the daemon ended with ${code} after it was started again`)
  return [...flaws, ...flawsOfFolder(world.at.data)].map((flaw) => `after the restart: ${flaw}`)
}
