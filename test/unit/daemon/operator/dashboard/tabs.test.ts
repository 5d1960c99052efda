import { createHmac } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { peersOf } from '#test/support/tcp-peers.ts'
import { bearer, clock, closers, CODE, IMAGE, start, TOKEN } from './served.ts'

afterEach(async () => {
  for (const close of closers.splice(0)) await close()
  expect(clock.pending).toBe(0)
})

describe('tabs', () => {
  const mac = (secret: string, ...words: readonly string[]): string =>
    createHmac('sha256', secret).update(words.join('\n')).digest('base64url')
  const CHALLENGE = 'c'.repeat(43)
  type Started = Awaited<ReturnType<typeof start>>

  /** Greets as a tab does. The session; undefined when the server does not prove itself. */
  async function greet({ ask, port }: Started, id: string, secret: string): Promise<string | undefined> {
    const { status, body } = await ask(`/api/greeting?id=${id}&challenge=${CHALLENGE}`, {}, 'POST')
    if (status !== 200) return undefined
    const { nonce, proof } = JSON.parse(body) as { nonce: string; proof: string }
    expect(proof).toBe(mac(secret, 'server', String(port), CHALLENGE, nonce))
    return mac(secret, 'tab', String(port), CHALLENGE, nonce)
  }

  test('a code admits one tab, which gets a key of its own', async () => {
    const started = await start()
    const session = (await greet(started, mac(CODE, 'id'), CODE)) ?? ''
    expect((await started.ask('/api/state', bearer(session))).status).toBe(200)
    expect(await greet(started, mac(CODE, 'id'), CODE)).toBeUndefined()
    const { id, key } = JSON.parse((await started.ask('/api/keys', bearer(session), 'POST')).body) as { id: string; key: string }
    const again = (await greet(started, id, key)) ?? ''
    expect(again).not.toBe(session)
    expect((await started.ask('/api/log', bearer(again))).body).toBe('["{\\"event\\":\\"ready\\"}"]')
  })

  test('a key holds for the next daemon, and a session does not', async () => {
    const first = await start()
    const session = (await greet(first, mac(CODE, 'id'), CODE)) ?? ''
    const { id, key } = JSON.parse((await first.ask('/api/keys', bearer(session), 'POST')).body) as { id: string; key: string }
    const second = await start()
    expect((await second.ask('/api/state', bearer(session))).status).toBe(401)
    expect((await second.ask('/api/state', bearer((await greet(second, id, key)) ?? ''))).status).toBe(200)
  })

  test('a tool gets new codes, for five minutes; a tab gets none', async () => {
    const started = await start()
    const { code } = JSON.parse((await started.ask('/api/codes', bearer(TOKEN), 'POST')).body) as { code: string }
    const { code: late } = JSON.parse((await started.ask('/api/codes', bearer(TOKEN), 'POST')).body) as { code: string }
    const session = (await greet(started, mac(code, 'id'), code)) ?? ''
    expect((await started.ask('/api/codes', bearer(session), 'POST')).status).toBe(401)
    expect((await started.ask('/api/codes', {}, 'POST')).status).toBe(401)
    clock.advance(5 * 60_000)
    expect(await greet(started, mac(late, 'id'), late)).toBeUndefined()
  })

  test.each([
    ['an unknown code', `id=${'x'.repeat(43)}&challenge=${CHALLENGE}`],
    ['no challenge', `id=${mac(CODE, 'id')}`],
    ['a challenge of another length', `id=${mac(CODE, 'id')}&challenge=short`],
    ['nothing', ''],
  ])('a greeting with %s is refused, and uses no code up', async (_, query) => {
    const started = await start()
    expect((await started.ask(`/api/greeting?${query}`, {}, 'POST')).status).toBe(401)
    expect(await greet(started, mac(CODE, 'id'), CODE)).toBeDefined()
  })

  test('who made a key up gets a proof that says nothing, and no session', async () => {
    const { ask } = await start()
    const { body } = await ask(`/api/greeting?id=${'m'.repeat(22)}&challenge=${CHALLENGE}`, {}, 'POST')
    const { nonce, proof } = JSON.parse(body) as { nonce: string; proof: string }
    for (const guess of [nonce, proof, mac('', 'tab', CHALLENGE, nonce)]) expect((await ask('/api/state', bearer(guess))).status).toBe(401)
  })

  test('another user of the machine gets no greeting', async () => {
    const { ask } = await start(undefined, peersOf('another-user'))
    expect((await ask(`/api/greeting?id=${mac(CODE, 'id')}&challenge=${CHALLENGE}`, {}, 'POST')).status).toBe(403)
  })

  test('a page of another site gets no greeting', async () => {
    const { ask } = await start()
    const path = `/api/greeting?id=${mac(CODE, 'id')}&challenge=${CHALLENGE}`
    expect((await ask(path, { origin: 'https://evil.example' }, 'POST')).status).toBe(403)
    expect((await ask(path, {}, 'GET')).status).toBe(405)
  })

  test('pictures are for who is admitted', async () => {
    const { ask } = await start()
    expect((await ask(`/api/images/${IMAGE}`)).status).toBe(401)
    const { headers, body } = await ask(`/api/images/${IMAGE}`, bearer(TOKEN))
    expect([headers['content-type'], body]).toEqual(['image/png', 'png'])
    expect((await ask(`/api/images/${'b'.repeat(32)}`, bearer(TOKEN))).status).toBe(404)
  })
})
