/** A sign-in belongs to the user and the browser that it was opened for. Another user of the machine cannot read, open or deliver it. */
import { BUDGETS } from '@sallyport/core/budgets'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createPkce, type SallyportClient } from '@sallyport/client'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { setApplication, withScheme } from './support/application-settings.ts'
import { stateOf } from './support/bridge-state.ts'
import { asAnotherUser, hasAnotherUser, NO_OTHER_USER, startAsAnotherUser } from './support/another-user.ts'
import { executablePath, NO_BROWSER, type OpenBrowser, openBrowser } from './support/browser.ts'
import { connectedGame } from './support/connected-game.ts'
import { type Daemon, type Folders, folders, startDaemon, startDaemonForPages, SMOKE_TARGETS, websocketOf } from './support/daemon.ts'
import { OpenedBrowser } from './support/opened-browser.ts'
import { Person } from './support/person.ts'
import { APPLICATION, rpcToken } from './support/secret-uses.ts'

/** Of the person whom the other user would have the game play as. */
const PLANTED = 'CODE-OF-ANOTHER-ACCOUNT'
const REFUSED = { status: 403, location: null, cookie: null }

describe.each(SMOKE_TARGETS)('$name', (target) => {
  describe.skipIf(process.platform !== 'linux')('a sign-in in the browser', () => {
    let at: Folders
    let daemon: Daemon
    let opened: OpenedBrowser
    let person: Person
    let game: SallyportClient

    beforeAll(async () => {
      at = await folders()
      opened = new OpenedBrowser(at.base)
      await allowOnce()
      daemon = await startDaemon(target, at, ['--consent', 'prompt'], { PATH: opened.path })
      person = new Person(daemon)
      await setApplication(daemon.origin, APPLICATION, withScheme(APPLICATION, 'harbourgame'))
      game = await connectedGame({ applicationId: APPLICATION, runtimeDir: at.runtime })
    })
    /** This program is known from then on, so nothing is asked but on the page. */
    const allowOnce = async () => {
      const first = await startDaemon(target, at)
      const known = await connectedGame({ applicationId: APPLICATION, runtimeDir: at.runtime })
      const { verifier, challenge, method } = createPkce()
      const { code, redirect_uri = '' } = await known.call('AUTHORIZE', {
        scopes: ['identify'],
        code_challenge: challenge,
        code_challenge_method: method,
      })
      await known.call('GET_TOKEN', { code, code_verifier: verifier, redirect_uri })
      await known.close()
      await first.stop()
    }
    // What a test that failed has left open would make all others fail.
    afterEach(() => game.call('ABORT_AUTHORIZE'))
    afterAll(async () => {
      await game.close()
      opened.end()
      await daemon.stop()
      await at.remove()
    })

    type AuthorizeArgs = Parameters<typeof SallyportClient.prototype.call<'AUTHORIZE'>>[1]
    const ask = async (args: AuthorizeArgs = {}) => {
      const { verifier, challenge, method } = createPkce()
      const asked = game.call('AUTHORIZE', {
        scopes: ['identify'],
        prompt: 'consent',
        code_challenge: challenge,
        code_challenge_method: method,
        ...args,
      })
      return { asked, verifier, challenge, address: await opened.next() }
    }

    test('the browser, the terminal and the dashboard get the same address, which contains nothing of the page', async () => {
      const { asked, challenge, address } = await ask({ state: 'chosen-by-the-game' })
      expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/go\/[\w-]{43}$/)
      const page = await person.nextPage()
      await expect.poll(daemon.output).toContain(address)
      const dashboard = new URL(daemon.ready.dashboard ?? '')
      const headers = { Authorization: `Bearer ${dashboard.hash.replace('#token=', '')}` }
      expect(await (await fetch(new URL('/api/state', dashboard), { headers })).text()).toContain(address)
      expect(page).toContain(challenge)
      for (const part of [challenge, 'chosen-by-the-game']) expect(daemon.output()).not.toContain(part)
      await person.visit(await person.decide(page, 'allow'))
      expect(await asked).toMatchObject({ state: 'chosen-by-the-game' })
    })

    describe.skipIf(!hasAnotherUser)(`with another user of the machine (skipped elsewhere: ${NO_OTHER_USER})`, () => {
      test('command lines contain neither state nor challenge nor rpc_token', async () => {
        const token = await rpcToken(daemon)
        const { asked, challenge, address } = await ask({ rpc_token: token })
        const seen = (await asAnotherUser('processes')) as readonly string[]
        // It is read indeed, so the rest would be found there as well.
        expect(seen.filter((text) => text.includes(address))).not.toEqual([])
        const page = await person.nextPage()
        const state = new URL(page).searchParams.get('state') ?? ''
        expect([state.length, page.includes(token), page.includes(challenge)]).toEqual([43, true, true])
        const everything = [...seen, ...((await asAnotherUser('processes')) as readonly string[])].join('\n')
        for (const part of [state, challenge, token]) expect(everything).not.toContain(part)
        await person.visit(await person.redirectOf(page))
        expect((await asked).code).toMatch(/.+/)
      })

      test('another user who opens the address first gets no redirect, and the user can still sign in', async () => {
        const { asked, verifier, address } = await ask()
        expect(await asAnotherUser('get', address)).toEqual(REFUSED)
        const page = await person.nextPage()
        expect(await asAnotherUser('get', address)).toEqual(REFUSED)
        const redirect = await person.decide(page, 'allow')
        await person.visit(redirect)
        const { code, redirect_uri = '' } = await asked
        expect(code).toBe(new URL(redirect).searchParams.get('code'))
        await game.call('GET_TOKEN', { code, code_verifier: verifier, redirect_uri })
        expect((await game.call('AUTHENTICATE', {})).user.username).toBe('ada')
      })

      test('another user who opens the address of a sign-in with a custom scheme gets no redirect either', async () => {
        const { asked, address } = await ask({ custom_scheme: 'harbourgame' })
        expect(await asAnotherUser('get', address)).toEqual(REFUSED)
        expect(await person.nextPage()).toContain('redirect_uri=harbourgame')
        const given = expect(asked).rejects.toMatchObject({ code: 1002 })
        await game.call('ABORT_AUTHORIZE')
        await given
      })

      test('a foreign code is refused, even with state and cookie, and the user can still sign in', async () => {
        const { asked, address } = await ask()
        const page = await person.nextPage()
        const cookie = (await fetch(address, { redirect: 'manual' })).headers.get('set-cookie')?.split(';')[0] ?? ''
        const redirect = new URL(await person.decide(page, 'allow'))
        const planted = new URL(redirect)
        planted.searchParams.set('code', PLANTED)
        const failed = new URL(redirect.origin + redirect.pathname)
        failed.search = new URLSearchParams({ error: 'access_denied', state: redirect.searchParams.get('state') ?? '' }).toString()
        for (const url of [planted, redirect, failed]) {
          expect(await asAnotherUser('get', url.href)).toMatchObject({ status: 400 })
          expect(await asAnotherUser('get', url.href, JSON.stringify({ cookie }))).toMatchObject({ status: 403 })
        }
        await person.visit(redirect.href)
        expect((await asked).code).toBe(redirect.searchParams.get('code'))
      })
    })

    test('a program that knows the state without a redirect to the page delivers nothing', async () => {
      const { asked } = await ask()
      const redirect = await person.decide(await person.nextPage(), 'allow')
      expect((await fetch(redirect.replace(/code=[^&]*/, `code=${PLANTED}`))).status).toBe(400)
      await person.visit(redirect)
      expect((await asked).code).toBe(new URL(redirect).searchParams.get('code'))
    })

    test('a second browser of the user may open the address as well, and answer', async () => {
      const { asked, address } = await ask()
      const [first, second] = [await person.nextPage(), await fetch(address, { redirect: 'manual' })]
      expect(second.headers.get('location')).toBe(first)
      await person.visit(await person.decide(first, 'allow'))
      expect((await asked).code).toMatch(/.+/)
    })
  })

  describe.skipIf(process.platform === 'win32')('a platform of another site, in a real browser', () => {
    let at: Folders
    let daemon: Daemon
    let site: Server
    let browser: OpenBrowser
    let game: SallyportClient

    /** Its page leads back by a link, or by the redirect that follows a form. */
    const serve = (url: URL, response: ServerResponse) => {
      const back = new URL(url.searchParams.get('redirect_uri') ?? url.origin)
      back.search = new URLSearchParams({ code: 'of-the-site', state: url.searchParams.get('state') ?? '' }).toString()
      if (url.pathname === '/allow') return response.writeHead(303, { location: back.href }).end()
      const link = `<a href="${back.href.replaceAll('&', '&amp;')}">By a link</a>`
      const form = `<form method="post" action="/allow${url.search.replaceAll('&', '&amp;')}"><button>By a form</button></form>`
      return response.setHeader('Content-Type', 'text/html').end(`<title>Another site</title>${link}${form}`)
    }

    beforeAll(async () => {
      if (executablePath === undefined) return
      browser = await openBrowser()
      site = createServer((request, response) => serve(new URL(request.url ?? '', 'http://localhost'), response)).listen(0, '127.0.0.1')
      await once(site, 'listening')
      at = await folders()
      // To browsers, another site than 127.0.0.1.
      const origin = `http://localhost:${(site.address() as AddressInfo).port}`
      const profile = join(at.base, 'elsewhere.json')
      writeFileSync(
        profile,
        JSON.stringify({
          name: 'elsewhere',
          ipcPrefix: 'discord-ipc',
          baseUrl: `${origin}/api`,
          authorizeUrl: `${origin}/authorize`,
          tokenUrl: `${origin}/token`,
          revokeUrl: `${origin}/revoke`,
          cdnHost: 'localhost',
          activityProxyHost: 'localhost',
          userAgent: 'tests',
          customSchemePrefix: 'elsewhere',
        }),
      )
      daemon = await startDaemon(target, at, ['--platform', profile, '--consent', 'prompt'], { PATH: '/nonexistent' })
      game = await connectedGame({ applicationId: APPLICATION, runtimeDir: at.runtime })
    })
    afterAll(async () => {
      if (executablePath === undefined) return
      await game.close()
      await browser.close()
      await daemon.stop()
      site.close()
      await at.remove()
    })
    beforeEach((context) => context.skip(executablePath === undefined, NO_BROWSER))

    test.each(['By a link', 'By a form'])('the browser brings the cookie back: %s', async (way) => {
      const named = daemon.output().length
      const asked = game.call('AUTHORIZE', { scopes: ['identify'], prompt: 'consent' })
      const person = new Person(daemon)
      const address = async () => {
        for (const prompt of await person.prompts()) await person.answer(prompt, 'allow')
        return /go to (http:\S+)/.exec(daemon.output().slice(named))?.[1] ?? ''
      }
      await expect.poll(address).not.toBe('')
      const page = await browser.newPage()
      await page.goto(await address())
      expect([new URL(page.url()).hostname, await page.title()]).toEqual(['localhost', 'Another site'])
      await page.getByText(way).click()
      await page.waitForURL(/127\.0\.0\.1:\d+\/callback/)
      expect(await page.locator('h1').innerText()).toBe('You are signed in')
      expect((await asked).code).toBe('of-the-site')
    })
  })

  describe.skipIf(!hasAnotherUser)(`websockets and dashboard (skipped elsewhere: ${NO_OTHER_USER})`, () => {
    let at: Folders
    let daemon: Daemon
    const ends: (() => Promise<void>)[] = []

    beforeAll(async () => {
      at = await folders()
      daemon = await startDaemonForPages(target, at, ['--bridge-port', '0'])
    })
    afterEach(async () => {
      for (const end of ends.splice(0)) await end()
    })
    afterAll(async () => {
      await daemon.stop()
      await at.remove()
    })

    const own = async (address: string): Promise<WebSocket> => {
      const page = new WebSocket(address, { headers: { origin: 'http://127.0.0.1:3000' } })
      await once(page, 'open')
      return page
    }

    test.each([
      ['the websocket transport', () => websocketOf(daemon), `/?v=1&client_id=${APPLICATION}&encoding=json`, BUDGETS.webConnections.value],
      ['the presence websocket', () => daemon.ready.bridge ?? '', '/', BUDGETS.presenceFeedConnections.value],
    ])('%s: pages that another user makes up are closed, and keep no page of the user out', async (_what, address, path, most) => {
      const stays = await own(`${address()}${path}`)
      const program = startAsAnotherUser('pages', new URL(address()).port, String(most), path)
      ends.push(() => program.end())
      const findings = (await program.findings) as readonly string[]
      expect(findings).toHaveLength(most)
      expect(new Set(findings)).toEqual(new Set([expect.stringMatching(/^4001 .*another user of this machine/) as string]))
      // All of them are held open still.
      const comes = await own(`${address()}${path}`)
      for (const page of [stays, comes]) {
        expect(page.readyState).toBe(WebSocket.OPEN)
        page.terminate()
      }
    })

    test('the dashboard answers its user alone, even when its address became known', async () => {
      const dashboard = new URL(daemon.ready.dashboard ?? '')
      const headers = { authorization: `Bearer ${dashboard.hash.replace('#token=', '')}` }
      const state = new URL('/api/state', dashboard).href
      expect(await asAnotherUser('get', state, JSON.stringify(headers))).toMatchObject({ status: 403 })
      expect((await fetch(state, { headers })).status).toBe(200)
    })

    test('the status shows that connections are checked', async () => {
      expect(await stateOf(daemon)).toMatchObject({ web_users_checked: true })
    })
  })
})
