/** The clocks and timers of the process, on the timeline. */
import os from 'node:os'
import timers from 'node:timers'
import timersPromises from 'node:timers/promises'
import type { Machine } from './machine.ts'
import type { Scheduled } from './timeline.ts'

const RealDate = Date

/** 1 December 2026: after every dated change of the platform. */
export const EPOCH_MS = RealDate.UTC(2026, 11, 1)

/** What setTimeout, setInterval and setImmediate return. Nothing here keeps a process alive, so `ref` and `unref` change nothing. */
class VirtualTimer {
  readonly #start: () => Scheduled
  #scheduled: Scheduled
  #hasRef = true

  constructor(start: (timer: VirtualTimer) => Scheduled) {
    this.#start = () => start(this)
    this.#scheduled = this.#start()
  }
  ref(): this {
    this.#hasRef = true
    return this
  }
  unref(): this {
    this.#hasRef = false
    return this
  }
  hasRef(): boolean {
    return this.#hasRef
  }
  refresh(): this {
    this.#scheduled.cancel()
    this.#scheduled = this.#start()
    return this
  }
  close(): this {
    this.#scheduled.cancel()
    return this
  }
  [Symbol.dispose](): void {
    this.close()
  }
}

type Work = (...args: unknown[]) => void

const clear = (timer: unknown): void => {
  if (timer instanceof VirtualTimer) timer.close()
}

/** Replaces Date, performance.now, process.hrtime, the uptime of process and system, and all timers. */
export function replaceTime(machine: () => Machine): void {
  const nowMs = (): number => machine().timeline.now
  const wallMs = (): number => Math.floor(EPOCH_MS + nowMs() + machine().wallOffsetMs)

  const VirtualDate = function (this: unknown, ...args: unknown[]) {
    const given = args.length === 0 ? [wallMs()] : args
    const made = Reflect.construct(RealDate, given, new.target ?? RealDate)
    return new.target === undefined ? made.toString() : made
  } as unknown as DateConstructor
  Object.setPrototypeOf(VirtualDate, RealDate)
  Object.defineProperty(VirtualDate, 'prototype', { value: RealDate.prototype })
  Object.defineProperty(VirtualDate, 'now', { value: wallMs })
  Object.defineProperty(RealDate.prototype, 'constructor', { value: VirtualDate })

  const setTimeout = (run: Work, delayMs: unknown = 1, ...args: unknown[]): VirtualTimer =>
    new VirtualTimer(() => machine().timeline.timer(Number(delayMs), () => run(...args)))
  const setInterval = (run: Work, delayMs: unknown = 1, ...args: unknown[]): VirtualTimer =>
    new VirtualTimer((timer) =>
      machine().timeline.timer(Number(delayMs), () => {
        timer.refresh()
        run(...args)
      }),
    )
  const setImmediate = (run: Work, ...args: unknown[]): VirtualTimer =>
    new VirtualTimer(() => machine().timeline.at(nowMs(), 'immediate', () => run(...args)))
  const all = { setTimeout, setInterval, setImmediate, clearTimeout: clear, clearInterval: clear, clearImmediate: clear }
  Object.assign(globalThis, all, { Date: VirtualDate })
  Object.assign(timers, all)
  Object.assign(timersPromises, {
    setTimeout: (delayMs: number, value: unknown) => new Promise((resolve) => setTimeout(() => resolve(value), delayMs)),
    setImmediate: (value: unknown) => new Promise((resolve) => setImmediate(() => resolve(value))),
  })

  performance.now = nowMs
  const hrtime = ((before?: [number, number]): [number, number] => {
    const ns = hrtime.bigint() - (before === undefined ? 0n : BigInt(before[0]) * 1_000_000_000n + BigInt(before[1]))
    return [Number(ns / 1_000_000_000n), Number(ns % 1_000_000_000n)]
  }) as typeof process.hrtime
  hrtime.bigint = () => BigInt(Math.round(nowMs() * 1e6))
  process.hrtime = hrtime
  process.uptime = () => nowMs() / 1_000
  os.uptime = () => (nowMs() + machine().sleptMs) / 1_000
}
