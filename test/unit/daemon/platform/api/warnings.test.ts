import { DEVELOPMENT_LIMITS, ENDPOINTS, LIMITS } from '@sallyport/protocol'
import { describe, expect, it } from 'vitest'
import { createDevelopmentLimits } from '#daemon/src/platform/api/development-limits.ts'
import { createInvalidRequests } from '#daemon/src/platform/api/invalid-requests.ts'
import { Warnings } from '#daemon/src/platform/api/warnings.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { RecordingLog } from '#test/support/recording-log.ts'
import { bob, ok, world } from './forwarder-world.ts'
import { row, writeRow } from './rows.ts'

const post = writeRow({ name: 'SEND', path: '/lobbies/{channel_id}/messages' })
const MESSAGES = writeRow({ name: 'SEND_LOBBY_MESSAGE', path: '/lobbies/{lobby_id}/messages', pathParameters: ['lobby_id'] })
const LINK = writeRow({ name: 'LINK', method: 'PATCH', path: '/lobbies/{lobby_id}/channel-linking', pathParameters: ['lobby_id'] })

function counted() {
  const clock = new FakeClock()
  const log = new RecordingLog()
  const warnings = new Warnings(clock, log)
  const limits = createDevelopmentLimits(clock, warnings)
  const count = (of: typeof MESSAGES, times: number, who = bob) => {
    for (let sent = 0; sent < times; sent++) limits.count(of, who)
  }
  return { clock, warnings, lines: log.lines, count }
}

describe('development limits', () => {
  it('each refer to an existing operation', () => {
    const operations = new Set(Object.values(ENDPOINTS).map(({ method, path }) => `${method} ${path}`))
    for (const operation of DEVELOPMENT_LIMITS.keys()) expect(operations, operation).toContain(operation)
  })

  it('warn once per window and operation, and restart with the next window', () => {
    const { clock, warnings, lines, count } = counted()
    count(MESSAGES, 99)
    expect(warnings.current()).toEqual([])
    count(MESSAGES, 50)
    expect(warnings.current()).toMatchObject([
      { kind: 'development_limit', message: expect.stringMatching(/POST \/lobbies.*100 times within 2 hours/) },
    ])
    expect(lines).toHaveLength(1)
    clock.advance(LIMITS.developmentMs.value)
    expect(warnings.current()).toEqual([])
    count(MESSAGES, 100)
    expect(lines).toHaveLength(2)
  })

  it('count per application and operation, and are 20 for links', () => {
    const { warnings, count } = counted()
    count(LINK, 19)
    count(LINK, 1, { ...bob, applicationId: 'other' })
    count(row(), 1000)
    expect(warnings.current()).toEqual([])
    count(LINK, 1, { ...bob, userId: 'another-user' })
    expect(warnings.current()).toHaveLength(1)
  })

  it('reject nothing', async () => {
    const { call, platform } = world()
    platform.answer = () => ok
    for (let sent = 0; sent < 101; sent++) expect(await call(post)).toMatchObject({ id: 'x' })
    expect(platform.received).toHaveLength(101)
  })

  it('count sent calls', async () => {
    const { forwarder, platform, warnings, clock } = world()
    platform.answer = () => ok
    const { signal } = new AbortController()
    for (let sent = 0; sent < 100; sent++) await forwarder.forward(MESSAGES, { lobby_id: '1' }, bob, signal, clock.elapsed() + 1000)
    expect(warnings.current()).toHaveLength(1)
  })
})

describe('invalid requests', () => {
  it('warn at half of the ban limit, and stop before it', () => {
    const clock = new FakeClock()
    const warnings = new Warnings(clock, new RecordingLog())
    const guard = createInvalidRequests(clock, warnings)
    for (let sent = 0; sent < 4_999; sent++) guard.count(403, {})
    expect(warnings.current()).toEqual([])
    guard.count(401, {})
    expect(warnings.current()).toMatchObject([{ kind: 'invalid_requests', endsAt: clock.now() + 600_000 }])
    for (let sent = 5_000; sent < 8_999; sent++) guard.count(403, {})
    expect(guard.waitMs()).toBe(0)
    guard.count(403, {})
    expect(guard.waitMs()).toBe(600_000)
    clock.advance(600_000)
    expect(guard.waitMs()).toBe(0)
    expect(warnings.current()).toEqual([])
  })

  it('do not count 429s of shared resources', () => {
    const clock = new FakeClock()
    const warnings = new Warnings(clock, new RecordingLog())
    const guard = createInvalidRequests(clock, warnings)
    for (let sent = 0; sent < 20_000; sent++) guard.count(429, { refusal: { scope: 'shared', retryAfterMs: 1 } })
    expect(guard.waitMs()).toBe(0)
    for (let sent = 0; sent < 9_000; sent++) guard.count(429, { refusal: { scope: 'user', retryAfterMs: 1 } })
    expect(guard.waitMs()).toBe(600_000)
  })
})
