import { expect, test } from 'vitest'
import { type Delivery, Ledger } from '../../soak/ledger.ts'

const delivery = (more: Partial<Delivery> = {}): Delivery => ({
  listener: 'ada/1',
  event: 'ACTIVITY_JOIN',
  mark: 'm1',
  content: '{}',
  connection: 1,
  isState: false,
  ...more,
})

test('the same thing twice by one connection is told, by the next connection or to another listener it is not', () => {
  const ledger = new Ledger()
  for (const more of [{}, { link: 2 }, { listener: 'ada/2' }, { content: '{"online":2}' }, { event: 'OTHER' }]) ledger.note(delivery(more))
  expect(ledger.duplicates).toEqual([])
  ledger.note(delivery())
  expect(ledger.duplicates).toEqual([delivery()])
  expect(ledger.deliveries).toBe(6)
})

test('knows who heard a mark', () => {
  const ledger = new Ledger()
  ledger.note(delivery())
  ledger.note(delivery({ connection: 2 }))
  ledger.note(delivery({ listener: 'grace/1' }))
  expect([...ledger.listenersOf('m1')]).toEqual(['ada/1', 'grace/1'])
  expect(ledger.listenersOf('m2').size).toBe(0)
})

test('how something stands may be told anew while things come back, and once more when they are whole', () => {
  const ledger = new Ledger()
  const told = (): void => ledger.note(delivery({ isState: true }))
  told()
  told()
  ledger.setWhole(true)
  ledger.setWhole(true)
  told()
  expect(ledger.duplicates).toEqual([])
  told()
  expect(ledger.duplicates).toHaveLength(1)
  ledger.setWhole(false)
  told()
  told()
  expect(ledger.duplicates).toHaveLength(1)
  ledger.note(delivery())
  ledger.note(delivery())
  expect(ledger.duplicates).toHaveLength(2)
})
