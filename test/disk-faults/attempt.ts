/** One scenario, once: as it is, to list its points, or with one of them failing, to judge what follows. */
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ConnectionLostError } from '@sallyport/client'
import type { Disk } from './daemon.ts'
import { type Fault, listingBySqlite, listingByStrace, type StracePoints, textIn } from './faults.ts'
import { pointsOf } from './points.ts'
import type { Scenario, Step } from './scenarios.ts'
import { type Facts, flawOfEnd, flawOfSentence, flawsOf, flawsOfFolder } from './truth.ts'
import { NotKept, type Platform, World } from './world.ts'

/** A call that failed once works again within this time. */
const AGAIN_MS = 6_500
/** The vault opens again after three seconds, and a program may open three authorization pages. */
const BETWEEN_MS = 3_200
/** The exit of a killed process comes a moment after its connections end. */
const EXIT_MS = 5_000

export interface Result {
  /** The point was reached. */
  readonly isHit: boolean
  readonly flaws: readonly string[]
}

const note = (facts: Facts, { claims }: Step, isAnswered: boolean): void => {
  for (const [fact, claimed] of Object.entries(claims)) facts.set(fact as keyof Step['claims'], isAnswered ? claimed : undefined)
}

async function runAll(world: World, facts: Facts, steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    await step.run(world)
    note(facts, step, true)
  }
}

async function createWorld(platform: Platform, { isShortLived }: Scenario, application: string): Promise<World> {
  if (isShortLived === true) platform.shortLived.add(application)
  return World.create(platform, application)
}

/** The earlier run, and the start. */
async function begin(world: World, facts: Facts, { earlier }: Scenario, disk: Disk): Promise<void> {
  if (earlier.length > 0) {
    await world.start()
    await runAll(world, facts, earlier)
    await world.leave()
  }
  await world.start(disk)
}

/** Plays it to its end without faults; gives the list, and the times between which its points are. */
async function listed(platform: Platform, scenario: Scenario, application: string, diskOf: (list: string) => Disk) {
  const world = await createWorld(platform, scenario, application)
  const list = join(world.at.base, 'list')
  const facts: Facts = new Map()
  const start = Date.now()
  await begin(world, facts, scenario, diskOf(list))
  await runAll(world, facts, scenario.before ?? [])
  const from = scenario.before === undefined ? start : Date.now()
  await runAll(world, facts, scenario.steps)
  const to = scenario.ends ? Number.POSITIVE_INFINITY : Date.now()
  await world.leave()
  const text = textIn(list)
  await world.at.remove()
  return { text, from, to, folder: world.at.data }
}

export async function pointsByStrace(platform: Platform, scenario: Scenario, application: string): Promise<StracePoints> {
  const { text, from, to, folder } = await listed(platform, scenario, application, listingByStrace)
  const points = pointsOf(text, folder)
  return { points, chosen: points.filter(({ at }) => at >= from && at < to) }
}

export async function pointsBySqlite(platform: Platform, scenario: Scenario, application: string, library: string) {
  const { text } = await listed(platform, scenario, application, (list) => listingBySqlite(library, list))
  return text.split('\n').filter((line) => line !== '')
}

const isOver = (world: World, withinMs = 0): Promise<boolean> =>
  Promise.race([world.bridge.ended.then(() => true), pause(withinMs).then(() => false)])

/** The connection of the game, or that of the user at the dashboard, whose fetch fails with a TypeError. */
const isConnectionLost = (failure: unknown): boolean => failure instanceof ConnectionLostError || failure instanceof TypeError

/** Runs the step until it is answered well or the daemon is gone; gives the flaws of the errors on the way. */
async function underFaults(world: World, facts: Facts, step: Step, isOnce: boolean): Promise<readonly string[]> {
  const flaws = new Set<string>()
  for (const end = Date.now() + AGAIN_MS; ; await pause(BETWEEN_MS)) {
    try {
      // The daemon claims nothing about a token that it did not store.
      note(facts, step, (await step.run(world)) !== 'own')
      return [...flaws]
    } catch (failure) {
      note(facts, step, false)
      if (await isOver(world, isConnectionLost(failure) ? EXIT_MS : 0)) return [...flaws]
      const sentence = (failure as Error).message
      const flaw = failure instanceof NotKept ? undefined : flawOfSentence(sentence)
      if (flaw !== undefined) flaws.add(`${step.name} ${flaw}`)
      if (!isOnce) return [...flaws]
      if (Date.now() > end) return [...flaws, `${step.name} does not work again after one failure: ${sentence}`]
    }
  }
}

export async function attempt(platform: Platform, scenario: Scenario, application: string, fault: Fault): Promise<Result> {
  const world = await createWorld(platform, scenario, application)
  const list = join(world.at.base, 'list')
  const facts: Facts = new Map()
  const flaws: string[] = []
  const before = scenario.before ?? []
  await begin(world, facts, scenario, fault.disk(world.at.data, list))
  if (!fault.isFromStart) await runAll(world, facts, before)
  for (const step of world.bridge.ready === undefined ? [] : [...(fault.isFromStart ? before : []), ...scenario.steps]) {
    if (await isOver(world)) note(facts, step, false)
    else flaws.push(...(await underFaults(world, facts, step, fault.isOnce)))
  }
  if (await forgetsAnswers(world)) for (const fact of ['signed in', 'hidden', 'blocked'] as const) facts.set(fact, undefined)
  const { code, signal } = await world.leave()
  const isKilled = signal === 'SIGKILL'
  if (!isKilled && code !== 0) {
    const flaw = flawOfEnd(world.bridge.said())
    if (flaw !== undefined) flaws.push(`the daemon ended with ${code ?? signal} and ${flaw}`)
  }
  const isHit = isKilled || fault.isIn(textIn(list))
  flaws.push(...(await afterRestart(world, facts)))
  await world.at.remove()
  return { isHit, flaws }
}

/** Whether the dashboard warns that the daemon keeps no answer after its end, because it cannot read its list of grants. */
const forgetsAnswers = (world: World): Promise<boolean> =>
  world.state().then(
    ({ warnings }) => warnings.some(({ message }) => message.includes('forgets the answers when it ends')),
    () => false,
  )

async function afterRestart(world: World, facts: Facts): Promise<readonly string[]> {
  const { ready } = await world.start()
  if (ready === undefined) return [`the daemon does not start again: ${world.bridge.said()}`]
  // The first connection loads all that reads the data.
  await world.game()
  const flaws = [...(await flawsOf(world, facts))]
  const { code } = await world.leave()
  if (code !== 0) flaws.push(`the daemon ended with ${code} after it was started again`)
  return [...flaws, ...flawsOfFolder(world.at.data)].map((flaw) => `after the restart: ${flaw}`)
}
