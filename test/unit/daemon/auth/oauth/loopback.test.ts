import { once } from 'node:events'
import { get, request } from 'node:http'
import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { openSignIn, type SignIn } from '#daemon/src/auth/oauth/loopback.ts'
import type { PeerOwner } from '#daemon/src/loopback/tcp-peer.ts'
import { FakeClock } from '#test/support/fake-clock.ts'

const clock = new FakeClock()

const open: SignIn[] = []
let owner: PeerOwner = 'this-user'
afterEach(async () => {
  owner = 'this-user'
  await Promise.all(open.splice(0).map((listener) => listener.close()))
  expect(clock.pending).toBe(0)
})

const PLATFORM = 'https://platform.example/authorize?state=the-state&rpc_token=planted'

async function opening(state: string | undefined = 'the-state') {
  const listener = await openSignIn({ state, clock, peers: { areKnown: true, ownerOf: async () => owner } })
  open.push(listener)
  return { ...listener, go: listener.entryUrlFor(new URL(PLATFORM)).href }
}

/** One whose address a browser has opened. */
async function listening() {
  const listener = await opening()
  cookie = cookieOf(await show(listener.go))
  return listener
}

const cookieOf = ({ headers }: Shown): string => String(headers['set-cookie']).split(';')[0] ?? ''
/** Of the browser. */
let cookie = ''

interface Shown {
  readonly status: number | undefined
  readonly text: string
  readonly headers: Record<string, unknown>
}

const show = (url: string, options: { readonly method?: string; readonly host?: string; readonly cookie?: string } = {}): Promise<Shown> =>
  new Promise((resolve, reject) => {
    const headers = { cookie: options.cookie ?? cookie, ...(options.host === undefined ? {} : { host: options.host }) }
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

describe('the address that is opened', () => {
  it('redirects to the page of the platform, reveals nothing of it, and sets a cookie for the callback only', async () => {
    const { go } = await opening()
    expect(go).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/go\/[\w-]{43}$/)
    const { status, text, headers } = await show(go)
    expect([status, text]).toEqual([302, ''])
    expect(headers).toMatchObject({ location: PLATFORM, 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' })
    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(/^sign-in-[0-9a-f]{16}=[\w-]{43}; Path=\/callback; Max-Age=300; HttpOnly; SameSite=Lax$/),
    ])
  })

  it('is another one each time, and so is the cookie', async () => {
    const [one, two] = await Promise.all([opening(), opening()])
    expect(new URL(one.go).pathname).not.toBe(new URL(two.go).pathname)
    const [first, second] = [cookieOf(await show(one.go)), cookieOf(await show(two.go))]
    expect(first.split('=')[0]).not.toBe(second.split('=')[0])
    expect(first.split('=')[1]).not.toBe(second.split('=')[1])
  })

  it('is not guessed, not taken by another name, and can only be opened', async () => {
    const { go } = await opening()
    for (const wrong of [`${go}x`, go.slice(0, -1), go.replace(/.$/, '_'), go.replace(/go\/.*/, 'go/'), `${go}/`])
      expect((await show(wrong)).headers).not.toHaveProperty('location')
    expect((await show(go, { host: 'evil.example' })).status).toBe(404)
    for (const method of ['POST', 'HEAD']) expect((await show(go, { method })).status).toBe(405)
  })

  it('works in a second browser of the user, and either may answer', async () => {
    const { go, redirectUri, redirect } = await opening()
    const [first, second] = [await show(go), await show(go)]
    expect(second.headers['location']).toBe(PLATFORM)
    expect(cookieOf(first)).toBe(cookieOf(second))
    expect((await show(`${redirectUri}?code=a&state=the-state`, { cookie: cookieOf(first) })).status).toBe(200)
    expect(await redirect).toMatchObject({ kind: 'code' })
    expect((await show(go)).status).toBe(404)
  })

  it('leads another user of the machine nowhere, and the user may still come', async () => {
    const { go } = await opening()
    owner = 'another-user'
    const theirs = await show(go)
    expect([theirs.status, theirs.headers['location'], theirs.headers['set-cookie']]).toEqual([403, undefined, undefined])
    owner = 'this-user'
    expect((await show(go)).status).toBe(302)
  })

  it('works once where visitors are unknown, and a second visit ends the sign-in', async () => {
    owner = 'unknown'
    const { go, redirectUri, redirect } = await opening()
    const first = await show(go)
    expect(first.status).toBe(302)
    const ended = expect(redirect).rejects.toMatchObject({ error: 'TRANSACTION_ABORTED' })
    const second = await show(go)
    expect([second.status, second.headers['location']]).toEqual([410, undefined])
    expect(second.text).toContain('start signing in again')
    await ended
    expect((await show(`${redirectUri}?code=a&state=the-state`, { cookie: cookieOf(first) })).status).toBe(404)
  })

  it('takes no answer when the answer comes by another way', async () => {
    const listener = await openSignIn({ state: undefined, clock, peers: { areKnown: true, ownerOf: async () => owner } })
    open.push(listener)
    const led = await show(listener.entryUrlFor(new URL(PLATFORM)).href)
    expect(led.status).toBe(302)
    expect((await show(`${listener.redirectUri}?code=a&state=`, { cookie: cookieOf(led) })).status).toBe(404)
  })
})

describe('the answer', () => {
  it.each([
    ['no cookie', ''],
    ['a cookie of another sign-in', 'sign-in-0011223344556677=AAAA'],
    ['the name and nothing more', 'NAME='],
    ['a value that is cut off', 'CUT'],
    ['a value that is longer', 'WHOLEx'],
  ])('with the right state and %s is refused, and the right one is still taken', async (_what, given) => {
    const listener = await listening()
    const wrong = given
      .replace('NAME', cookie.split('=')[0] ?? '')
      .replace('CUT', cookie.slice(0, -1))
      .replace('WHOLE', cookie)
    const theirs = await show(`${listener.redirectUri}?code=theirs&state=the-state`, { cookie: wrong })
    expect([theirs.status, theirs.text]).toEqual([400, expect.stringContaining('another browser') as string])
    // A denial, too, is only taken from the browser that was led to the page.
    expect((await show(`${listener.redirectUri}?error=access_denied&state=the-state`, { cookie: wrong })).status).toBe(400)
    expect((await show(`${listener.redirectUri}?code=right&state=the-state`, { cookie: `a=b; ${cookie};c=d` })).status).toBe(200)
    const redirect = await listener.redirect
    expect(redirect.kind === 'code' && redirect.code.reveal()).toBe('right')
  })

  it('of another user is refused, and the right one is still accepted', async () => {
    const listener = await listening()
    owner = 'another-user'
    expect((await show(`${listener.redirectUri}?code=theirs&state=the-state`)).status).toBe(403)
    owner = 'this-user'
    expect((await show(`${listener.redirectUri}?code=right&state=the-state`)).status).toBe(200)
    const redirect = await listener.redirect
    expect(redirect.kind === 'code' && redirect.code.reveal()).toBe('right')
  })

  it('resolves with the code, sends the browser back to the game, and is gone when closed', async () => {
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
