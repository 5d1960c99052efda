/** What the dashboard's server takes from the form of a call, and what it returns. */
import { gunzipSync } from 'node:zlib'
import { COMMANDS, EVENTS } from '@sallyport/protocol'
import { afterEach, describe, expect, test } from 'vitest'
import type { SandboxControls } from '#daemon/src/operator/dashboard/sandbox-control.ts'
import { bearer, clock, closers, start, startWithTab, TOKEN } from './served.ts'

afterEach(async () => {
  for (const close of closers.splice(0)) await close()
  expect(clock.pending).toBe(0)
})

describe('the form of a call', () => {
  const CALL = { command: 'GET_GUILD', args: { guild_id: '1' } }
  const send = async (body: string, headers?: Record<string, string>) => {
    const { ask, session, made } = await startWithTab()
    const { status, body: text } = await ask('/api/calls', headers ?? bearer(session), 'POST', body)
    return { status, text, made }
  }

  test('is made for a tab, and returns only what became of it', async () => {
    const { status, text, made } = await send(JSON.stringify({ ...CALL, application: '42', confirmed: 'GET_GUILD' }))
    expect([status, JSON.parse(text)]).toEqual([200, { id: 'c1-1' }])
    expect(made).toEqual([{ command: 'GET_GUILD', event: undefined, application: '42', confirmed: 'GET_GUILD', args: { guild_id: '1' } }])
  })

  test.each([
    ['no JSON', 'x'],
    ['no command', '{"args":{}}'],
    ['a command that may be a secret', JSON.stringify({ ...CALL, command: 'mfa.abcdef' })],
    ['an event that may be a secret', JSON.stringify({ ...CALL, event: 'eyJhbGciOi' })],
    ['arguments in a list', JSON.stringify({ ...CALL, args: [] })],
    ['an application that is no id', JSON.stringify({ ...CALL, application: 'x' })],
    ['too large', JSON.stringify({ ...CALL, args: { text: 'x'.repeat(70_000) } })],
  ])('is refused: %s', async (_, body) => {
    const { status, made } = await send(body)
    expect([status, made]).toEqual([400, []])
  })

  test('is for tabs alone', async () => {
    expect(await send(JSON.stringify(CALL), {})).toMatchObject({ status: 401, made: [] })
    expect(await send(JSON.stringify(CALL), bearer(TOKEN))).toMatchObject({ status: 401, made: [] })
  })

  test('gets the tables, compressed', async () => {
    const { ask } = await start()
    const { status, headers, bytes } = await ask('/api/protocol', bearer(TOKEN))
    expect([status, headers['content-encoding']]).toEqual([200, 'gzip'])
    expect(bytes.length).toBeLessThan(40 * 1024)
    const { commands, events } = JSON.parse(gunzipSync(bytes).toString()) as Record<'commands' | 'events', { name: string }[]>
    expect([commands.map(({ name }) => name).toSorted(), events.map(({ name }) => name).toSorted()]).toEqual([
      Object.keys(COMMANDS).toSorted(),
      Object.keys(EVENTS).toSorted(),
    ])
  })
})

describe('a control of the sandbox', () => {
  const CONTROLS: SandboxControls = {
    rows: [{ method: 'POST', path: '/sandbox/events', does: 'sends an event' }],
    events: ['MESSAGE_CREATE'],
    send: async (method, path, body) =>
      path === '/sandbox/events' ? { status: 200, body: JSON.stringify({ method, body, join: 'planted-secret' }) } : undefined,
  }
  const send = async (body: object, controls: SandboxControls | undefined = CONTROLS) => {
    const { ask, session } = await startWithTab(controls)
    return ask('/api/sandbox/controls', bearer(session), 'POST', JSON.stringify(body))
  }

  test('is listed and sent, and its answer has no secrets', async () => {
    const { ask, session } = await startWithTab(CONTROLS)
    expect(JSON.parse((await ask('/api/sandbox', bearer(session))).body)).toEqual({ rows: CONTROLS.rows, events: CONTROLS.events })
    const { body } = await send({ method: 'POST', path: '/sandbox/events', body: '{}' })
    expect(JSON.parse(body)).toEqual({ status: 200, answer: { method: 'POST', body: '{}', join: '[redacted]' } })
  })

  test('that does not exist, and one of another platform, is refused', async () => {
    expect((await send({ method: 'POST', path: '/oauth2/token', body: '{}' })).status).toBe(404)
    expect((await send({ method: 'POST', path: '/sandbox/events' })).status).toBe(404)
    const { ask, session } = await startWithTab()
    expect((await ask('/api/sandbox', bearer(session))).status).toBe(404)
    expect((await ask('/api/sandbox/controls', bearer(TOKEN), 'POST', '{}')).status).toBe(401)
  })
})
