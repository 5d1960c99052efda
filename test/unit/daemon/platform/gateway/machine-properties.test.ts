/** What holds of the machine whatever happens: sockets, timers, sessions. A model beside it keeps its own account of what may be resumed. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Secret } from '@sallyport/core/secret'
import { IdentifyLimit } from '../../../../../daemon/src/platform/gateway/identify-limit.ts'
import {
  type GatewayEffect,
  type GatewayInput,
  type GatewayMachine,
  type GatewayTimer,
  shownState,
  STOPPED,
} from '../../../../../daemon/src/platform/gateway/machine.ts'
import { step } from '../../../../../daemon/src/platform/gateway/step.ts'

const TOKEN = new Secret('planted')
const FEW_MINUTES_MS = 300_000
const NEW_SESSION = new Set([4003, 4004, 4007, 4009, 4010, 4011, 4012, 4013, 4014])

/** The world around the machine, which does what a shell and a platform would do. */
class World {
  machine: GatewayMachine = STOPPED
  now = 1_000_000_000
  hasSocket = false
  asked: number | undefined
  readonly timers = new Map<GatewayTimer, number>()
  readonly identifies = new IdentifyLimit()
  /** What a platform would still resume; undefined: nothing. */
  resumable: { liveUntil: number; refusals: number } | undefined

  give(input: GatewayInput, chance: number): void {
    const before = this.machine
    if (before.phase === 'live' && this.resumable !== undefined) this.resumable.liveUntil = this.now
    this.#foresee(input)
    if (input.kind === 'closed') this.hasSocket = false
    const moment = { now: this.now, chance, identifyInMs: this.identifies.inMs(this.now) }
    const [machine, effects] = step(before, input, moment)
    this.machine = machine
    const isEntered = before.phase === 'entering' && machine.phase !== 'entering'
    if (isEntered && machine.phase !== 'live' && this.resumable !== undefined) this.resumable.refusals++
    for (const effect of effects) this.#carryOut(effect)
    if (machine.phase === 'live' && before.phase !== 'live') {
      this.resumable = machine.session === undefined ? undefined : { liveUntil: this.now, refusals: 0 }
    }
    this.#hold()
  }

  /** The account of sessions, kept from the rules and not from the machine. */
  #foresee(input: GatewayInput): void {
    const { phase } = this.machine
    const isEnd =
      input.kind === 'stop' ||
      (input.kind === 'start' && (phase === 'stopped' || phase === 'ended')) ||
      (input.kind === 'unasked' && input.isFinal && phase === 'asking')
    const isOver =
      (input.kind === 'closed' && NEW_SESSION.has(input.code ?? 0)) ||
      (input.kind === 'payload' && input.payload.op === 9 && input.payload.d !== true && phase !== 'closing')
    if (isEnd || isOver) this.resumable = undefined
  }

  #carryOut(effect: GatewayEffect): void {
    switch (effect.do) {
      case 'ask':
        this.asked = effect.attempt
        // A session that was left so long ago, or that was refused so often, counts as gone.
        if (this.resumable !== undefined && (this.now - this.resumable.liveUntil > FEW_MINUTES_MS || this.resumable.refusals >= 3))
          this.resumable = undefined
        break
      case 'dial':
        expect(this.hasSocket, 'two sockets at once').toBe(false)
        this.hasSocket = true
        break
      case 'identify':
        expect(this.hasSocket).toBe(true)
        expect(this.resumable, 'a session was begun while one can be resumed').toBeUndefined()
        expect(this.identifies.inMs(this.now)).toBe(0)
        this.identifies.note(this.now)
        break
      case 'resume':
        expect(this.resumable, 'what was resumed had ended').toBeDefined()
        break
      case 'beat':
      case 'close':
      case 'destroy':
        expect(this.hasSocket).toBe(true)
        break
      case 'time':
        expect(effect.ms).toBeGreaterThanOrEqual(0)
        this.timers.set(effect.timer, this.now + effect.ms)
        break
      case 'untime':
        this.timers.delete(effect.timer)
        break
      case 'tell':
        expect(['entering', 'live']).toContain(this.machine.phase)
        break
      case 'ignore':
    }
  }

  #hold(): void {
    const { phase, session } = this.machine
    const isAtRest = phase === 'stopped' || phase === 'ended'
    if (isAtRest) expect([...this.timers], phase).toEqual([])
    // Never stuck: something will happen by itself.
    else expect(this.timers.size > 0 || this.hasSocket, phase).toBe(true)
    expect(this.hasSocket, phase).toBe(['dialing', 'greeted', 'entering', 'live', 'closing'].includes(phase))
    // A peer that says nothing more is noticed.
    if (phase !== 'closing' && this.hasSocket) expect(this.timers.size, phase).toBeGreaterThan(0)
    if (isAtRest) expect(session).toBeUndefined()
    const { name, reason } = shownState(this.machine)
    if (name === 'ended') expect(reason).toMatch(/^[A-Z].+\.$/s)
    expect(JSON.stringify([this.machine])).not.toContain('planted')
  }

  /** The timer that is due first runs out. */
  tick(chance: number): void {
    const [first] = [...this.timers].toSorted(([, a], [, b]) => a - b)
    if (first === undefined) return
    const [timer, at] = first
    this.now = Math.max(this.now, at)
    this.timers.delete(timer)
    this.give({ kind: `${timer}-due` }, chance)
  }
}

const PAYLOADS = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ op: 10, d: { heartbeat_interval: 41_250 }, s: null, t: null }) },
  {
    weight: 4,
    arbitrary: fc.constant({ op: 0, d: { session_id: 'a', resume_gateway_url: 'wss://resume.example' }, s: 1, t: 'READY' }),
  },
  { weight: 3, arbitrary: fc.constant({ op: 0, d: {}, s: 2, t: 'RESUMED' }) },
  { weight: 3, arbitrary: fc.constantFrom(1, 7, 11).map((op) => ({ op, d: null, s: null, t: null })) },
  { weight: 2, arbitrary: fc.constantFrom(true, false, null).map((d) => ({ op: 9, d, s: null, t: null })) },
  { weight: 1, arbitrary: fc.record({ op: fc.integer({ min: -1, max: 50 }), d: fc.anything(), s: fc.anything(), t: fc.anything() }) },
)
const CODES = fc.oneof(fc.constant(undefined), fc.constantFrom(1000, 1001, 1006, 4006), fc.integer({ min: 4000, max: 4015 }))

type Action = (world: World, chance: number) => void

const ACTIONS: fc.Arbitrary<Action> = fc.oneof(
  { weight: 1, arbitrary: fc.constant<Action>((world, chance) => world.give({ kind: 'start' }, chance)) },
  {
    weight: 5,
    arbitrary: fc.constant<Action>((world, chance) => {
      if (world.asked !== undefined) world.give({ kind: 'asked', attempt: world.asked, token: TOKEN, url: 'wss://gateway.example' }, chance)
    }),
  },
  {
    weight: 1,
    arbitrary: fc.boolean().map<Action>((isFinal) => (world, chance) => {
      if (world.asked !== undefined) world.give({ kind: 'unasked', attempt: world.asked, reason: 'No token.', isFinal }, chance)
    }),
  },
  {
    weight: 12,
    arbitrary: PAYLOADS.map<Action>((payload) => (world, chance) => {
      if (world.hasSocket) world.give({ kind: 'payload', payload }, chance)
    }),
  },
  {
    weight: 3,
    arbitrary: CODES.map<Action>((code) => (world, chance) => {
      if (world.hasSocket) world.give({ kind: 'closed', code, problem: undefined }, chance)
    }),
  },
  { weight: 6, arbitrary: fc.constant<Action>((world, chance) => world.tick(chance)) },
  {
    weight: 2,
    arbitrary: fc.integer({ min: -3_600_000, max: 3_600_000 }).map<Action>((ms) => (world) => {
      world.now += ms
    }),
  },
  { weight: 1, arbitrary: fc.constant<Action>((world, chance) => world.give({ kind: 'used' }, chance)) },
  {
    weight: 1,
    arbitrary: fc.constant<Action>((world, chance) => {
      if (world.hasSocket) world.give({ kind: 'unreadable', problem: 'garbage' }, chance)
    }),
  },
)

const RUNS = { numRuns: 1500, seed: 4 }
const actions = fc.array(fc.tuple(ACTIONS, fc.double({ min: 0, max: 1, noNaN: true })), { maxLength: 60 })

function played(steps: readonly (readonly [Action, number])[]): World {
  const world = new World()
  world.give({ kind: 'start' }, 0.5)
  for (const [act, chance] of steps) act(world, chance)
  return world
}

test('one socket at a time, no timer at rest, no session begun while one can be resumed, nothing resumed that has ended, never stuck', () => {
  fc.assert(
    fc.property(actions, (steps) => void played(steps)),
    RUNS,
  )
})

test('from anywhere, a stop comes to rest and nothing follows', () => {
  fc.assert(
    fc.property(actions, (steps) => {
      const world = played(steps)
      world.give({ kind: 'stop' }, 0)
      if (world.hasSocket) world.give({ kind: 'closed', code: 1000, problem: undefined }, 0)
      expect(world.machine.phase).toBe('stopped')
      expect(world.timers.size).toBe(0)
      for (const kind of ['beat-due', 'step-due', 'used'] as const) world.give({ kind }, 0)
      world.give({ kind: 'asked', attempt: world.asked ?? 0, token: TOKEN, url: 'wss://gateway.example' }, 0)
      expect(world.machine.phase).toBe('stopped')
    }),
    RUNS,
  )
})

test('from anywhere, with a platform that works, it becomes live again unless it ended', () => {
  fc.assert(
    fc.property(actions, (steps) => {
      const world = played(steps)
      world.give({ kind: 'start' }, 0)
      for (let turn = 0; turn < 40 && !['live', 'ended'].includes(world.machine.phase); turn++) {
        const { phase, attempt } = world.machine
        if (phase === 'asking') world.give({ kind: 'asked', attempt, token: TOKEN, url: 'wss://gateway.example' }, 0)
        else if (phase === 'dialing')
          world.give({ kind: 'payload', payload: { op: 10, d: { heartbeat_interval: 41_250 }, s: null, t: null } }, 1)
        else if (phase === 'entering') world.give({ kind: 'payload', payload: { op: 0, d: { session_id: 'b' }, s: 1, t: 'READY' } }, 0)
        else if (phase === 'closing') world.give({ kind: 'closed', code: 4000, problem: undefined }, 0)
        else world.tick(0)
      }
      expect(['live', 'ended']).toContain(world.machine.phase)
    }),
    RUNS,
  )
})
