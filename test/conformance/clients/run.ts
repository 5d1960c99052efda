/** Plays the steps with a client, each with a process, a server and a folder of its own. */
import type { Command } from './adapter.ts'
import { type Claims, FEATURES } from './features.ts'
import { Play, type Step } from './play.ts'
import { featureOf } from './steps/index.ts'

/**
 * `passed` and `FAILED` speak for themselves. `known`: it fails, as its claims say. `FIXED`: it passes although its claims say that it fails,
 * which fails the run. `lacks`: the client does not have the feature. `not here`: this system cannot play it.
 */
export type Verdict = 'passed' | 'FAILED' | 'known' | 'FIXED' | 'lacks' | 'not here'

export interface Outcome {
  readonly client: string
  readonly step: string
  readonly verdict: Verdict
  /** What the client should have done, the reason of its claims, or the obstacle. */
  readonly why?: string
}

export interface Client {
  readonly claims: Claims
  readonly command: Command
}

/** A step that is known to fail need not wait as long: late is as failed as never. */
const KNOWN_MS = 2_000

export const isBad = ({ verdict }: Outcome): boolean => verdict === 'FAILED' || verdict === 'FIXED'

/** Plays one step. Resolves with the sentence of the failure, or undefined. */
async function failureOf(step: Step, { claims, command }: Client, waitMs: number): Promise<string | undefined> {
  const play = await Play.open(command, claims)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing came in ${waitMs} ms; the kit waited for ${play.adapter.awaited}`)), waitMs)
  })
  const played = async (): Promise<void> => {
    await step.run(play)
    if (!play.adapter.hasEnded) await play.adapter.quit()
  }
  try {
    await Promise.race([played(), late])
    return undefined
  } catch (failure) {
    return failure instanceof Error ? failure.message : String(failure)
  } finally {
    clearTimeout(timer)
    await play.close()
  }
}

async function playStep(step: Step, client: Client, waitMs: number): Promise<Outcome> {
  const { claims } = client
  const base = { client: claims.client, step: step.id }
  const lacked = [featureOf(step), ...(step.needs ?? [])].find((feature) => !claims.has.includes(feature))
  if (lacked !== undefined) return { ...base, verdict: 'lacks', why: `${FEATURES[lacked]}: ${claims.lacks[lacked] ?? 'not declared'}` }
  if (typeof step.obstacle === 'string') return { ...base, verdict: 'not here', why: step.obstacle }
  const known = claims.fails[step.id]
  const failure = await failureOf(step, client, known === undefined ? waitMs : Math.min(waitMs, KNOWN_MS))
  if (known !== undefined) {
    return failure === undefined
      ? { ...base, verdict: 'FIXED', why: `it passes now; remove it from "fails" of its features.json` }
      : { ...base, verdict: 'known', why: known }
  }
  return failure === undefined ? { ...base, verdict: 'passed' } : { ...base, verdict: 'FAILED', why: failure }
}

/** Plays all steps, so many at a time. The outcomes are in the order of the steps. */
export async function playAll(client: Client, steps: readonly Step[], waitMs: number, atOnce: number): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = []
  let next = 0
  const worker = async (): Promise<void> => {
    for (let index = next++; index < steps.length; index = next++) {
      const step = steps[index]
      if (step !== undefined) outcomes[index] = await playStep(step, client, waitMs)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return outcomes
}
