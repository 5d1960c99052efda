import { describe, expect, it } from 'vitest'
import { autoAllow } from '#daemon/src/auth/pages/auto-allow.ts'
import type { WebReply } from '#daemon/src/auth/oauth/web.ts'
import type { PageRequester } from '#daemon/src/auth/auth.ts'
import { REQUESTER } from '#test/support/requester.ts'

const REDIRECT = 'http://127.0.0.1:5/callback'
const url = (base = 'http://127.0.0.1:4/oauth2/authorize') => new URL(`${base}?redirect_uri=${encodeURIComponent(REDIRECT)}`)
const never = new AbortController().signal

const GO = 'http://127.0.0.1:5/go/nonce'
const COOKIE = 'sign-in-1=secret'

function surface(pages: Record<string, { status: number; location?: string; body?: string } | Error>) {
  const visited: string[] = []
  const cookies: (string | undefined)[] = []
  let leadsTo = ''
  const delivered: string[] = []
  const { open } = autoAllow({
    deliver: (address) => delivered.push(address.reveal()),
    async send({ url: address, headers: { cookie } }): Promise<WebReply> {
      if (address === GO) return { status: 302, headers: { location: leadsTo, 'set-cookie': `${COOKIE}; Path=/callback` }, body: '' }
      visited.push(address)
      cookies.push(cookie)
      const page = pages[address.split('?')[0] ?? '']
      if (page === undefined || page instanceof Error) throw page ?? new Error('nothing there')
      return { status: page.status, headers: page.location === undefined ? {} : { location: page.location }, body: page.body ?? '' }
    },
  })
  const openAt = (authorizeUrl: URL, signal: AbortSignal, who: PageRequester) => {
    leadsTo = authorizeUrl.href
    return open(new URL(GO), signal, who)
  }
  return { open: openAt, visited, cookies, delivered }
}

describe('autoAllow', () => {
  it('follows the platform to the redirect and goes there', async () => {
    const { open, visited, cookies } = surface({
      'http://127.0.0.1:4/oauth2/authorize': { status: 302, location: '/allow' },
      'http://127.0.0.1:4/allow': { status: 303, location: `${REDIRECT}?code=c&state=s` },
      [REDIRECT]: { status: 200 },
    })
    await open(url(), never, REQUESTER)
    expect(visited).toEqual([url().href, 'http://127.0.0.1:4/allow', `${REDIRECT}?code=c&state=s`])
    expect(cookies).toEqual([undefined, undefined, COOKIE])
  })

  it('delivers a redirect to a custom scheme, which no server can be asked for, and only the one asked for', async () => {
    const scheme = 'mygame:/authorize/callback'
    const asked = new URL(`http://127.0.0.1:4/oauth2/authorize?redirect_uri=${encodeURIComponent(scheme)}`)
    const good = surface({ 'http://127.0.0.1:4/oauth2/authorize': { status: 302, location: `${scheme}?code=c&state=s` } })
    await good.open(asked, never, REQUESTER)
    expect([good.delivered, good.visited]).toEqual([[`${scheme}?code=c&state=s`], [asked.href]])
    const other = surface({ 'http://127.0.0.1:4/oauth2/authorize': { status: 302, location: 'other:/authorize/callback?code=c' } })
    await expect(other.open(asked, never, REQUESTER)).rejects.toThrow(/another host/)
    expect(other.delivered).toEqual([])
  })

  it.each([
    ['needs a user', { status: 200 }],
    ['needs a user', { status: 302 }],
    ['The platform answered 503 to its authorization page; try again later.', { status: 503 }],
    ['another host', { status: 302, location: 'http://evil.example/' }],
    ['another host', { status: 302, location: 'http://127.0.0.1:5/other' }],
    ['without end', { status: 302, location: '/oauth2/authorize' }],
    ['cannot be reached', new Error('down')],
  ])('says that the page %s', async (words, page) => {
    const { open } = surface({ 'http://127.0.0.1:4/oauth2/authorize': page })
    await expect(open(url(), never, REQUESTER)).rejects.toMatchObject({
      error: 'SERVICE_UNAVAILABLE',
      message: expect.stringContaining(words) as string,
    })
  })

  it.each([
    ['a redirect that is not registered', '<p>Invalid OAuth2 redirect_uri</p>', /Invalid OAuth2 redirect_uri: register the redirect/],
    ['anything else', '<p>Select one of the users.</p>', /invalid_request/],
  ])('says that the page refuses %s', async (_, body, words) => {
    const { open } = surface({ 'http://127.0.0.1:4/oauth2/authorize': { status: 400, body } })
    await expect(open(url(), never, REQUESTER)).rejects.toMatchObject({
      error: 'OAUTH2_ERROR',
      message: expect.stringMatching(words) as string,
    })
  })

  it('allows nothing on a platform that is not on this machine', async () => {
    const { open, visited } = surface({})
    await expect(open(url('https://platform.example/oauth2/authorize'), never, REQUESTER)).rejects.toMatchObject({
      error: 'SERVICE_UNAVAILABLE',
    })
    expect(visited).toEqual([])
  })
})
