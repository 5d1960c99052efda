/** Takes the pictures of the guides into daemon/docs/pictures, of daemons to which the same was done as a reader of the guide does. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { DEFAULT_COMMUNICATION_SCOPES } from '@sallyport/protocol/scopes'
import { openBrowser } from '../e2e/support/browser.ts'
import { type Daemon, type Folders, folders, SOURCE, sallyport, startDaemon } from '../e2e/support/daemon.ts'
import { ROOT, startGame, withDemo } from './demo.ts'

const FOLDER = join(ROOT, 'daemon/docs/pictures')
const MAX_BYTES = 60 * 1024
const SIZE = { width: 900, height: 1400 }
/** Pixels around a part of a page. */
const MARGIN = 12
/** Those of the example game. */
const APPLICATION = '1180000000000000042'
const SCOPES = DEFAULT_COMMUNICATION_SCOPES.join(' ')
/** Of 0 to 1: texts have no visible flaw. */
const QUALITY = 0.75

/** Another page of the browser, which knows nothing of this one. */
async function pageBeside(page: Page): Promise<Page> {
  const browser = page.context().browser()
  if (browser === null) throw new Error('the page has no browser')
  return browser.newPage()
}

/** A WebP file of a PNG: a third of its size. The browser makes it, on a page that allows everything. */
async function webpOf(page: Page, png: Buffer): Promise<Buffer> {
  const blank = await pageBeside(page)
  const address = await blank.evaluate<string>(`(async () => {
    const image = new Image()
    image.src = 'data:image/png;base64,${png.toString('base64')}'
    await image.decode()
    const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height })
    canvas.getContext('2d').drawImage(image, 0, 0)
    return canvas.toDataURL('image/webp', ${QUALITY})
  })()`)
  await blank.close()
  return Buffer.from(address.split(',')[1] ?? '', 'base64')
}

/** Saves the page from the first part to the last one. */
async function save(page: Page, name: string, first: Locator, last: Locator = first): Promise<void> {
  await page.locator('button:disabled:visible').first().waitFor({ state: 'detached' })
  await page.mouse.move(0, 0)
  await first.scrollIntoViewIfNeeded()
  const [top, bottom] = [await first.boundingBox(), await last.boundingBox()]
  if (top === null || bottom === null) throw new Error(`a part of ${name} is not on its page`)
  const y = Math.max(0, top.y - MARGIN)
  const png = await page.screenshot({ clip: { x: 0, y, width: SIZE.width, height: bottom.y + bottom.height + MARGIN - y } })
  const webp = await webpOf(page, png)
  const path = join(FOLDER, `${name}.webp`)
  if (webp.length > MAX_BYTES) throw new Error(`${path} would have ${webp.length} bytes; a picture of a guide has at most ${MAX_BYTES}`)
  writeFileSync(path, webp)
  console.log(`${path}: ${webp.length} bytes`)
}

interface Place {
  readonly daemon: Daemon
  readonly page: Page
  /** The command line, at this daemon. */
  readonly run: (...words: string[]) => Promise<{ code: number | null; out: string }>
  readonly control: (method: 'POST' | 'DELETE', path: string, body?: object) => Promise<void>
}

/** A daemon with whole traces; afterwards its page of calls. */
async function withCalls(flags: readonly string[], show: (place: Place) => Promise<void>): Promise<void> {
  const at: Folders = await folders()
  const daemon = await startDaemon(SOURCE, at, ['--trace', 'on', ...flags])
  const browser = await openBrowser()
  try {
    const page = await browser.newPage()
    await page.setViewportSize(SIZE)
    const env = { HOME: at.data, XDG_RUNTIME_DIR: at.runtime, SALLYPORT_DATA_DIR: at.data, SALLYPORT_VAULT: 'file' }
    await show({
      daemon,
      page,
      run: (...words) => sallyport(SOURCE, words, env),
      async control(method, path, body) {
        const json = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
        const response = await fetch(`${daemon.origin}/sandbox/${path}`, { method, ...json })
        if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
      },
    })
  } finally {
    await browser.close()
    await daemon.stop()
    await at.remove()
  }
}

/** Opens the page of calls, and there the newest call of a command. `shown` is a choice of the page. */
async function openCall({ page, daemon }: Place, command: string, shown: 'Calls that succeeded' | 'Calls that failed'): Promise<void> {
  await page.goto(daemon.ready.dashboard ?? '')
  await page.locator('#status', { hasText: 'live' }).waitFor()
  await page.getByRole('link', { name: 'Calls', exact: true }).click()
  await page
    .locator('label', { hasText: /^Show / })
    .locator('select')
    .selectOption(shown)
  await page.getByRole('button', { name: command, exact: true, expanded: false }).first().click()
  await page.locator('.details').waitFor()
}

const saveCalls = ({ page }: Place, name: string, last = page.locator('main table').first()): Promise<void> =>
  save(page, name, page.locator('main table').first(), last)

const pictureSignIn = (): Promise<void> =>
  withDemo(async ({ daemon, dashboard, closers }) => {
    await dashboard.setViewportSize(SIZE)
    closers.unshift(await startGame('downloads/dockside', daemon.socket))
    const deny = dashboard.getByRole('button', { name: 'Deny' })
    await deny.waitFor()
    await save(dashboard, 'prompt', dashboard.locator('h1').first(), deny)
    const consent = await pageBeside(dashboard)
    await consent.setViewportSize(SIZE)
    // As the daemon opens it for a user who has not signed in yet.
    const request = { client_id: APPLICATION, response_type: 'code', scope: SCOPES, redirect_uri: 'http://127.0.0.1/callback' }
    await consent.goto(`${daemon.origin}/oauth2/authorize?${new URLSearchParams(request).toString()}`)
    await save(consent, 'consent', consent.locator('h1').first(), consent.getByRole('button', { name: 'Allow' }))
  })

const pictureLobby = (): Promise<void> =>
  withCalls([], async (place) => {
    await place.run('login')
    const { out } = await place.run('call', 'CREATE_OR_JOIN_LOBBY', '{"secret": "pier-9"}', '--json')
    const { id } = JSON.parse(out) as { readonly id: string }
    await place.run('call', 'SEND_LOBBY_MESSAGE', JSON.stringify({ lobby_id: id, content: 'Ahoy' }))
    await place.run('call', 'GET_LOBBY_MESSAGES', JSON.stringify({ lobby_id: id }))
    await openCall(place, 'CREATE_OR_JOIN_LOBBY', 'Calls that succeeded')
    await saveCalls(place, 'lobby-call', place.page.getByRole('button', { name: 'Call again' }))
  })

const pictureRefusal = (): Promise<void> =>
  withCalls([], async (place) => {
    await place.run('login', '--scopes', 'openid identify rpc')
    await place.control('POST', 'faults', { match: { path: '/oauth2/token' }, status: 503 })
    await place.run('login', '--scopes', 'openid identify')
    await openCall(place, 'AUTHORIZE', 'Calls that failed')
    await saveCalls(place, 'refused-sign-in')
  })

const CONNECTIONS = '/users/@me/connections'

const pictureFaults = (): Promise<void> =>
  withCalls(['--sandbox', 'relaxed'], async (place) => {
    await place.run('login', '--scopes', 'openid identify connections')
    await place.run('call', 'GET_CURRENT_USER_GUILDS')
    await place.run('call', 'SET_ACTIVITY', JSON.stringify({ activity: { details: '0'.repeat(200) } }))
    await place.control('POST', 'faults', { match: { path: CONNECTIONS }, times: 20, drop: 'before-reply' })
    await place.run('call', 'GET_CURRENT_USER_CONNECTIONS')
    await place.control('DELETE', 'faults')
    await place.control('POST', 'limits', { path: CONNECTIONS, limit: 1, window_ms: 3_600_000 })
    await place.run('call', 'GET_CURRENT_USER_CONNECTIONS')
    await place.run('call', 'GET_CURRENT_USER_CONNECTIONS')
    await openCall(place, 'GET_CURRENT_USER_CONNECTIONS', 'Calls that failed')
    await saveCalls(place, 'four-faults')
    await place.page.goto(`${place.daemon.origin}/sandbox/page/controls`)
    await save(place.page, 'controls', place.page.locator('form', { hasText: 'POST /sandbox/faults' }))
  })

const PICTURES: Readonly<Record<string, () => Promise<void>>> = {
  'sign-in': pictureSignIn,
  lobby: pictureLobby,
  refusal: pictureRefusal,
  faults: pictureFaults,
}

/** `only`: the name of one of them. */
export async function pictureGuides(only?: string): Promise<void> {
  mkdirSync(FOLDER, { recursive: true })
  for (const [name, take] of Object.entries(PICTURES)) if (only === undefined || only === name) await take()
}
