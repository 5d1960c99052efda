import { describe, expect, it } from 'vitest'
import { Ledger } from '../../../../daemon/src/accounting/ledger.ts'

const row = { unit: 'items', ofProgram: 40, ofAll: 100, beyond: 'refuse', summary: '' } as const

describe('Ledger', () => {
  it('gives a program its own most and no more', () => {
    const ledger = new Ledger(row)
    const share = ledger.share('a')
    expect([share.take(40), share.take(1), ledger.sum, ledger.refused]).toEqual([true, false, 40, 1])
    share.give(1)
    expect([share.take(1), ledger.sum]).toEqual([true, 40])
  })

  it('counts all shares of a program together', () => {
    const ledger = new Ledger(row)
    const shares = [ledger.share('a'), ledger.share('a')]
    expect(shares.map((share) => share.take(30))).toEqual([true, false])
  })

  it('gives no program more than half of what the others leave, and a newcomer always something', () => {
    const ledger = new Ledger(row)
    const held = Array.from({ length: 20 }, (_, index) => {
      const share = ledger.share(String(index))
      while (share.take(1));
      return share.amount
    })
    expect(held.slice(0, 5)).toEqual([40, 30, 15, 7, 4])
    expect(held.slice(0, 8).every((amount) => amount > 0)).toBe(true)
    expect(ledger.sum).toBe(100)
  })

  it('charges what is used already, and says when that is too much', () => {
    const ledger = new Ledger(row)
    const share = ledger.share('a')
    expect([share.use(40), share.use(10), ledger.sum, share.isEased]).toEqual([true, false, 50, false])
    share.give(20)
    expect([share.isEased, ledger.heldBy('a')]).toEqual([true, 30])
  })

  it('gives back once, however often it is told to', () => {
    const ledger = new Ledger(row)
    const [one, other] = [ledger.share('a'), ledger.share('a')]
    one.take(10)
    other.take(5)
    one.end()
    one.end()
    one.give(10)
    expect([one.take(1), ledger.sum, ledger.heldBy('a')]).toEqual([false, 5, 5])
  })

  it('keeps no account of a program that holds nothing', () => {
    const ledger = new Ledger(row)
    for (let index = 0; index < 1000; index++) {
      const share = ledger.share(String(index))
      share.take(1)
      share.end()
    }
    expect([ledger.accounts, ledger.sum]).toEqual([0, 0])
  })
})
