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

test('the same event twice on one connection is a duplicate; on the next connection or for another listener it is not', () => {
  const ledger = new Ledger()
  for (const more of [{}, { connection: 2 }, { listener: 'ada/2' }, { content: '{"online":2}' }, { event: 'OTHER' }])
    ledger.note(delivery(more))
  expect(ledger.duplicates).toEqual([])
  ledger.note(delivery())
  expect(ledger.duplicates).toEqual([delivery()])
  expect(ledger.deliveries).toBe(6)
})

test('lists the listeners that received a mark', () => {
  const ledger = new Ledger()
  ledger.note(delivery())
  ledger.note(delivery({ connection: 2 }))
  ledger.note(delivery({ listener: 'grace/1' }))
  expect([...ledger.listenersOf('m1')]).toEqual(['ada/1', 'grace/1'])
  expect(ledger.listenersOf('m2').size).toBe(0)
})

test('a state may come again during the recovery, and once more after it', () => {
  const ledger = new Ledger()
  const receive = (): void => ledger.note(delivery({ isState: true }))
  receive()
  receive()
  ledger.setWhole(true)
  ledger.setWhole(true)
  receive()
  expect(ledger.duplicates).toEqual([])
  receive()
  expect(ledger.duplicates).toHaveLength(1)
  ledger.setWhole(false)
  receive()
  receive()
  expect(ledger.duplicates).toHaveLength(1)
  ledger.note(delivery())
  ledger.note(delivery())
  expect(ledger.duplicates).toHaveLength(2)
})
