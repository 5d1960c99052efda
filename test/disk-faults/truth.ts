/** What must hold for a user and a game whose disk failed: answers stay true, errors name the disk, and nothing is left behind. */
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Fact } from './scenarios.ts'
import type { World } from './world.ts'

/** What was claimed last; undefined while an answer is missing or was an error. */
export type Facts = Map<Fact, boolean | undefined>

const NAMES_DISK = /\bdisk\b|ENOSPC|EIO\b|I\/O error/
const BLAMES_USER = /(?:sign in|authorize|allow it) again|You have not allowed/
const STACK = /(?:^|\\n) {4}at .+:\d+:\d+\)?/m
/** What the program says to the user, beside its log. */
const OWN_LINE = /^\{"error":.*$/m

/** What is wrong with an error that a game or the user got while the disk failed. */
export function flawOfSentence(sentence: string): string | undefined {
  if (BLAMES_USER.test(sentence)) return `blames the user: ${sentence}`
  return NAMES_DISK.test(sentence) ? undefined : `does not name the disk: ${sentence}`
}

/** What is wrong with the end of a daemon that was not killed. */
export function flawOfEnd(said: string): string | undefined {
  const [line = 'nothing'] = OWN_LINE.exec(said) ?? []
  return STACK.test(line) ? `printed a stack: ${line}` : flawOfSentence(line)
}

const outcomeOf = (work: Promise<unknown>): Promise<string | undefined> =>
  work.then(
    () => undefined,
    (failure: unknown) => (failure as Error).message,
  )

/** Each fact against a daemon that was started again, without faults. */
const CHECKS: Readonly<Record<Fact, (world: World, claimed: boolean | undefined) => Promise<string | undefined>>> = {
  async 'signed in'(world, claimed) {
    const failure = await outcomeOf(world.useStored())
    if (claimed === true && failure !== undefined) return `was signed in, and now: ${failure}`
    if (claimed === false && failure === undefined) return 'was signed out, and is signed in again'
    const isKnown = failure === undefined || /authori[sz]e|AUTHORIZE|blocked/.test(failure)
    if (!isKnown) return `must sign in, but gets: ${failure}`
    return undefined
  },
  async hidden(world, claimed) {
    const { grants } = await world.state()
    const isHidden = grants.some(({ presence }) => presence === 'hidden')
    return isHidden === (claimed ?? isHidden) ? undefined : `hidden was claimed as ${claimed}, and is ${isHidden}`
  },
  async blocked(world, claimed) {
    const { grants } = await world.state()
    const isBlocked = grants.some(({ basis }) => basis === 'blocked')
    return isBlocked === (claimed ?? isBlocked) ? undefined : `blocked was claimed as ${claimed}, and is ${isBlocked}`
  },
  async paused(world, claimed) {
    const { presence_paused: isPaused } = await world.state()
    return isPaused === (claimed ?? isPaused) ? undefined : `paused was claimed as ${claimed}, and is ${isPaused}`
  },
}

/** Of a running daemon. Choices first, because a sign-in may change the grant. */
export async function flawsOf(world: World, facts: Facts): Promise<readonly string[]> {
  const found: (string | undefined)[] = []
  for (const fact of ['hidden', 'blocked', 'paused', 'signed in'] as const)
    if (facts.has(fact)) found.push(await CHECKS[fact](world, facts.get(fact)))
  return found.flatMap((flaw) => flaw ?? [])
}

/** What belongs in the data folder of a daemon that has ended. The draft of a file stays until its next write, which removes it. */
const KNOWN =
  /^(?:choices\.json|dashboard\.(?:port|key)|format|grants\.sqlite|launches\.sqlite|history\.sqlite|presence\.paused|log|vault|tokens\.(?:key|sealed))(?:\.new)?$/

export function flawsOfFolder(data: string): readonly string[] {
  const unknown = [data, join(data, 'vault')]
    .flatMap((folder) => {
      try {
        return readdirSync(folder)
      } catch {
        return []
      }
    })
    .filter((name) => !KNOWN.test(name))
  const damaged = globSync('*.sqlite', { cwd: data }).filter((name) => {
    const database = new DatabaseSync(join(data, name))
    try {
      return Object.values(database.prepare('PRAGMA integrity_check').get() ?? {})[0] !== 'ok'
    } finally {
      database.close()
    }
  })
  const unreadable = globSync('*.json', { cwd: data }).filter((name) => !isJson(readFileSync(join(data, name), 'utf8')))
  return [...unknown.map((name) => `left behind: ${name}`), ...[...damaged, ...unreadable].map((name) => `damaged: ${name}`)]
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
