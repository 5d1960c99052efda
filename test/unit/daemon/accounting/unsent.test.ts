/** Bytes that peers do not read: who is not read any more, and who loses a connection. */
import { BUDGETS } from '@sallyport/core/budgets'
import { describe, expect, test } from 'vitest'
import { world } from './programs.ts'

const OF_PROGRAM = BUDGETS.unsentBytesPerProgramWithoutGrant.value
const OF_ALL = BUDGETS.unsentBytesWithoutGrant.value
const MIB = 1_048_576

const start = () => world(({ executable }) => executable?.startsWith('/granted') ?? false)

describe('unsent bytes', () => {
  test('beyond half of the limit pause those who do not read, until a quarter of that is sent', () => {
    const { connect } = start()
    const [one, other, reader, stranger] = [connect('/a'), connect('/a'), connect('/a'), connect('/b')]
    one.account.setUnsentBytes(OF_PROGRAM / 2)
    expect(one.isPaused).toBe(false)
    other.account.setUnsentBytes(1)
    expect([one, other, reader, stranger].map(({ isPaused }) => isPaused)).toEqual([true, true, false, false])
    one.account.setUnsentBytes((OF_PROGRAM * 3) / 8)
    expect(one.isPaused).toBe(true)
    one.account.setUnsentBytes((OF_PROGRAM * 3) / 8 - 1)
    expect([one, other].map(({ isPaused }) => isPaused)).toEqual([false, false])
  })

  test('beyond the limit cost the program its connection with the most, and no other program', () => {
    const { connect, charged } = start()
    const [small, large, next, stranger] = [connect('/a'), connect('/a'), connect('/a'), connect('/b')]
    stranger.account.setUnsentBytes(OF_PROGRAM)
    small.account.setUnsentBytes(4 * MIB)
    large.account.setUnsentBytes(8 * MIB)
    next.account.setUnsentBytes(5 * MIB)
    expect([small, large, next, stranger].map(({ closedWith }) => closedWith)).toEqual([undefined, 1006, undefined, undefined])
    expect(charged('unsentBytes')).toBe(OF_PROGRAM + 9 * MIB)
    next.account.setUnsentBytes(OF_PROGRAM + 1)
    expect(next.closedWith).toBe(1006)
    for (const one of [small, large, next, stranger]) one.end()
    expect(charged('unsentBytes')).toBe(0)
  })

  test('of all programs cost the one with the most, and never one with a grant for those without', () => {
    const { connect, charged } = start()
    const granted = connect('/granted')
    granted.account.setUnsentBytes(2 * OF_PROGRAM)
    const programs = OF_ALL / OF_PROGRAM
    const strangers = Array.from({ length: programs }, (_, at) => connect(`/program${at}`))
    for (const [at, one] of strangers.entries()) one.account.setUnsentBytes(OF_PROGRAM - (at === 2 ? 0 : MIB))
    expect(strangers.filter(({ closedWith }) => closedWith !== undefined)).toEqual([])
    const newcomer = connect('/newcomer')
    newcomer.account.setUnsentBytes(4 * MIB)
    expect(strangers.map(({ closedWith }) => closedWith)).toEqual([undefined, undefined, 1006, undefined])
    expect([granted.closedWith, newcomer.closedWith]).toEqual([undefined, undefined])
    expect((charged('unsentBytes') ?? 0) - 2 * OF_PROGRAM).toBeLessThanOrEqual(OF_ALL)
  })

  test('and those of unfinished frames are reported when they are held, not when they are released', () => {
    const { connect, held } = start()
    const one = connect('/a')
    one.hold(1000)
    one.hold(4000)
    one.hold(0)
    one.account.setUnsentBytes(500)
    one.account.setUnsentBytes(700)
    one.account.setUnsentBytes(700)
    one.end()
    // The last is what an ended connection leaves.
    expect(held).toEqual([1000, 3000, 500, 200, 8192])
  })

  test('cost a look at all programs after much was charged, not at each charge', () => {
    let asked = 0
    const { connect } = world(({ executable }) => {
      asked += 1
      return executable?.startsWith('/granted') ?? false
    })
    for (const at of [1, 2]) connect(`/granted${at}`).account.setUnsentBytes(12 * MIB)
    const strangers = Array.from({ length: 500 }, (_, at) => connect(`/program${at}`))
    for (const one of strangers) one.account.setUnsentBytes(100_000)
    asked = 0
    for (let bytes = 1; bytes <= 1000; bytes += 1) strangers[0]?.account.setUnsentBytes(100_000 + bytes)
    expect(asked).toBeLessThan(4 * strangers.length)
    // The limit of all such programs holds none the less.
    for (const one of strangers) one.account.setUnsentBytes(one.account.isRefused ? 0 : 150_000)
    const left = strangers.filter(({ closedWith }) => closedWith === undefined)
    expect(left.length).toBeLessThan(strangers.length)
    expect(left.length * 150_000).toBeLessThanOrEqual(OF_ALL)
  })
})
