import { BUDGETS } from '@sallyport/core/budgets'
import { describe, expect, it } from 'vitest'
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
