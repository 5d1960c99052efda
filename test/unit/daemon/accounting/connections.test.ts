import { BUDGETS } from '@sallyport/core/budgets'
import { Ledger } from '#daemon/src/accounting/ledger.ts'
import { describe, expect, it, vi } from 'vitest'
import { world } from './programs.ts'

const OF_PROGRAM = BUDGETS.unfinishedFrameBytesPerProgram.value
const MIB = 1024 * 1024

describe('unfinished frames', () => {
  it('beyond the share of a program stop all its connections but the one with the oldest, which goes on to its end', () => {
    const { connect, clock } = world()
    const idle = connect('/a')
    const other = connect('/b')
    const holders = Array.from({ length: 17 }, () => connect('/a'))
    for (const holder of holders) holder.hold(MIB)
    const [oldest, second, ...rest] = holders
    expect([oldest?.isPaused, second?.isPaused, idle.isPaused, other.isPaused]).toEqual([false, true, true, false])
    oldest?.hold(0, true)
    expect([second?.isPaused, rest.every(({ isPaused }) => isPaused), idle.isPaused]).toEqual([false, true, true])
    for (const holder of holders.slice(1, 6)) holder.hold(0, true)
    expect([...holders, idle].some(({ isPaused }) => isPaused)).toBe(false)
    expect(clock.pending).toBe(0)
  })

  it('of a connection that has come to the end of one are not the oldest any more', () => {
    const { connect } = world()
    const [busy, patient] = [connect('/a'), connect('/a')]
    busy.hold(1)
    patient.hold(OF_PROGRAM)
    expect([busy.isPaused, patient.isPaused]).toEqual([false, true])
    busy.hold(1, true)
    expect([busy.isPaused, patient.isPaused]).toEqual([true, false])
  })

  it('that stand still are closed only while others wait, one after the other', () => {
    const { connect, clock } = world()
    const silent = connect('/a')
    silent.hold(1000)
    clock.advance(3_600_000)
    expect([silent.closedWith, clock.pending]).toEqual([undefined, 0])
    const [slow, waiting] = [connect('/a'), connect('/a')]
    slow.hold(1000)
    waiting.hold(OF_PROGRAM)
    clock.advance(BUDGETS.stalledFrameMs.value)
    expect([silent.closedWith, slow.closedWith, waiting.closedWith]).toEqual([1006, undefined, undefined])
    slow.hold(2000)
    clock.advance(BUDGETS.stalledFrameMs.value - 1)
    slow.hold(3000)
    clock.advance(BUDGETS.stalledFrameMs.value)
    expect(slow.closedWith).toBeUndefined()
    clock.advance(BUDGETS.stalledFrameMs.value)
    expect(slow.closedWith).toBe(1006)
  })

  it('that find no room at all cost the program that holds most, not a newcomer', () => {
    const { connect, charged } = world()
    const greedy = ['/a', '/b', '/c', '/d', '/e'].map((path) => ({
      path,
      holders: Array.from({ length: 20 }, () => connect(path)),
    }))
    for (const { holders } of greedy) for (const holder of holders) if (!holder.isPaused) holder.hold(MIB)
    const tail = Array.from({ length: 40 }, (_, index) => connect(`/tail${index}`))
    for (const one of tail) one.hold(MIB)
    expect(charged('unfinishedFrameBytes')).toBeLessThanOrEqual(BUDGETS.unfinishedFrameBytes.value)
    expect(tail.every(({ closedWith }) => closedWith === undefined)).toBe(true)
    expect(greedy.some(({ holders }) => holders.some(({ closedWith }) => closedWith === 4002))).toBe(true)
  })
})

describe('open calls', () => {
  it('beyond the share of a program stop all its connections, and no other program', () => {
    const { connect } = world()
    const [one, other, honest] = [connect('/a'), connect('/a'), connect('/b')]
    for (let count = 0; count <= BUDGETS.pendingCallsPerProgram.value; count++) one.account.callOpened(100)
    expect([one.isPaused, other.isPaused, honest.isPaused]).toEqual([true, true, false])
    for (let count = 0; count <= BUDGETS.pendingCallsPerProgram.value / 4; count++) one.account.callEnded(100)
    expect([one.isPaused, other.isPaused]).toEqual([false, false])
  })

  it('are bounded by their bytes too, and one alone always works', () => {
    const { connect } = world()
    const one = connect('/a')
    for (let count = 0; count < 16; count++) one.account.callOpened(MIB)
    expect(one.isPaused).toBe(false)
    one.account.callOpened(MIB)
    expect(one.isPaused).toBe(true)
    for (let count = 0; count < 17; count++) one.account.callEnded(MIB)
    expect([one.isPaused, one.account.hasRoomForCall(MIB)]).toEqual([false, true])
  })

  it('of a connection that ended are given back at once, and only once', () => {
    const { connect, charged } = world()
    const one = connect('/a')
    one.account.callOpened(500)
    one.end()
    one.account.callEnded(500)
    one.end()
    expect(['connections', 'pendingCalls', 'pendingCallBytes', 'unfinishedFrameBytes'].map(charged)).toEqual([0, 0, 0, 0])
  })
})

describe('the work of accounting', () => {
  /** Steps of iterators of sets and maps, and looks at the limits of a program, while `task` runs. */
  function stepsOf(task: () => void): number {
    let steps = 0
    const looks = vi.spyOn(Ledger.prototype, 'isWithin')
    const walks = vi.spyOn(Set.prototype, Symbol.iterator).mockImplementation(function (this: Set<unknown>) {
      steps += this.size
      return this.values()
    })
    try {
      task()
    } finally {
      walks.mockRestore()
    }
    steps += looks.mock.calls.length
    looks.mockRestore()
    return steps
  }

  it('for a connection that finishes frames does not grow with the connections that hold unfinished ones', () => {
    const { connect } = world()
    const measure = (count: number): number => {
      const holders = Array.from({ length: count }, () => connect('/a'))
      for (const one of holders) one.hold(OF_PROGRAM / count + 1)
      const steps = stepsOf(() => {
        for (const one of holders) one.hold(OF_PROGRAM / count + 1, true)
      })
      for (const one of holders) one.end()
      return steps / count
    }
    expect(measure(2000)).toBeLessThanOrEqual(measure(100) * 2 + 1)
  })

  const QUARTER = BUDGETS.pendingCallBytes.value / 4
  /** Four programs that leave nothing to the others, and others, all of which wait. */
  const waitingBehind = (connect: ReturnType<typeof world>['connect'], count: number) => {
    const hogs = Array.from({ length: 4 }, (_, at) => connect(`/hog${at}`))
    for (const one of hogs) one.account.callOpened(QUARTER)
    const programs = Array.from({ length: count }, (_, at) => connect(`/program${at}`))
    for (const one of programs) one.account.callOpened(1000)
    expect(programs.every(({ account }) => account.isPaused)).toBe(true)
    return { hogs, programs }
  }

  it('for a release does not grow with the programs that wait', () => {
    const { connect, clock } = world()
    const measure = (count: number): number => {
      const { hogs, programs } = waitingBehind(connect, count)
      const steps = stepsOf(() => {
        for (let at = 0; at < 200; at += 1) {
          programs[0]?.account.callOpened(1)
          programs[0]?.account.callEnded(1)
        }
      })
      clock.advance(1000)
      for (const one of [...programs, ...hogs]) one.end()
      return steps / 200
    }
    const few = measure(16)
    expect(few).toBeGreaterThan(0)
    expect(measure(1000)).toBeLessThanOrEqual(few * 2)
  })

  it('resumes many waiting programs a moment later', () => {
    const { connect, clock } = world()
    const { hogs, programs } = waitingBehind(connect, 100)
    for (const one of hogs) one.account.callEnded(QUARTER)
    clock.advance(1000)
    expect(programs.some(({ isPaused }) => isPaused)).toBe(false)
    expect(clock.pending).toBe(0)
  })
})
