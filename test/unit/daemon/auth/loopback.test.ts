import { once } from 'node:events'
import { get, request } from 'node:http'
import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { listenForRedirect } from '../../../../daemon/src/auth/loopback.ts'
import type { RedirectListener } from '../../../../daemon/src/auth/redirect.ts'
import { FakeClock } from '../../../support/fake-clock.ts'

const clock = new FakeClock()

const open: RedirectListener[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((listener) => listener.close()))
  expect(clock.pending).toBe(0)
})

async function listening(state = 'the-state'): Promise<RedirectListener> {
  const listener = await listenForRedirect(state, clock)
  open.push(listener)
  return listener
}

interface Shown {
  readonly status: number | undefined
  readonly text: string
  readonly headers: Record<string, unknown>
}

const show = (url: string, options: { readonly method?: string; readonly host?: string } = {}): Promise<Shown> =>
  new Promise((resolve, reject) => {
    const headers = options.host === undefined ? {} : { host: options.host }
    const sent = request(url, { method: options.method ?? 'GET', headers, agent: false }, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.on('end', () => resolve({ status: response.statusCode, text, headers: response.headers }))
    })
    sent.on('error', reject).end()
  })

const isReachable = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    get(url, { agent: false }, (response) => {
      response.resume()
      resolve(true)
    }).on('error', () => resolve(false))
  })

describe('listenForRedirect', () => {
  it('gives the code, tells the browser to go back to the game, and is gone when closed', async () => {
    const listener = await listening()
    expect(listener.redirectUri).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/)
    const page = await show(`${listener.redirectUri}?code=the%2Bcode&state=the-state`)
    expect(page.status).toBe(200)
    expect(page.text).toContain('go back to the game')
    expect(page.text).not.toContain('the+code')
    expect(page.headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'cache-control': 'no-store', connection: 'close' })
    const redirect = await listener.redirect
    expect(redirect.kind === 'code' && redirect.code.reveal()).toBe('the+code')
    expect(JSON.stringify(redirect)).not.toContain('the+code')
    await listener.close()
    expect(await isReachable(listener.redirectUri)).toBe(false)
  })

  it('gives the error and its description', async () => {
    const listener = await listening()
    const page = await show(`${listener.redirectUri}?error=access_denied&error_description=No+way&state=the-state`)
    expect(page.text).toContain('not signed in')
    expect(await listener.redirect).toEqual({ kind: 'error', error: 'access_denied', description: 'No way' })
  })

  it('refuses what is not the redirect, and goes on waiting', async () => {
    const listener = await listening()
    const { origin } = new URL(listener.redirectUri)
    expect((await show(`${origin}/`)).status).toBe(404)
    expect((await show(`${origin}/favicon.ico`)).status).toBe(404)
    expect((await show(`${origin}/callback/?code=a&state=the-state`)).status).toBe(404)
    expect((await show(`${listener.redirectUri}?code=a&state=the-state`, { method: 'POST' })).status).toBe(405)
    expect((await show(`${listener.redirectUri}?code=a&state=the-state`, { host: 'evil.example' })).status).toBe(404)
    expect((await show(`${listener.redirectUri}?code=a`)).status).toBe(400)
    expect((await show(`${listener.redirectUri}?code=a&state=other`)).status).toBe(400)
    expect((await show(`${listener.redirectUri}?error=access_denied&state=the-statf`)).status).toBe(400)
    expect((await show(`${listener.redirectUri}?state=the-state`)).status).toBe(400)
    expect((await show(`${listener.redirectUri}?code=&state=the-state`)).status).toBe(400)
    expect((await show(`${listener.redirectUri}?code=a&code=b&state=the-state`)).status).toBe(400)
    await show(`${listener.redirectUri}?code=right&state=the-state`)
    const redirect = await listener.redirect
    expect(redirect.kind === 'code' && redirect.code.reveal()).toBe('right')
  })

  it('serves one answer only', async () => {
    const listener = await listening()
    await show(`${listener.redirectUri}?code=first&state=the-state`)
    expect((await show(`${listener.redirectUri}?code=second&state=the-state`)).status).toBe(404)
    const redirect = await listener.redirect
    expect(redirect.kind === 'code' && redirect.code.reveal()).toBe('first')
  })

  it('closes while browsers hold connections open that say nothing or half of something', async () => {
    const listener = await listening()
    const port = Number(new URL(listener.redirectUri).port)
    const ended = ['', 'GET /callback?code=a HTTP/1.1\r\nHo'].map(
      (bytes) =>
        new Promise<void>((done) => {
          const socket = connect(port, '127.0.0.1', () => socket.write(bytes || '\r\n'))
          socket.on('error', () => {}).on('close', () => done())
          socket.resume()
        }),
    )
    // A whole exchange, so that both connections have surely been taken before the end.
    expect((await show(`http://127.0.0.1:${port}/`)).status).toBe(404)
    await listener.close()
    await Promise.all(ended)
    expect(await isReachable(listener.redirectUri)).toBe(false)
  })

  it('is reached among crowds of connections that say nothing', async () => {
    const listener = await listening()
    const port = Number(new URL(listener.redirectUri).port)
    const crowd = Array.from({ length: 100 }, () => connect(port, '127.0.0.1').on('error', () => {}))
    await Promise.all(crowd.map((silent) => once(silent, 'connect')))
    expect((await show(`${listener.redirectUri}?code=a&state=the-state`)).status).toBe(200)
    expect(await listener.redirect).toMatchObject({ kind: 'code' })
    for (const silent of crowd) silent.destroy()
  })

  it('takes a port of its own each time', async () => {
    const [one, two] = await Promise.all([listening(), listening()])
    expect(one.redirectUri).not.toBe(two.redirectUri)
  })
})
