/** Invariants of the state machine for any inputs: sockets, timers, sessions. A separate model tracks the resumable session. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Secret } from '@sallyport/core/secret'
import { IdentifyThrottle } from '#daemon/src/platform/gateway/identify-throttle.ts'
import {
  type GatewayEffect,
  type GatewayInput,
  type GatewayMachine,
  type GatewayTimer,
  publicState,
  STOPPED,
} from '#daemon/src/platform/gateway/machine.ts'
import { step } from '#daemon/src/platform/gateway/step.ts'

const TOKEN = new Secret('planted')
const FEW_MINUTES_MS = 300_000
const NEW_SESSION = new Set([4003, 4004, 4007, 4009, 4010, 4011, 4012, 4013, 4014])

/** The environment of the machine: runs its effects and simulates the platform. */
class World {
  machine: GatewayMachine = STOPPED
  now = 1_000_000_000
  hasSocket = false
  attempt: number | undefined
  readonly timers = new Map<GatewayTimer, number>()
  readonly throttle = new IdentifyThrottle()
  /** The session that the platform would resume; undefined if none. */
  resumable: { liveUntil: number; refusals: number } | undefined

  give(input: GatewayInput, chance: number): void {
    const before = this.machine
    if (before.phase === 'live' && this.resumable !== undefined) this.resumable.liveUntil = this.now
    this.#updateModel(input)
    if (input.kind === 'closed') this.hasSocket = false
    const context = { now: this.now, jitter: chance, msUntilIdentify: this.throttle.msUntilAllowed(this.now) }
    const [machine, effects] = step(before, input, context)
    this.machine = machine
    const isEntered = before.phase === 'authenticating' && machine.phase !== 'authenticating'
    if (isEntered && machine.phase !== 'live' && this.resumable !== undefined) this.resumable.refusals++
    for (const effect of effects) this.#run(effect)
    if (machine.phase === 'live' && before.phase !== 'live') {
      this.resumable = machine.session === undefined ? undefined : { liveUntil: this.now, refusals: 0 }
    }
    this.#checkInvariants()
  }

  /** Updates the session model from the rules, not from the machine. */
  #updateModel(input: GatewayInput): void {
    const { phase } = this.machine
    const isEnd =
      input.kind === 'stop' ||
      (input.kind === 'start' && (phase === 'stopped' || phase === 'ended')) ||
      (input.kind === 'resolve-failed' && input.isFinal && phase === 'resolving')
    const isOver =
      (input.kind === 'closed' && NEW_SESSION.has(input.code ?? 0)) ||
      (input.kind === 'payload' && input.payload.op === 9 && input.payload.d !== true && phase !== 'closing')
    if (isEnd || isOver) this.resumable = undefined
  }

  #run(effect: GatewayEffect): void {
    switch (effect.do) {
      case 'resolve':
        this.attempt = effect.attempt
        // A session that is too old or was rejected too often counts as lost.
        if (this.resumable !== undefined && (this.now - this.resumable.liveUntil > FEW_MINUTES_MS || this.resumable.refusals >= 3))
          this.resumable = undefined
        break
      case 'dial':
        expect(this.hasSocket, 'two sockets at once').toBe(false)
        this.hasSocket = true
        break
      case 'identify':
        expect(this.hasSocket).toBe(true)
        expect(this.resumable, 'a session was started although one can be resumed').toBeUndefined()
        expect(this.throttle.msUntilAllowed(this.now)).toBe(0)
        this.throttle.record(this.now)
        break
      case 'resume':
        expect(this.resumable, 'the resumed session had ended').toBeDefined()
        break
      case 'heartbeat':
      case 'close':
      case 'destroy':
        expect(this.hasSocket).toBe(true)
        break
      case 'set-timer':
        expect(effect.ms).toBeGreaterThanOrEqual(0)
        this.timers.set(effect.timer, this.now + effect.ms)
        break
      case 'clear-timer':
        this.timers.delete(effect.timer)
        break
      case 'dispatch':
        expect(['authenticating', 'live']).toContain(this.machine.phase)
        break
      case 'ignore':
    }
  }

  #checkInvariants(): void {
    const { phase, session } = this.machine
    const isAtRest = phase === 'stopped' || phase === 'ended'
    if (isAtRest) expect([...this.timers], phase).toEqual([])
    // Never stuck: a timer or the socket will cause progress.
    else expect(this.timers.size > 0 || this.hasSocket, phase).toBe(true)
    expect(this.hasSocket, phase).toBe(['connecting', 'throttled', 'authenticating', 'live', 'closing'].includes(phase))
    // A silent peer is noticed.
    if (phase !== 'closing' && this.hasSocket) expect(this.timers.size, phase).toBeGreaterThan(0)
    if (isAtRest) expect(session).toBeUndefined()
    const { name, reason } = publicState(this.machine)
    if (name === 'ended') expect(reason).toMatch(/^[A-Z].+\.$/s)
    expect(JSON.stringify([this.machine])).not.toContain('planted')
  }

  /** The first due timer expires. */
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
      if (world.attempt !== undefined)
        world.give({ kind: 'resolved', attempt: world.attempt, token: TOKEN, url: 'wss://gateway.example' }, chance)
    }),
  },
  {
    weight: 1,
    arbitrary: fc.boolean().map<Action>((isFinal) => (world, chance) => {
      if (world.attempt !== undefined) world.give({ kind: 'resolve-failed', attempt: world.attempt, reason: 'No token.', isFinal }, chance)
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
  { weight: 1, arbitrary: fc.constant<Action>((world, chance) => world.give({ kind: 'send-requested' }, chance)) },
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

test('one socket at a time, no timer at rest, no new session while one can be resumed, no Resume of an ended session, never stuck', () => {
  fc.assert(
    fc.property(actions, (steps) => void played(steps)),
    RUNS,
  )
})

test('from any state, stop leads to rest without further effects', () => {
  fc.assert(
    fc.property(actions, (steps) => {
      const world = played(steps)
      world.give({ kind: 'stop' }, 0)
      if (world.hasSocket) world.give({ kind: 'closed', code: 1000, problem: undefined }, 0)
      expect(world.machine.phase).toBe('stopped')
      expect(world.timers.size).toBe(0)
      for (const kind of ['heartbeat-due', 'phase-due', 'send-requested'] as const) world.give({ kind }, 0)
      world.give({ kind: 'resolved', attempt: world.attempt ?? 0, token: TOKEN, url: 'wss://gateway.example' }, 0)
      expect(world.machine.phase).toBe('stopped')
    }),
    RUNS,
  )
})

test('from any state, with a working platform, it becomes live again unless it ended', () => {
  fc.assert(
    fc.property(actions, (steps) => {
      const world = played(steps)
      world.give({ kind: 'start' }, 0)
      for (let turn = 0; turn < 40 && !['live', 'ended'].includes(world.machine.phase); turn++) {
        const { phase, attempt } = world.machine
        if (phase === 'resolving') world.give({ kind: 'resolved', attempt, token: TOKEN, url: 'wss://gateway.example' }, 0)
        else if (phase === 'connecting')
          world.give({ kind: 'payload', payload: { op: 10, d: { heartbeat_interval: 41_250 }, s: null, t: null } }, 1)
        else if (phase === 'authenticating')
          world.give({ kind: 'payload', payload: { op: 0, d: { session_id: 'b' }, s: 1, t: 'READY' } }, 0)
        else if (phase === 'closing') world.give({ kind: 'closed', code: 4000, problem: undefined }, 0)
        else world.tick(0)
      }
      expect(['live', 'ended']).toContain(world.machine.phase)
    }),
    RUNS,
  )
})
