/** The page of calls in a real browser, with the real daemon: each call of a game is there with its response. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { SOON } from '#test/support/soon.ts'
import { ALL_SCOPES, setApplication } from './support/application-settings.ts'
import { executablePath, NO_BROWSER, type OpenBrowser, openBrowser } from './support/browser.ts'
import { type Daemon, type Folders, folders, SOURCE, startDaemon } from './support/daemon.ts'
import { RawClient } from './support/raw-client.ts'
import { sandboxToken } from './support/sandbox-token.ts'

const APPLICATION = '223344556677889955'
const SECRET = 'planted-join-secret'

let at: Folders
let daemon: Daemon
let browser: OpenBrowser
let game: RawClient
let page: Page
let token: string
beforeAll(async () => {
  at = await folders()
  daemon = await startDaemon(SOURCE, at)
  await setApplication(daemon.origin, APPLICATION, ALL_SCOPES)
  if (executablePath === undefined) return
  browser = await openBrowser()
  page = await browser.newPage()
  await page.goto(daemon.ready.dashboard ?? '')
  await page.locator('#status', { hasText: 'live' }).waitFor()
  await page.getByRole('link', { name: 'Calls', exact: true }).click()
  await page.getByText('Nothing has come yet').waitFor()
  // The page shows no call that was made before it follows the calls.
  const early = await RawClient.ready(daemon.socket, { client_id: APPLICATION, contract: '1.0' })
  await vi.waitFor(async () => {
    await early.call('GET_BRIDGE_STATUS', {})
    expect(await rowOf('GET_BRIDGE_STATUS').count()).toBeGreaterThan(0)
  }, SOON)
  early.hangUp()
  await page.getByRole('button', { name: 'Clear' }).click()
})
afterAll(async () => {
  if (executablePath !== undefined) await browser.close()
  await daemon.stop()
  await at.remove()
})
beforeEach(async (context) => {
  context.skip(executablePath === undefined, NO_BROWSER)
  game = await RawClient.ready(daemon.socket, { client_id: APPLICATION, contract: '1.0' })
})
afterEach(() => game.hangUp())

const rowOf = (name: string) => page.locator('tr', { has: page.getByRole('button', { name, exact: true }) })
/** By how its label begins: the choices of other fields have the word too. */
const show = () => page.locator('label', { hasText: /^Show / }).locator('select')

test('a call appears with result, duration and what is known of it; its secrets do not', async () => {
  token = await sandboxToken({ authorizeUrl: `${daemon.origin}/oauth2/authorize`, tokenUrl: daemon.ready.tokenUrl }, 'ada', APPLICATION, [
    'identify',
    'guilds',
    'sdk.social_layer',
  ])
  await game.call('AUTHENTICATE', { access_token: token })
  await game.call('SET_ACTIVITY', {
    pid: process.pid,
    activity: { state: 'At the pier', party: { id: 'pier', size: [1, 2] }, secrets: { join: SECRET } },
  })
  await game.call('GET_CURRENT_USER_GUILDS', {})
  await rowOf('GET_CURRENT_USER_GUILDS').waitFor()
  expect(await rowOf('GET_CURRENT_USER_GUILDS').innerText()).toMatch(/success\s+[\d.]+ ms\s+c\d+-3/)
  await page.getByRole('button', { name: 'GET_CURRENT_USER_GUILDS' }).click()
  const details = page.locator('.details')
  await details.getByText('needs guilds').waitFor()
  expect(await details.getByRole('img').getAttribute('aria-label')).toMatch(
    /Message to response, [\d.]+ ms; .*GET \/users\/@me\/guilds: 200/,
  )
  await page.getByRole('button', { name: 'SET_ACTIVITY' }).click()
  await details.getByText('At the pier').first().waitFor()
  await game.call('GET_GUILD', { guild_id: '1' })
  await page.getByRole('button', { name: 'GET_GUILD', exact: true }).click()
  await details.getByText('Correct the argument guild_id').waitFor()
  const text = await page.locator('main').innerText()
  for (const secret of [token, SECRET]) expect(text).not.toContain(secret)
})

test('the form makes any call as Sallyport itself, checks what is typed, and opens the answer', async () => {
  await page.getByText('Make a call', { exact: true }).click()
  await page.getByLabel('Command').fill('get_guild')
  await page.getByText('It needs rpc, or guilds.').waitFor()
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('It is required.').waitFor()
  await page.getByLabel('guild_id').fill('01')
  await page.getByText(/It must match/).waitFor()
  await page.getByLabel('guild_id').fill('1')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.locator('.problem', { hasText: 'INVALID_PERMISSIONS (4006)' }).waitFor()
  await page.locator('.details', { hasText: 'missing: rpc' }).waitFor()

  await page.getByLabel('Command').fill('GET_BRIDGE_STATUS')
  await page.getByLabel('Command').press('Enter')
  await page.getByText(/The call succeeded: c\d+-\d+\./).waitFor()
  const details = page.locator('.opened', { hasText: 'Response,' })
  await details.waitFor()
  expect(await details.innerText()).toContain(`process ${daemon.ready.pid}`)
})

test('the sandbox sends an event of each kind; one is paired with its subscription, and can be kept', async () => {
  await game.call('AUTHENTICATE', { access_token: token })
  await game.call('SUBSCRIBE', {}, 'RELATIONSHIP_UPDATE')
  await page.getByText('Sandbox', { exact: true }).click()
  await page.getByLabel('For application').fill(APPLICATION)
  await page.getByRole('button', { name: 'Send event' }).click()
  await page.getByText('The sandbox answered 200.').waitFor()
  await page.getByText('Sandbox', { exact: true }).click()
  await show().selectOption('Events')
  await page.getByRole('button', { name: 'RELATIONSHIP_UPDATE', exact: true }).first().click()
  await page.locator('.related', { hasText: 'Subscriptions that it went to' }).getByText('SUBSCRIBE').waitFor()
  await page.getByRole('button', { name: 'Keep', exact: true }).click()
  await page.getByRole('button', { name: 'Clear' }).click()
  expect(await page.getByRole('button', { name: 'RELATIONSHIP_UPDATE', exact: true }).count()).toBe(1)
  await page.getByRole('button', { name: 'Keep', exact: true }).click()
  await show().selectOption('Calls and events')
})

test('charts show calls in a second, durations and memory', async () => {
  await page.getByText('Charts', { exact: true }).click()
  await game.call('GET_BRIDGE_STATUS', {})
  await page.getByRole('img', { name: /^In a second: calls [\d,.]+, events [\d,.]+$/ }).waitFor()
  await page.getByRole('img', { name: /^Memory of Sallyport: resident [\d.]+ MiB$/ }).waitFor()
  expect(await page.locator('.uplot canvas').count()).toBe(3)
  await page.getByText('Charts', { exact: true }).click()
})

test('a call is made again with its arguments; its secrets are left out, and named', async () => {
  await game.call('SET_ACTIVITY', {
    pid: process.pid,
    activity: { state: 'At the quay', party: { id: 'pier', size: [1, 2] }, secrets: { join: SECRET } },
  })
  await page.getByLabel('Find').fill('At the quay')
  await page.getByRole('button', { name: 'SET_ACTIVITY' }).click()
  await page.getByRole('button', { name: 'Call again' }).click()
  await page.getByText('they are left out: activity.secrets.join').waitFor()
  expect(JSON.parse(await page.getByLabel('activity', { exact: true }).inputValue())).toEqual({
    state: 'At the quay',
    party: { id: 'pier', size: [1, 2] },
  })
  await page.keyboard.press('Enter')
  const said = page.locator('.call-form [role=status] p')
  await said.waitFor()
  expect(await said.innerText()).toMatch(/^The call succeeded: c/)
  await page.getByLabel('Find').fill('')
  expect(await page.content()).not.toContain(SECRET)
})

test('rows are found by words, game and result; pause keeps them; clear removes them', async () => {
  await game.call('GET_BRIDGE_STATUS', {})
  await game.call('NO_SUCH_COMMAND', {})
  await rowOf('NO_SUCH_COMMAND').first().waitFor()
  await show().selectOption('Calls that failed')
  expect(await page.getByRole('button', { name: 'GET_BRIDGE_STATUS' }).count()).toBe(0)
  await page.getByLabel('Find').fill('such unknown-word')
  await page.getByText('0 of').waitFor()
  await page.getByLabel('Find').fill('no_such')
  await page.getByRole('button', { name: 'Pause' }).click()
  const before = await page.locator('tbody tr').count()
  await game.call('NO_SUCH_COMMAND', {})
  await page.getByRole('button', { name: 'Go on' }).click()
  await expect.poll(() => page.locator('tbody tr').count()).toBe(before + 1)
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByText('Nothing has come yet').waitFor()
  await game.call('NO_SUCH_COMMAND', {})
  await expect.poll(() => page.locator('tbody tr').count()).toBe(1)
})
