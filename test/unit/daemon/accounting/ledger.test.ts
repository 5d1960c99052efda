import { describe, expect, it } from 'vitest'
import { Ledger, type Share } from '#daemon/src/accounting/ledger.ts'

const row = { unit: 'items', ofProgram: 40, ofAll: 100, beyond: 'refuse', summary: '' } as const

describe('Ledger', () => {
  it('gives a program its own most and no more', () => {
    const ledger = new Ledger(row)
    const share = ledger.share('a')
    expect([share.tryCharge(40), share.tryCharge(1), ledger.sum, ledger.refused]).toEqual([true, false, 40, 1])
    share.release(1)
    expect([share.tryCharge(1), ledger.sum]).toEqual([true, 40])
  })

  it('counts all shares of a program together', () => {
    const ledger = new Ledger(row)
    const shares = [ledger.share('a'), ledger.share('a')]
    expect(shares.map((share) => share.tryCharge(30))).toEqual([true, false])
  })

  it('gives no program more than half of what the others leave, and a newcomer always something', () => {
    const ledger = new Ledger(row)
    const held = Array.from({ length: 20 }, (_, index) => {
      const share = ledger.share(String(index))
      while (share.tryCharge(1));
      return share.amount
    })
    expect(held.slice(0, 5)).toEqual([40, 30, 15, 7, 4])
    expect(held.slice(0, 8).every((amount) => amount > 0)).toBe(true)
    expect(ledger.sum).toBe(100)
  })

  it('charges what is used already, and says when that is too much', () => {
    const ledger = new Ledger(row)
    const share = ledger.share('a')
    expect([share.charge(40), share.charge(10), ledger.sum, share.canResume]).toEqual([true, false, 50, false])
    share.release(20)
    expect([share.canResume, ledger.heldBy('a')]).toEqual([true, 30])
  })

  it('releases once, even when called again', () => {
    const ledger = new Ledger(row)
    const [one, other] = [ledger.share('a'), ledger.share('a')]
    one.tryCharge(10)
    other.tryCharge(5)
    one.close()
    one.close()
    one.release(10)
    expect([one.tryCharge(1), ledger.sum, ledger.heldBy('a')]).toEqual([false, 5, 5])
  })

  it('keeps no account of a program that holds nothing', () => {
    const ledger = new Ledger(row)
    for (let index = 0; index < 1000; index++) {
      const share = ledger.share(String(index))
      share.tryCharge(1)
      share.close()
    }
    expect([ledger.holders, ledger.sum]).toEqual([0, 0])
  })
})

describe('programs of a group', () => {
  const large = { unit: 'items', ofProgram: 100, ofAll: 1000, beyond: 'refuse', summary: '' } as const
  const containers = (ledger: Ledger, numbers: readonly number[]) => numbers.map((number) => ledger.share(`["container"] in ${number}`))
  /** Takes all that it gets, one by one. */
  const fill = (share: Share): number => {
    while (share.tryCharge(1));
    return share.amount
  }

  it('get less each, and never more than two programs together, however many there are', () => {
    const ledger = new Ledger(large)
    const shares = containers(
      ledger,
      Array.from({ length: 500 }, (_, number) => number),
    )
    const amounts = shares.map(fill)
    expect(amounts.slice(0, 3)).toEqual([100, 50, 25])
    expect(ledger.sum).toBe(200)
    const native = ledger.share('["native"]')
    expect(fill(native)).toBe(100)
    for (const share of [...shares, native]) share.close()
    expect([ledger.sum, ledger.holders]).toEqual([0, 0])
  })

  it('leave a place to another of them, and get theirs back when that one leaves', () => {
    const ledger = new Ledger(large)
    const [greedy, modest] = containers(ledger, [1, 2]) as [Share, Share]
    expect([fill(greedy), fill(modest)]).toEqual([100, 50])
    greedy.close()
    expect(fill(modest)).toBe(100)
    modest.close()
    const [again] = containers(ledger, [3]) as [Share]
    expect(fill(again)).toBe(100)
  })

  it('are asked about without an open share as with one', () => {
    const ledger = new Ledger(large)
    for (const share of containers(ledger, [1, 2, 3, 4, 5, 6, 7, 8, 9])) fill(share)
    expect(ledger.sum).toBe(200)
    expect(ledger.allows('["container"] in 10', 1)).toBe(false)
    expect(ledger.allows('["native"]', 1)).toBe(true)
  })
})
