import { beforeEach, describe, expect, test } from 'vitest'
import { Canceller } from '@sallyport/core/cancel'
import { Finder, isSamePlatform } from '../../../../../daemon/src/platform/desktop/finder.ts'
import type { Dialling } from '../../../../../daemon/src/ipc/transport/dial.ts'
import { FakeClock, settled } from '../../../../support/fake-clock.ts'
import { MemoryClient } from '../../../../support/memory-client.ts'
import { RecordingLog } from '../../../../support/recording-log.ts'

test.each([
  ['//example.test/api', 'https://example.test/api/v10', true],
  ['//EXAMPLE.test/api/v10', 'https://example.test/api/v10', true],
  ['//canary.example.test/api', 'https://example.test/api/v10', true],
  ['//example.test.evil.test/api', 'https://example.test/api/v10', false],
  ['//notexample.test/api', 'https://example.test/api/v10', false],
  ['//example.test/other', 'https://example.test/api/v10', false],
  ['//127.0.0.1:4711/api', 'http://127.0.0.1:4711/api/v10', true],
  ['//127.0.0.1:4712/api', 'http://127.0.0.1:4711/api/v10', false],
  [undefined, 'http://127.0.0.1:4711/api/v10', false],
])('%s serves %s: %s', (theirs, ours, isSame) => {
  expect(isSamePlatform(theirs, ours)).toBe(isSame)
})

describe('the finder', () => {
  const PATHS = ['/run/ipc-0', '/run/ipc-1', '/run/ipc-2']
  const READY = new MemoryClient().ready as object
  let clients: MemoryClient[]
  let own: string[]
  let clock: FakeClock
  let finder: Finder

  beforeEach(() => {
    clients = PATHS.map((path) => new MemoryClient(path))
    for (const client of clients) client.vanish()
    own = []
    clock = new FakeClock()
    const at = (path: string) => clients.find((client) => client.path === path)?.dialling
    const dialling: Dialling = {
      doorAt: (path) => at(path)?.doorAt(path),
      dial: (door, receiverOf) => at(door.path)?.dial(door, receiverOf) ?? Promise.reject(new Error('nobody')),
    }
    finder = new Finder({
      places: { paths: PATHS },
      dialling,
      clock,
      log: new RecordingLog(),
      ownAddresses: () => own,
      apiEndpoint: 'https://example.test/api/v10',
    })
  })
  const client = (slot: number): MemoryClient => clients[slot] as MemoryClient

  test('takes the first that is a client of this platform', async () => {
    client(1).appear()
    client(2).appear()
    const found = await finder.find('1')
    expect(found).toMatchObject({ ready: { user: { username: 'ann' } } })
    expect(client(1).peers).toHaveLength(1)
    expect(client(2).peers).toHaveLength(0)
  })

  test('never dials where this daemon itself listens', async () => {
    own.push('/run/ipc-0')
    client(0).appear()
    expect(await finder.find('1')).toBe('nobody')
    expect(client(0).peers).toHaveLength(0)
  })

  test('passes over other bridges and other platforms, and remembers them until somebody else sits there', async () => {
    client(0).appear()
    client(0).ready = { ...READY, bridge: { name: 'sallyport', version: '9' } }
    client(1).appear()
    client(1).ready = { ...READY, config: { api_endpoint: '//other.test/api' } }
    expect(await finder.find('1')).toBe('nobody')
    expect(await finder.find('2')).toBe('nobody')
    expect(client(0).peers).toHaveLength(1)
    expect(client(1).peers).toHaveLength(1)
    expect(client(0).last.isCutOff && client(1).last.isCutOff).toBe(true)

    client(1).vanish()
    client(1).appear()
    client(1).ready = READY
    expect(await finder.find('1')).toMatchObject({ ready: READY })
  })

  test('prefers the one that it found last, so that all applications meet at one client', async () => {
    client(1).appear()
    await finder.find('1')
    client(0).appear()
    await finder.find('2')
    expect(client(1).peers).toHaveLength(2)
    expect(client(0).peers).toHaveLength(0)
  })

  test('waits only so long for READY, then goes on', async () => {
    client(0).appear()
    client(0).ready = undefined
    const found = finder.find('1')
    await settled()
    client(1).appear()
    clock.advance(5000)
    expect(await found).toBe('silent')
    expect(client(0).last.isCutOff).toBe(true)
    expect(clock.pending).toBe(0)
  })

  test('tells a socket that nobody serves from none at all', async () => {
    expect(await finder.find('1')).toBe('nobody')
    client(0).appear()
    client(0).isServed = false
    expect(await finder.find('1')).toBe('refused')
    client(0).isServed = true
    expect(await finder.find('1')).toMatchObject({ ready: READY })
  })

  test('waits longer where a client was before, which may be delaying its READY', async () => {
    client(0).appear()
    await finder.find('1')
    client(0).ready = undefined
    const found = finder.find('1')
    await settled()
    clock.advance(59_000)
    client(0).last.tell('READY', READY)
    expect(await found).toMatchObject({ ready: READY })
    expect(clock.pending).toBe(0)
  })

  test('is held up only for a moment by one that says nothing', async () => {
    for (const slot of [0, 1, 2]) client(slot).appear()
    client(0).ready = undefined
    client(1).ready = undefined
    const found = finder.find('1')
    await settled()
    expect(client(1).peers).toHaveLength(0)
    clock.advance(500)
    clock.advance(500)
    await settled()
    expect(await found).toMatchObject({ door: { path: '/run/ipc-2' } })
    expect(client(0).last.isCutOff && client(1).last.isCutOff).toBe(true)
    expect(clock.pending).toBe(0)
  })

  test('takes the one that answers first, and lets the others go', async () => {
    client(0).appear()
    client(1).appear()
    client(0).ready = undefined
    client(1).ready = undefined
    const found = finder.find('1')
    await settled()
    clock.advance(500)
    await settled()
    client(0).last.tell('READY', READY)
    expect(await found).toMatchObject({ door: { path: '/run/ipc-0' } })
    expect(client(0).last.isCutOff).toBe(false)
    expect(client(1).last.isCutOff).toBe(true)
    expect(clock.pending).toBe(0)
  })

  test('leaves nothing behind when nobody waits any more', async () => {
    client(0).appear()
    client(0).ready = undefined
    client(1).appear()
    const stop = new Canceller()
    const found = finder.find('1', { stop })
    await settled()
    stop.stop()
    expect(await found).toBe('nobody')
    expect(client(0).last.isCutOff).toBe(true)
    expect(client(1).peers).toHaveLength(0)
    expect(clock.pending).toBe(0)
    expect(await finder.find('1', { stop })).toBe('nobody')
    expect(client(0).peers).toHaveLength(1)
  })

  test('tries last what takes presence only, and not at all where one of that kind is there', async () => {
    client(0).appear()
    const first = await finder.find('1')
    if (typeof first !== 'object') throw new Error(first)
    finder.know(first.door, true)
    client(1).appear()
    expect(await finder.find('2', { isBetterWanted: true })).toMatchObject({ door: { path: '/run/ipc-1' } })
    client(1).vanish()
    expect(await finder.find('3', { isBetterWanted: true })).toBe('nobody')
    const again = await finder.find('3')
    expect(again).toMatchObject({ door: { path: '/run/ipc-0' }, connection: { isPresenceOnly: true } })
    finder.know(first.door, false)
    expect(await finder.find('4')).toMatchObject({ connection: { isPresenceOnly: false } })
  })

  test('knows a client that does not take the application', async () => {
    client(0).appear()
    client(0).dismisses = { code: 4000, message: 'Invalid Client ID' }
    expect(await finder.find('1')).toBe('turned-away')
    client(0).dismisses = { code: 4002, message: 'Rate limited' }
    expect(await finder.find('1')).toBe('silent')
  })

  test('does not leave a client for another one while its READY may only be delayed', async () => {
    client(0).appear()
    await finder.find('1')
    client(1).appear()
    client(0).ready = undefined
    const found = finder.find('1')
    await settled()
    clock.advance(4000)
    await settled()
    expect(client(1).peers).toHaveLength(0)
    client(0).last.tell('READY', READY)
    expect(await found).toMatchObject({ door: { path: '/run/ipc-0' } })
    const later = finder.find('2')
    await settled()
    clock.advance(5000)
    expect(await later).toMatchObject({ door: { path: '/run/ipc-1' } })
    expect(clock.pending).toBe(0)
  })

  test('waits for READY of another socket at the same place only as long as for any', async () => {
    client(0).appear()
    await finder.find('1')
    client(0).vanish()
    client(0).appear()
    client(0).ready = undefined
    const found = finder.find('1')
    await settled()
    clock.advance(5000)
    expect(await found).toBe('silent')
  })

  test('is not held up by a system that takes its time to open a pipe', async () => {
    client(0).appear()
    const slow = new Finder({
      places: { paths: PATHS },
      dialling: { doorAt: (path) => client(0).dialling.doorAt(path), dial: () => new Promise(() => {}) },
      clock,
      log: new RecordingLog(),
      ownAddresses: () => own,
      apiEndpoint: 'https://example.test/api/v10',
    })
    const found = slow.find('1')
    clock.advance(5000)
    expect(await found).toBe('silent')
  })
})
