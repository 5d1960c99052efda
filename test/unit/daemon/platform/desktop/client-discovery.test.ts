import { beforeEach, describe, expect, test } from 'vitest'
import { Canceller } from '@sallyport/core/cancel'
import { ClientDiscovery, isSamePlatform } from '#daemon/src/platform/desktop/client-discovery.ts'
import type { Dialer } from '#daemon/src/ipc/transport/dial.ts'
import { FakeClock, settled } from '#test/support/fake-clock.ts'
import { MemoryClient } from '#test/support/memory-client.ts'
import { RecordingLog } from '#test/support/recording-log.ts'

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

describe('client discovery', () => {
  const PATHS = ['/run/ipc-0', '/run/ipc-1', '/run/ipc-2']
  const READY = new MemoryClient().ready as object
  let clients: MemoryClient[]
  let own: string[]
  let clock: FakeClock
  let discovery: ClientDiscovery
  /** Looks for the file of a socket. */
  let looks: number

  let isClient: (id: string, pid: number | undefined) => boolean = () => true
  beforeEach(() => {
    isClient = () => true
    clients = PATHS.map((path) => new MemoryClient(path))
    for (const client of clients) client.vanish()
    own = []
    looks = 0
    clock = new FakeClock()
    const at = (path: string) => clients.find((client) => client.path === path)?.dialer
    const dialling: Dialer = {
      endpointAt: (path) => {
        looks += 1
        return at(path)?.endpointAt(path)
      },
      connect: (endpoint, createReceiver) => at(endpoint.path)?.connect(endpoint, createReceiver) ?? Promise.reject(new Error('no server')),
    }
    discovery = new ClientDiscovery({
      candidates: { paths: PATHS },
      dialer: dialling,
      clock,
      log: new RecordingLog(),
      ownAddresses: () => own,
      isClient: ({ id }, pid) => isClient(id, pid),
      apiEndpoint: 'https://example.test/api/v10',
    })
  })
  const client = (slot: number): MemoryClient => clients[slot] as MemoryClient

  test('returns the first client of this platform', async () => {
    client(1).appear()
    client(2).appear()
    const found = await discovery.find('1')
    expect(found).toMatchObject({ ready: { user: { username: 'ann' } } })
    expect(client(1).peers).toHaveLength(1)
    expect(client(2).peers).toHaveLength(0)
  })

  test('of an application that has met no server looks at each socket once', async () => {
    expect(discovery.waitMs('1')).toBe(Infinity)
    await discovery.find('1')
    expect(looks).toBe(PATHS.length)
  })

  test('never connects to this daemon itself', async () => {
    own.push('/run/ipc-0')
    client(0).appear()
    expect(await discovery.find('1')).toBe('not-found')
    expect(client(0).peers).toHaveLength(0)
  })

  test('skips other bridges and platforms, and remembers them until the socket is replaced', async () => {
    client(0).appear()
    client(0).ready = { ...READY, bridge: { name: 'sallyport', version: '9' } }
    client(1).appear()
    client(1).ready = { ...READY, config: { api_endpoint: '//other.test/api' } }
    expect(await discovery.find('1')).toBe('not-found')
    expect(await discovery.find('2')).toBe('not-found')
    expect(client(0).peers).toHaveLength(1)
    expect(client(1).peers).toHaveLength(1)
    expect(client(0).last.isCutOff && client(1).last.isCutOff).toBe(true)

    client(1).vanish()
    client(1).appear()
    client(1).ready = READY
    expect(await discovery.find('1')).toMatchObject({ ready: READY })
  })

  test('prefers the last client, so that all applications use one client', async () => {
    client(1).appear()
    await discovery.find('1')
    client(0).appear()
    await discovery.find('2')
    expect(client(1).peers).toHaveLength(2)
    expect(client(0).peers).toHaveLength(0)
  })

  test('times out without READY, then continues', async () => {
    client(0).appear()
    client(0).ready = undefined
    const found = discovery.find('1')
    await settled()
    client(1).appear()
    clock.advance(5000)
    expect(await found).toBe('timeout')
    expect(client(0).last.isCutOff).toBe(true)
    expect(clock.pending).toBe(0)
  })

  test('distinguishes a socket without a server from no socket', async () => {
    expect(await discovery.find('1')).toBe('not-found')
    client(0).appear()
    client(0).isServed = false
    expect(await discovery.find('1')).toBe('refused')
    client(0).isServed = true
    expect(await discovery.find('1')).toMatchObject({ ready: READY })
  })

  test('waits longer at the last client, which may delay its READY', async () => {
    client(0).appear()
    await discovery.find('1')
    client(0).ready = undefined
    const found = discovery.find('1')
    await settled()
    clock.advance(59_000)
    client(0).last.sendEvent('READY', READY)
    expect(await found).toMatchObject({ ready: READY })
    expect(clock.pending).toBe(0)
  })

  test('is delayed only briefly by a silent server', async () => {
    for (const slot of [0, 1, 2]) client(slot).appear()
    client(0).ready = undefined
    client(1).ready = undefined
    const found = discovery.find('1')
    await settled()
    expect(client(1).peers).toHaveLength(0)
    clock.advance(500)
    clock.advance(500)
    await settled()
    expect(await found).toMatchObject({ endpoint: { path: '/run/ipc-2' } })
    expect(client(0).last.isCutOff && client(1).last.isCutOff).toBe(true)
    expect(clock.pending).toBe(0)
  })

  test('uses the first one that responds, and cancels the others', async () => {
    client(0).appear()
    client(1).appear()
    client(0).ready = undefined
    client(1).ready = undefined
    const found = discovery.find('1')
    await settled()
    clock.advance(500)
    await settled()
    client(0).last.sendEvent('READY', READY)
    expect(await found).toMatchObject({ endpoint: { path: '/run/ipc-0' } })
    expect(client(0).last.isCutOff).toBe(false)
    expect(client(1).last.isCutOff).toBe(true)
    expect(clock.pending).toBe(0)
  })

  test('leaves nothing behind after cancellation', async () => {
    client(0).appear()
    client(0).ready = undefined
    client(1).appear()
    const stop = new Canceller()
    const found = discovery.find('1', { signal: stop })
    await settled()
    stop.cancel()
    expect(await found).toBe('not-found')
    expect(client(0).last.isCutOff).toBe(true)
    expect(client(1).peers).toHaveLength(0)
    expect(clock.pending).toBe(0)
    expect(await discovery.find('1', { signal: stop })).toBe('not-found')
    expect(client(0).peers).toHaveLength(1)
  })

  test('tries presence-only servers last, and skips them on request', async () => {
    client(0).appear()
    const first = await discovery.find('1')
    if (typeof first !== 'object') throw new Error(first)
    discovery.recordCapability(first.endpoint, true)
    client(1).appear()
    expect(await discovery.find('2', { skipPresenceOnly: true })).toMatchObject({ endpoint: { path: '/run/ipc-1' } })
    client(1).vanish()
    expect(await discovery.find('3', { skipPresenceOnly: true })).toBe('not-found')
    const again = await discovery.find('3')
    expect(again).toMatchObject({ endpoint: { path: '/run/ipc-0' }, connection: { isPresenceOnly: true } })
    discovery.recordCapability(first.endpoint, false)
    expect(await discovery.find('4')).toMatchObject({ connection: { isPresenceOnly: false } })
  })

  test('reports a client that rejects the application', async () => {
    client(0).appear()
    client(0).dismisses = { code: 4000, message: 'Invalid Client ID' }
    expect(await discovery.find('1')).toBe('rejected')
    client(0).dismisses = { code: 4002, message: 'Rate limited' }
    expect(await discovery.find('1')).toBe('timeout')
  })

  test('does not switch to another client while READY may be delayed', async () => {
    client(0).appear()
    await discovery.find('1')
    client(1).appear()
    client(0).ready = undefined
    const found = discovery.find('1')
    await settled()
    clock.advance(4000)
    await settled()
    expect(client(1).peers).toHaveLength(0)
    client(0).last.sendEvent('READY', READY)
    expect(await found).toMatchObject({ endpoint: { path: '/run/ipc-0' } })
    const later = discovery.find('2')
    await settled()
    clock.advance(5000)
    expect(await later).toMatchObject({ endpoint: { path: '/run/ipc-1' } })
    expect(clock.pending).toBe(0)
  })

  test('uses the normal timeout for a replaced socket at the same path', async () => {
    client(0).appear()
    await discovery.find('1')
    client(0).vanish()
    client(0).appear()
    client(0).ready = undefined
    const found = discovery.find('1')
    await settled()
    clock.advance(5000)
    expect(await found).toBe('timeout')
  })

  test('connects an application at most twice a minute to one server, and anew to one that started again', async () => {
    client(0).appear()
    client(0).goesAtOnce = true
    const connections = async (): Promise<number> => {
      await discovery.find('1')
      return client(0).peers.length
    }
    expect(await connections()).toBe(1)
    clock.advance(15_000)
    expect(discovery.waitMs('1')).toBe(Infinity)
    expect([await connections(), await connections()]).toEqual([2, 2])
    expect(await discovery.find('1')).toBe('timeout')
    expect(discovery.waitMs('1')).toBe(45_000)
    await discovery.find('2')
    expect(client(0).peers, 'of another application').toHaveLength(3)
    clock.advance(60_000)
    expect(await connections()).toBe(4)
    await connections()
    client(0).vanish()
    client(0).appear()
    expect(await connections()).toBe(6)
  })

  test('is not blocked by a slow system call for a pipe', async () => {
    client(0).appear()
    const slow = new ClientDiscovery({
      candidates: { paths: PATHS },
      dialer: { endpointAt: (path) => client(0).dialer.endpointAt(path), connect: () => new Promise(() => {}) },
      clock,
      log: new RecordingLog(),
      ownAddresses: () => own,
      isClient: ({ id }, pid) => isClient(id, pid),
      apiEndpoint: 'https://example.test/api/v10',
    })
    const found = slow.find('1')
    clock.advance(5000)
    expect(await found).toBe('timeout')
  })
})
