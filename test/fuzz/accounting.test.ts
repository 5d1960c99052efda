/**
 * Random programs that take, use and give back. No program gets more than its share, a waiting program continues when there is room, the sum
 * is bounded, and everything is given back.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Accounting } from '#daemon/src/accounting/accounting.ts'
import { Ledger, type Share } from '#daemon/src/accounting/ledger.ts'
import { RESOURCES } from '#daemon/src/accounting/resources.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { programAt, TestConnection } from '../unit/daemon/accounting/programs.ts'
import { FUZZ_TIMEOUT_MS, runs } from './runs.ts'

const PROGRAMS = 6
const FRAME_BYTES = 1_048_576

const turn = fc.record({
  program: fc.nat(PROGRAMS - 1),
  does: fc.constantFrom('take', 'take', 'take', 'give', 'end'),
  amount: fc.integer({ min: 1, max: 60 }),
})

test(
  'the ledger',
  () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 1, max: 400 }),
        fc.array(turn, { maxLength: 300 }),
        (own, all, turns) => {
          const ledger = new Ledger({ unit: 'items', ofProgram: own, ofAll: all, beyond: 'refuse', summary: '' })
          const shares = new Map<number, Share[]>()
          const held = (program: number) => (shares.get(program) ?? []).reduce((sum, { amount }) => sum + amount, 0)
          for (const { program, does, amount } of turns) {
            const before = held(program)
            const others = ledger.sum - before
            if (does === 'take') {
              const share = ledger.share(String(program))
              const isHad = share.tryCharge(amount)
              if (isHad) shares.set(program, [...(shares.get(program) ?? []), share])
              else share.close()
              // Its own most, and half of what the others leave; the first piece of a newcomer needs room alone.
              const most = Math.min(own, before === 0 ? all - others : Math.floor((all - others) / 2))
              expect(isHad).toBe(before + amount <= most)
            } else {
              const share = shares.get(program)?.pop()
              if (does === 'give') share?.release(amount)
              share?.close()
            }
            const sum = Array.from({ length: PROGRAMS }, (_, index) => held(index)).reduce((a, b) => a + b, 0)
            expect(ledger.sum).toBe(sum)
            expect(sum).toBeLessThanOrEqual(all)
            // A newcomer finds room as long as there is any.
            const newcomer = ledger.share('newcomer')
            expect(newcomer.tryCharge(1)).toBe(own > 0 && sum < all)
            newcomer.close()
          }
          for (const share of [...shares.values()].flat()) {
            share.close()
            share.close()
          }
          expect([ledger.sum, ledger.holders]).toEqual([0, 0])
        },
      ),
      runs(500),
    )
  },
  FUZZ_TIMEOUT_MS,
)

const step = fc.record({
  program: fc.nat(PROGRAMS - 1),
  connection: fc.nat(40),
  does: fc.constantFrom('connect', 'grow', 'grow', 'grow', 'finish', 'call', 'call', 'answer', 'leave', 'time'),
  bytes: fc.integer({ min: 1, max: FRAME_BYTES }),
})

/** A connection that sends only while it is read. */
class Peer {
  readonly connection: TestConnection
  held = 0
  calls: number[] = []

  constructor(accounting: Accounting, program: number) {
    this.connection = new TestConnection(accounting, programAt(`/program${program}`))
  }

  get isReadOn(): boolean {
    return !this.connection.isPaused && this.connection.closedWith === undefined
  }

  grow(bytes: number): void {
    const next = Math.min(FRAME_BYTES, this.held + bytes)
    if (!this.isReadOn || next === this.held) return
    const isAnother = this.held === 0
    this.held = next
    this.connection.account.setUnfinishedBytes(next, isAnother)
  }

  finish(): void {
    if (!this.isReadOn || this.held === 0) return
    this.held = 0
    this.connection.account.setUnfinishedBytes(0, true)
  }

  call(bytes: number): void {
    if (!this.isReadOn || !this.connection.account.hasRoomForCall(bytes)) return
    this.calls.push(bytes)
    this.connection.account.callOpened(bytes)
  }

  answer(): void {
    const bytes = this.calls.shift()
    if (bytes !== undefined) this.connection.account.callEnded(bytes)
  }
}

test(
  'connections',
  () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
        const clock = new FakeClock()
        const accounting = new Accounting(clock)
        const charged = () => Object.fromEntries(accounting.usage().map((one) => [one.name, one.charged]))
        const programs = Array.from({ length: PROGRAMS }, (): Peer[] => [])
        for (const { program, connection, does, bytes } of steps) {
          const peers = programs[program] as Peer[]
          const peer = peers[connection % Math.max(1, peers.length)]
          if (does === 'connect' || peer === undefined) peers.push(new Peer(accounting, program))
          else if (does === 'grow') peer.grow(bytes)
          else if (does === 'finish') peer.finish()
          else if (does === 'call') peer.call(bytes)
          else if (does === 'answer') peer.answer()
          else if (does === 'time') clock.advance(bytes % 11_000)
          else {
            peers.splice(peers.indexOf(peer), 1)
            peer.connection.end()
          }
          const sums = charged()
          for (const name of ['connections', 'unfinishedFrameBytes', 'pendingCalls', 'pendingCallBytes'] as const)
            expect(sums[name]).toBeLessThanOrEqual(RESOURCES[name].ofAll)
          for (const own of programs) {
            const live = own.filter(({ connection: { closedWith } }) => closedWith === undefined)
            // No more than its share, what was read before it was stopped, and the oldest frame.
            const frames = live.reduce((sum, { held }) => sum + held, 0)
            expect(frames).toBeLessThanOrEqual(RESOURCES.unfinishedFrameBytes.ofProgram + 2 * FRAME_BYTES)
            const calls = live.flatMap((one) => one.calls).reduce((sum, one) => sum + one, 0)
            expect(calls).toBeLessThanOrEqual(RESOURCES.pendingCallBytes.ofProgram + FRAME_BYTES)
            // There is always one that can go on, unless answers are waited for.
            if (live.length > 0 && live.every(({ isReadOn }) => !isReadOn)) expect(calls).toBeGreaterThan(0)
          }
        }
        // Every program ends: a stopped one continues when others have given back.
        for (const peer of programs.flat()) while (peer.calls.length > 0) peer.answer()
        for (let round = 0; round < steps.length; round++) for (const peer of programs.flat()) peer.finish()
        for (const peer of programs.flat())
          if (peer.connection.closedWith === undefined) expect([peer.held, peer.isReadOn]).toEqual([0, true])
        for (const peer of programs.flat()) peer.connection.end()
        expect(Object.values(charged()).every((amount) => amount === 0)).toBe(true)
        expect(clock.pending).toBe(0)
      }),
      runs(200),
    )
  },
  FUZZ_TIMEOUT_MS,
)
