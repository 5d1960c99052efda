/** A careless game passes wholly in the relaxed sandbox, which says what it did; the strict one refuses each of its steps with the platform's code. */
import { afterEach, expect, test } from 'vitest'
import { playAll, STEPS } from '../referee/game.ts'
import { arenaOf } from '../referee/player.ts'
import { RawClient } from './support/raw-client.ts'
import { folders, SOURCE, startDaemon } from './support/daemon.ts'

const undo: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step()
})

async function daemonWith(mode: 'strict' | 'relaxed') {
  const at = await folders()
  undo.push(() => at.remove())
  const daemon = await startDaemon(SOURCE, at, ['--sandbox', mode])
  undo.push(() => daemon.stop())
  const { ready, origin, socket } = daemon
  return { daemon, arena: await arenaOf({ origin, socket, apiBase: ready.apiBase, tokenUrl: ready.tokenUrl }) }
}

const named = (answers: readonly string[]) => Object.fromEntries(STEPS.map(({ name }, index) => [name, answers[index]]))

test('at least 14 steps fail in the strict sandbox alone', () => {
  expect(STEPS.length).toBeGreaterThanOrEqual(14)
  expect(STEPS.filter(({ strict }) => strict === 'ok')).toEqual([])
})

test('the strict sandbox refuses every step with the code of the platform', async () => {
  const { daemon, arena } = await daemonWith('strict')
  expect(named(await playAll(arena))).toEqual(Object.fromEntries(STEPS.map(({ name, strict }) => [name, strict])))
  expect(daemon.output()).not.toContain('left the relaxed sandbox')
})

interface State {
  readonly findings: readonly { readonly application_id: string; readonly rule: string; readonly message: string }[]
}

test('the relaxed sandbox lets all pass, and remembers the rule of each', async () => {
  const { daemon, arena } = await daemonWith('relaxed')
  expect(named(await playAll(arena))).toEqual(Object.fromEntries(STEPS.map(({ name }) => [name, 'ok'])))
  const { findings } = (await (await fetch(`${daemon.origin}/sandbox/state`)).json()) as State
  const rulesOf = STEPS.map((_, index) =>
    findings.filter(({ application_id: id }) => id.endsWith(`70${String(index).padStart(2, '0')}`)).map(({ rule }) => rule),
  )
  for (const [index, { name, rule }] of STEPS.entries()) expect(rulesOf[index], name).toContain(rule)

  // The terminal has it when the game leaves.
  const game = await RawClient.ready(daemon.socket, { client_id: '8880007000' })
  game.hangUp()
  await expect.poll(() => daemon.output()).toMatch(/Application 8880007000 left the relaxed sandbox[^]*The platform answers invalid_scope/)
})
