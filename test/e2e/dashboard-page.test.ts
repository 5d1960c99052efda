/** Tests the dashboard's page in a real browser with a state from the test: hostile names, long lists, clicks, and a daemon that restarts. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { systemClock } from '@sallyport/core/clock'
import { silentLogger } from '#test/support/silent-logger.ts'
import type { Closer } from '@sallyport/core/closer'
import { holdPort } from '@sallyport/core/net/held-port'
import { dashboardUrl } from '@sallyport/core/storage/daemon-addresses'
import { Secret } from '@sallyport/core/secret'
import { serveDashboard } from '#daemon/src/operator/dashboard/server.ts'
import { GAME, GRANT, INVITE, PROMPT, SAMPLE_STATE, TestPublisher } from '#test/support/bridge-state.ts'
import { peersOf } from '#test/support/tcp-peers.ts'
import { executablePath, NO_BROWSER, type OpenBrowser, openBrowser } from './support/browser.ts'

const prompt = (id: string) => ({ ...PROMPT, id, lines: [{ label: 'Program', text: `/games/${id}` }] })

let browser: OpenBrowser
let publisher: TestPublisher
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
  publisher = new TestPublisher()
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
    publisher,
    operate: async (name, id = '') => {
      if (name === 'accept-invite') throw new Error('refused')
      if (name === 'allow' || name === 'deny') answers.push(`${name} ${id}`)
      if (name === 'pause-presence' || name === 'resume-presence') publisher.publish({ presence_paused: name === 'pause-presence' })
      return true
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
  publisher.publish({
    games: [{ ...GAME, program: `/opt/${turned}`, user: { id: '1', username: name } }],
    presences: [{ application_id: '42', type: 0, name, details: name, state: name }],
    accounts: [{ application_id: '42', user_id: '1', username: name, scopes: [name] }],
    grants: [{ ...GRANT, application_name: name, username: name, program: name, scopes: [] }],
    prompts: [
      {
        ...PROMPT,
        title: name,
        lines: [
          { label: 'Account', text: name },
          { label: 'Program', text: `/opt/${turned}` },
        ],
      },
    ],
    pages: [{ url: 'javascript:alert(3)', lines: [{ label: 'Program', text: turned }], opened_at: 0 }],
    invites: [
      {
        ...INVITE,
        application_name: name,
        sender: turned,
        activity: { name, type: 3, details: name, state: turned },
        cover: 'javascript:alert(4)',
      },
    ],
    bots: [{ application_id: '42', name }],
    providers: [{ name, state: 'failing', reason: name }],
    warnings: [{ kind: 'provider_failing', message: name, advice: name }],
  })
  const page = await open((await serve()).url)
  await words(page, 'live')
  expect(await page.locator('img, main script').count()).toBe(0)
  expect(await page.getByRole('link').count()).toBe(0)
  const spelled = String.raw`\u{202e}emag`
  expect(await page.locator('#prompts bdi').allInnerTexts()).toEqual([name, `/opt/${spelled}`, spelled, spelled, name])
  expect(await page.locator('#games code').nth(1).innerText()).toBe(`/opt/${spelled}`)
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
  publisher.publish({ prompts: [prompt('q1')] })
  const page = await open((await serve()).url)
  const allow = page.getByRole('button', { name: 'Allow' })
  await allow.click()
  await expect.poll(() => answers).toEqual(['allow q1'])
  // All buttons of the place rest after a change, then each answers its own prompt.
  await page.evaluate(`{
    const place = document.getElementById('prompts')
    const note = () => (place.dataset.rested = [...place.querySelectorAll('button')].map(({ disabled }) => disabled).join())
    new MutationObserver(note).observe(place, { childList: true })
  }`)
  publisher.publish({ prompts: [prompt('q0'), prompt('q2')] })
  await page.locator('#prompts[data-rested="true,true,true,true"]').waitFor()
  await page.getByRole('button', { name: 'Deny' }).last().click()
  await expect.poll(() => answers).toEqual(['allow q1', 'deny q2'])
})

test('what did not change is not drawn anew', async () => {
  publisher.publish({ prompts: [prompt('q1')], sandbox_origin: 'http://127.0.0.1:1' })
  const page = await open((await serve()).url)
  await page.getByRole('button', { name: 'Allow' }).waitFor()
  await page.evaluate(`for (const element of document.querySelectorAll('#prompts button, #facts a, #words')) element.dataset.seen = ''`)
  publisher.publish({ counters: { connections: 1, calls: 4 } })
  await page.locator('#counters').getByText('4').waitFor()
  expect(await page.locator('[data-seen]').count()).toBe(4)
})

test('a failed action is reported until the next click', async () => {
  publisher.publish({ invites: [INVITE], prompts: [prompt('q1')] })
  const page = await open((await serve()).url)
  await page.getByRole('button', { name: 'Join' }).click()
  const alert = page.getByRole('alert')
  await alert.getByText('failed to do this').waitFor()
  publisher.publish({ counters: { connections: 1, calls: 4 } })
  await page.locator('#counters').getByText('4').waitFor()
  expect(await alert.innerText()).toContain('failed to do this')
  await page.getByRole('button', { name: 'Deny' }).click()
  await alert.getByText('failed to do this').waitFor({ state: 'detached' })
})

test('what the daemon left out is counted', async () => {
  publisher.publish({ ...SAMPLE_STATE, presence_paused: false })
  const page = await open((await serve()).url)
  await page.locator('#games').getByText('And 1 more.').waitFor()
  expect(await page.locator('#prompts .rest').allInnerTexts()).toEqual(['And 2 more.', 'And 3 more.', 'And 4 more.'])
  expect(await page.locator('#presences .rest').innerText()).toBe('And 5 more.')
  expect(await page.locator('#grants .rest').innerText()).toBe('And 6 more.')
})

test('the sample state is shown whole', async () => {
  publisher.publish(SAMPLE_STATE)
  const page = await open((await serve()).url)
  await words(page, 'live')
  const texts = async (selector: string) =>
    (await page.locator(selector).allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim())
  const warnings = SAMPLE_STATE.warnings.map(({ message, advice }) => `${message} ${advice}`)
  expect(await texts('#warnings p')).toEqual([...warnings, 'And 9 more.'])
  expect(await texts('#games tbody tr')).toEqual([
    '42 mary /games/tide 77 ACTIVITY_JOIN',
    '43 not signed in /games/tide 77 AUTHORIZE_REQUEST Link account',
  ])
  expect((await texts('#grants tbody tr'))[0]).toMatch(/^\/games\/tide Tide Pilot mary identify .* Revoke$/)
  expect(await texts('#accounts')).toEqual(['The keychain is locked.'])
  expect((await texts('#presences'))[0]).toContain('Playing Tide Pilot Out at sea In a crew (2 of 4) mary')
  expect((await texts('#facts'))[0]).toContain('Bot of 42 Tide Bot')
  expect((await texts('#facts'))[0]).toContain('Provider gateway failing: The platform refused the token.')
  expect((await texts('#counters'))[0]).toMatch(/webhook refused 5$/i)
  expect((await texts('#prompts'))[0]).toContain('ada invites user 5 to Tide Pilot.')
})

test('a hidden page has no connection, and connects again when it is seen', async () => {
  const page = await open((await serve()).url)
  await words(page, 'live')
  expect(publisher.watching).toBe(1)
  const turn = (state: string) =>
    page.evaluate(`{
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => '${state}' })
      document.dispatchEvent(new Event('visibilitychange'))
    }`)
  await turn('hidden')
  await expect.poll(() => publisher.watching).toBe(0)
  await turn('visible')
  await expect.poll(() => publisher.watching).toBe(1)
})

test('presence is paused and resumed by a button, and the page says so', async () => {
  const { url } = await serve()
  const page = await open(url)
  await page.getByText('No game shows an activity.').waitFor()
  await page.getByRole('button', { name: 'Pause presence' }).click()
  await page.getByText('You paused presence.').waitFor()
  await page.getByRole('button', { name: 'Resume presence' }).click()
  await page.getByText('No game shows an activity.').waitFor()
})
