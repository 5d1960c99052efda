/**
 * The scenarios: what is prepared without faults, what then happens while a call on the disk fails, and what each answer promises. A fact is what a
 * game or the user learnt; a step that was not answered, or answered with an error, leaves its fact open.
 */
import type { World } from './world.ts'

export type Fact = 'signed in' | 'hidden' | 'blocked' | 'paused'

export interface Step {
  readonly name: string
  readonly run: (world: World) => Promise<unknown>
  /** What its answer says about the facts. */
  readonly claims: Readonly<Partial<Record<Fact, boolean>>>
}

export interface Scenario {
  /** Steps of an earlier run of the daemon. */
  readonly earlier: readonly Step[]
  /** Steps of this run, before the faults. Undefined: the start itself may fail. */
  readonly before: readonly Step[] | undefined
  readonly steps: readonly Step[]
  /** The end of the daemon is part of it. */
  readonly ends: boolean
  readonly isShortLived?: boolean
}

const step = (name: string, run: Step['run'], claims: Step['claims'] = {}): Step => ({ name, run, claims })

const SIGN_IN = step('sign-in', (world) => world.signIn(), { 'signed in': true })
const SILENT = step('silent sign-in', (world) => world.useStored(), { 'signed in': true })
const REFRESH = step('refresh', (world) => world.refresh(), { 'signed in': true })
const LOOK = step('state', (world) => world.state())
const CONNECT = step('connection', (world) => world.game())
const HIDE = step('hide', (world) => world.choose('hide'), { hidden: true })
const SHOW = step('show', (world) => world.choose('show'), { hidden: false })
const BLOCK = step('block', (world) => world.block(), { blocked: true, 'signed in': false })
const REVOKE = step('revoke', (world) => world.revoke(), { 'signed in': false })
const PAUSE = step('pause', (world) => world.press('presence/all/pause'), { paused: true })
const RESUME = step('resume', (world) => world.press('presence/all/resume'), { paused: false })

export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'first start': { earlier: [], before: undefined, steps: [CONNECT, LOOK], ends: false },
  start: { earlier: [SIGN_IN, HIDE, PAUSE], before: undefined, steps: [CONNECT, SILENT, LOOK], ends: false },
  'sign-in': { earlier: [], before: [CONNECT], steps: [SIGN_IN, SILENT], ends: false },
  grant: { earlier: [], before: [SIGN_IN], steps: [HIDE, SHOW, REVOKE], ends: false },
  choices: { earlier: [], before: [SIGN_IN], steps: [PAUSE, RESUME, PAUSE, BLOCK], ends: false },
  refresh: { earlier: [], before: [SIGN_IN], steps: [REFRESH, SILENT, SILENT], ends: false, isShortLived: true },
  shutdown: { earlier: [], before: [SIGN_IN, HIDE, PAUSE], steps: [], ends: true },
}
