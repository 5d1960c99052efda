/** The pure parts: ids, seeding, routes, paths, faults, query values. */
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { fromQuery } from '@sallyport/sandbox/api/arguments'
import { formErrors } from '@sallyport/sandbox/api/form-errors'
import { Faults, applyFault } from '@sallyport/sandbox/faults'
import { apiPath, Router } from '@sallyport/sandbox/http/router'
import { redactedPath } from '@sallyport/sandbox/request-log'
import { seedWrites } from '@sallyport/sandbox/seed/seed'
import { isSnowflake, SnowflakeSource, snowflakeTime } from '@sallyport/sandbox/snowflake'
import { Store } from '@sallyport/sandbox/store/store'
import { ManualClock, START } from './harness.ts'

describe('ids', () => {
  it('rise even while the clock stands still or goes back, and after those that exist', () => {
    const clock = new ManualClock()
    const source = new SnowflakeSource(clock, [])
    const first = source.next()
    expect(snowflakeTime(first)).toBe(START)
    const second = source.next()
    clock.advance(-10_000)
    const third = source.next()
    expect([first, second, third]).toEqual([first, second, third].toSorted((a, b) => Number(BigInt(a) - BigInt(b))))
    expect(new Set([first, second, third]).size).toBe(3)
    expect(BigInt(new SnowflakeSource(clock, [third]).next())).toBeGreaterThan(BigInt(third))
  })

  it.each([
    ['1', true],
    ['18446744073709551615', true],
    ['18446744073709551616', false],
    ['0', false],
    ['01', false],
    ['-1', false],
    ['', false],
    ['1e5', false],
  ])('%s: %s', (text, expected) => {
    expect(isSnowflake(text)).toBe(expected)
  })
})

describe('the seeded world', () => {
  const world = (seed: string) => JSON.stringify(seedWrites(new Store(undefined), seed))

  it('follows from the seed', () => {
    expect(world('one')).toBe(world('one'))
    expect(world('one')).not.toBe(world('two'))
  })

  it('has sound references and ids', { tags: ['4.1-17'] }, () => {
    const store = new Store(undefined)
    store.commit(seedWrites(store, 'one'))
    expect(store.users.size).toBeGreaterThanOrEqual(3)
    for (const guild of store.guilds.all()) {
      expect(isSnowflake(guild.id)).toBe(true)
      for (const id of [guild.ownerId, ...Object.keys(guild.members)]) expect(store.users.get(id)).toBeDefined()
      for (const channel of store.channels.group(guild.id))
        if (channel.parentId !== null) expect(store.channels.get(channel.parentId)?.type).toBe(4)
    }
  })
})

describe('routes', () => {
  it('are found by segments, fixed ones first', () => {
    const answer = (body: string) => () => ({ status: 200, headers: {}, body })
    const router = new Router([
      { method: 'GET', path: '/users/{id}', handle: answer('any') },
      { method: 'GET', path: '/users/@me', handle: answer('me') },
      { method: 'PUT', path: '/a/{x}/b/{y}', handle: answer('two') },
    ])
    expect(router.find('GET', '/users/@me').route.path).toBe('/users/@me')
    expect(router.find('GET', '/users/%41').params).toEqual({ id: 'A' })
    expect(router.find('PUT', '/a/1/b/2').params).toEqual({ x: '1', y: '2' })
    expect(router.find('GET', '/users/%zz').params).toEqual({ id: '%zz' })
    expect(() => router.find('POST', '/users/@me')).toThrow('405')
    for (const path of ['/users', '/users/', '/users/1/2', '']) expect(() => router.find('GET', path)).toThrow('404')
  })

  it.each([
    ['/api/v10/users/@me', '/users/@me'],
    ['/api/v9/x', '/x'],
    ['/api/oauth2/token', '/oauth2/token'],
    ['/api/voice/regions', '/voice/regions'],
    ['/api/v10', ''],
    ['/apis/x', undefined],
    ['/', undefined],
  ])('%s is %s below the API', (path, expected) => {
    expect(apiPath(path)).toBe(expected)
  })
})

describe('faults', () => {
  const fault = { match: {}, times: 1, latencyMs: 0, headers: {} }

  it('are used oldest first, each its number of times', () => {
    const faults = new Faults()
    faults.add({ ...fault, times: 2, status: 500 })
    faults.add({ ...fault, match: { path: '/a' }, status: 501 })
    expect([1, 2, 3, 4].map(() => faults.take('GET', ['/a'])?.status)).toEqual([500, 500, 501, undefined])
    expect(faults.waiting).toEqual([])
  })

  it('change only what they name of a real reply', () => {
    const real = { status: 201, headers: { 'content-type': 'text/html', a: 'b' }, body: 'real' }
    expect(applyFault({ ...fault, headers: { a: 'c' } }, real)).toEqual({
      status: 201,
      headers: { 'content-type': 'text/html', a: 'c' },
      body: 'real',
    })
    expect(applyFault({ ...fault, body: 'raw' }, real).body).toBe('raw')
  })

  it.each([
    [{}, { retry_after: 1, global: false }],
    [{ 'retry-after': '3600' }, { retry_after: 3600, global: false }],
    [
      { 'retry-after': 'soon', 'x-ratelimit-global': 'true' },
      { retry_after: 1, global: true },
    ],
  ])('without a body and with 429 and %j answer as a rate limit does', (headers, expected) => {
    const { body } = applyFault({ ...fault, status: 429, headers }, undefined)
    expect(JSON.parse(String(body))).toEqual({ message: 'You are being rate limited.', code: 0, ...expected })
  })
})

describe('query values', () => {
  it('become what the schema asks for, or stay text for it to refuse', () => {
    expect(fromQuery(z.number().optional(), ['12'])).toBe(12)
    expect(fromQuery(z.number().int().nullish(), ['1x'])).toBe('1x')
    expect(fromQuery(z.boolean().default(false), ['True'])).toBe(true)
    expect(fromQuery(z.boolean(), ['0'])).toBe(false)
    expect(fromQuery(z.boolean(), ['toString'])).toBe('toString')
    expect(fromQuery(z.array(z.string()), ['a', 'b'])).toEqual(['a', 'b'])
    expect(fromQuery(z.string(), ['12'])).toBe('12')
  })
})

it('error trees stand up to field names that objects have of their own', () => {
  const issue = { code: 'custom', message: 'no', input: 1 } as const
  const tree = formErrors(
    [
      { ...issue, path: ['__proto__', 'x'] },
      { ...issue, path: ['constructor'] },
    ],
    undefined,
  )
  expect(JSON.stringify(tree)).toBe(
    '{"__proto__":{"x":{"_errors":[{"code":"BASE_TYPE_INVALID","message":"no"}]}},"constructor":{"_errors":[{"code":"BASE_TYPE_INVALID","message":"no"}]}}',
  )
})

it('paths are shown without what might be a token', () => {
  expect(redactedPath(`/a/${'x'.repeat(40)}/b`)).toBe('/a/…/b')
  expect(redactedPath('/lobbies/1234567890123456789/messages')).toBe('/lobbies/1234567890123456789/messages')
  expect(redactedPath('/'.padEnd(1_000, 'ab/')).length).toBeLessThanOrEqual(200)
})
