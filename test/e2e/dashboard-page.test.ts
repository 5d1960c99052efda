/** Tests the dashboard's page in a real browser with a state from the test: hostile names, long lists, clicks, and a daemon that restarts. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { systemClock } from '@sallyport/core/clock'
import { silentLogger } from '@sallyport/core/logger'
import type { Closer } from '@sallyport/core/closer'
import { holdPort } from '@sallyport/core/net/held-port'
import { dashboardUrl } from '@sallyport/core/storage/dashboard-address'
import { Secret } from '@sallyport/core/secret'
import { serveDashboard } from '#daemon/src/admin/server.ts'
import type { DashboardPrompt, DashboardSession, DashboardSnapshot } from '#daemon/src/admin/snapshot.ts'
import { EMPTY_SNAPSHOT } from '#test/support/dashboard-snapshot.ts'
import { peersOf } from '#test/support/tcp-peers.ts'
import { executablePath, NO_BROWSER, type OpenBrowser, openBrowser } from './support/browser.ts'

const question = (id: string, more: Partial<DashboardPrompt> = {}): DashboardPrompt => ({
  id,
  title: 'A program wants to sign in for a game.',
  lines: [{ label: 'Program', text: `/games/${id}` }],
  askedAt: 0,
  ...more,
})

let browser: OpenBrowser
let state: DashboardSnapshot
const answers: string[] = []
const running: Dashboard[] = []
const pages: Page[] = []
const complaints: string[] = []

beforeAll(async () => {
  if (executablePath !== undefined) browser = await openBrowser()
})
afterAll(async () => {
  if (executablePath !== undefined) await browser.close()
})
beforeEach((context) => {
  context.skip(executablePath === undefined, NO_BROWSER)
  state = EMPTY_SNAPSHOT
  for (const list of [answers, complaints]) list.length = 0
})
afterEach(async () => {
  for (const page of pages.splice(0)) await page.close()
  for (const dashboard of running.splice(0)) await dashboard.close()
  expect(complaints).toEqual([])
})

interface Dashboard {
  readonly url: string
  readonly close: Closer
}

async function serve(text = 'first', port = 0): Promise<Dashboard> {
  const held = await holdPort(port)
  const token = new Secret(text)
  const close = serveDashboard({
    peers: peersOf('this-user'),
    clock: systemClock,
    held,
    token,
    snapshot: async () => state,
    actions: {
      pausePresence: (isPaused) => {
        state = { ...state, presencePaused: isPaused }
      },
      answer: (id, isAllowed) => answers.push(`${id} ${isAllowed}`) > 0,
      revoke: async () => false,
      link: () => false,
      acceptInvite: () => Promise.reject(new Error('refused')),
    },
    log: silentLogger,
  })
  const dashboard = { url: dashboardUrl(held.port, token), close }
  running.push(dashboard)
  return dashboard
}

async function open(url: string): Promise<Page> {
  const page = await browser.newPage()
  pages.push(page)
  page.on('pageerror', (failure) => complaints.push(failure.message))
  page.on('dialog', (dialog) => complaints.push(dialog.message()))
  await page.goto(url)
  return page
}
const words = (page: Page, text: string) => page.locator('#words', { hasText: text }).waitFor()

test('names are shown as plain text, with any content, and change no text direction', async () => {
  const name = '<img src=x onerror=alert(1)>"\'</script><script>alert(2)</script>'
  const turned = '\u202Eemag'
  state = {
    ...EMPTY_SNAPSHOT,
    sessions: [
      { id: '1', applicationId: '42', trust: 'kernel', program: `/opt/${turned}`, user: { id: '1', username: name }, subscriptions: [] },
    ],
    presences: [{ applicationId: '42', type: 0, name, details: name, state: name }],
    accounts: [{ applicationId: '42', userId: '1', username: name, scopes: [name] }],
    grants: [
      {
        id: 'g1',
        applicationId: '42',
        applicationName: name,
        userId: '1',
        username: name,
        program: name,
        basis: 'allowed',
        scopes: [],
        grantedAt: 0,
        lastUsedAt: 0,
      },
    ],
    questions: [
      question('q1', {
        title: name,
        lines: [
          { label: 'Account', text: name },
          { label: 'Program', text: `/opt/${turned}` },
        ],
      }),
    ],
    pages: [{ url: 'javascript:alert(3)', lines: [{ label: 'Program', text: turned }], since: 0 }],
    invites: [
      {
        id: '77',
        applicationId: '42',
        applicationName: name,
        userId: '1',
        from: turned,
        activity: { name, type: 3, details: name, state: turned },
        cover: 'javascript:alert(4)',
      },
    ],
    sources: [{ name, state: 'failing', reason: name }],
    warnings: [name],
  }
  const page = await open((await serve()).url)
  await words(page, 'live')
  expect(await page.locator('img, main script').count()).toBe(0)
  expect(await page.getByRole('link').count()).toBe(0)
  const spelled = String.raw`\u{202e}emag`
  expect(await page.locator('#questions bdi').allInnerTexts()).toEqual([name, `/opt/${spelled}`, spelled, spelled, name])
  expect(await page.locator('#sessions code').nth(1).innerText()).toBe(`/opt/${spelled}`)
})

test('the token leaves the address bar, and a reload of the tab still has it', async () => {
  const page = await open((await serve()).url)
  await words(page, 'live')
  expect(page.url()).not.toContain('first')
  await page.reload()
  await words(page, 'live')
})

test('the page reports a daemon that ended; the address of the next daemon, opened in the same tab, reconnects it', async () => {
  const first = await serve()
  const port = Number(new URL(first.url).port)
  const page = await open(first.url)
  await words(page, 'live')
  await first.close()
  await words(page, 'does not respond')
  const second = await serve('second', port)
  await words(page, 'lacks its token')
  // The same document to the browser, which does not load it anew.
  await page.goto(second.url)
  await words(page, 'live')
  expect(page.url()).not.toContain('second')
})

test('a click is for what stood there for a while, and not for what came under it', async () => {
  state = { ...EMPTY_SNAPSHOT, questions: [question('q1')] }
  const page = await open((await serve()).url)
  const allow = page.getByRole('button', { name: 'Allow' })
  await allow.click()
  await expect.poll(() => answers).toEqual(['q1 true'])
  // All buttons of the place rest after a change, then each decides its own question.
  await page.evaluate(`{
    const place = document.getElementById('questions')
    const note = () => (place.dataset.rested = [...place.querySelectorAll('button')].map(({ disabled }) => disabled).join())
    new MutationObserver(note).observe(place, { childList: true })
  }`)
  state = { ...EMPTY_SNAPSHOT, questions: [question('q0'), question('q2')] }
  await page.locator('#questions[data-rested="true,true,true,true"]').waitFor()
  await page.getByRole('button', { name: 'Deny' }).last().click()
  await expect.poll(() => answers).toEqual(['q1 true', 'q2 false'])
})

test('what did not change is not drawn anew', async () => {
  state = { ...EMPTY_SNAPSHOT, questions: [question('q1')], sandboxOrigin: 'http://127.0.0.1:1' }
  const page = await open((await serve()).url)
  await page.getByRole('button', { name: 'Allow' }).waitFor()
  await page.evaluate(`for (const element of document.querySelectorAll('#questions button, #facts a, #words')) element.dataset.seen = ''`)
  state = { ...state, counters: { calls: 4 } }
  await page.locator('#counters').getByText('4').waitFor()
  expect(await page.locator('[data-seen]').count()).toBe(4)
})

test('a failed action is reported until the next click', async () => {
  state = {
    ...EMPTY_SNAPSHOT,
    invites: [{ id: '77', applicationId: '42', userId: '1', from: 'ada', activity: { type: 0 } }],
    questions: [question('q1')],
  }
  const page = await open((await serve()).url)
  await page.getByRole('button', { name: 'Join' }).click()
  const alert = page.getByRole('alert')
  await alert.getByText('failed to do this').waitFor()
  state = { ...state, counters: { calls: 4 } }
  await page.locator('#counters').getByText('4').waitFor()
  expect(await alert.innerText()).toContain('failed to do this')
  await page.getByRole('button', { name: 'Deny' }).click()
  await alert.getByText('failed to do this').waitFor({ state: 'detached' })
})

test('long lists are cut, and say so', async () => {
  const session = (n: number): DashboardSession => ({
    id: String(n),
    applicationId: String(n),
    program: '/games/x',
    trust: 'kernel',
    subscriptions: [],
  })
  state = {
    ...EMPTY_SNAPSHOT,
    sessions: Array.from({ length: 5000 }, (_, n) => session(n)),
    presences: Array.from({ length: 201 }, (_, n) => ({ applicationId: String(n), type: 0 })),
    questions: Array.from({ length: 5000 }, (_, n) => question(`q${n}`)),
  }
  const page = await open((await serve()).url)
  await page.locator('#sessions').getByText('And 4800 more.').waitFor()
  await page.locator('#presences').getByText('And 1 more.').waitFor()
  expect(await page.locator('#sessions tbody tr').count()).toBe(200)
  expect(await page.locator('#questions .ask').count()).toBe(200)
  expect(await page.locator('#questions .rest').innerText()).toBe('And 4800 more.')
})

test('presence is paused and resumed by a button, and the page says so', async () => {
  const { url } = await serve()
  const page = await open(url)
  await page.getByText('No game shows an activity.').waitFor()
  await page.getByRole('button', { name: 'Pause presence' }).click()
  await page.getByText('You paused presence.').waitFor()
  expect(state.presencePaused).toBe(true)
  await page.getByRole('button', { name: 'Resume presence' }).click()
  await page.getByText('No game shows an activity.').waitFor()
  expect(state.presencePaused).toBe(false)
})
