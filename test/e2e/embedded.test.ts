/** A web build of a game as an embedded activity: a real browser, the sandbox's proxy, and the published SDK, unmodified. */
import type { BridgeState } from '@sallyport/protocol'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { executablePath, NO_BROWSER, type OpenBrowser, openBrowser } from './support/browser.ts'
import { type Daemon, type Folders, folders, sallyport, startDaemonForPages, TARGETS } from './support/daemon.ts'
import { Page } from './support/page.ts'
import { startWebGame, type WebGame } from './support/web-game.ts'

const APPLICATION = '223344556677889900'

describe.skipIf(process.platform === 'win32').each(TARGETS)('$name', (target) => {
  let browser: OpenBrowser
  let at: Folders
  let daemon: Daemon
  let game: WebGame
  let address: string

  beforeAll(async () => {
    if (executablePath === undefined) return
    browser = await openBrowser()
    at = await folders()
    daemon = await startDaemonForPages(target, at, ['--bridge-port', '0'])
    game = await startWebGame(APPLICATION, daemon.ready.tokenUrl)
    const mapped = await fetch(`${daemon.origin}/sandbox/activities`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        application_id: APPLICATION,
        url_mappings: [
          { prefix: '/api', target: `127.0.0.1:${game.port}/backend` },
          { prefix: '/', target: `127.0.0.1:${game.port}` },
        ],
      }),
    })
    address = ((await mapped.json()) as { readonly url: string }).url
  })
  afterAll(async () => {
    if (executablePath === undefined) return
    await browser.close()
    game.close()
    await daemon.stop()
    await at.remove()
  })
  beforeEach((context) => context.skip(executablePath === undefined, NO_BROWSER))

  test('a web game loads through the proxy, signs in and sets its presence with the published SDK', {
    tags: ['9.2-18', '1-19'],
  }, async () => {
    expect(address).toMatch(new RegExp(`^http://${APPLICATION}\\.localhost:\\d+/\\.activity$`))
    const page = await browser.newPage()
    const complaints: string[] = []
    page.on('pageerror', (failure) => complaints.push(failure.message))
    await page.goto(address)
    const result = page.frameLocator('#game').locator('#result')
    await result.filter({ hasText: '{' }).waitFor({ state: 'attached' })
    const shown = JSON.parse((await result.textContent()) ?? '') as Record<string, unknown>
    expect(shown).toMatchObject({
      instanceId: expect.stringMatching(new RegExp(`^i-${APPLICATION}-gc-\\d+-\\d+$`)),
      channelId: expect.stringMatching(/^\d+$/),
      platform: 'desktop',
      beforeSignIn: { code: 4006 },
      username: 'ada',
      applicationId: APPLICATION,
      activity: { details: 'Mending nets', state: 'In a browser' },
      participants: ['ada'],
      behaviors: {},
      refused: { code: 1001, message: expect.stringContaining('INVITE_USER_EMBEDDED') },
      echo: 'ahoy in /backend/live?room=7',
      withoutPrefix: '/backend/where?from=here',
      unmapped: 'TypeError',
    })
    expect(shown).not.toHaveProperty('failure')
    expect(complaints).toEqual([])

    const feed = new Page(daemon.ready.bridge ?? '', { origin: 'http://localhost:3000' })
    expect(await feed.next()).toMatchObject({ socketId: APPLICATION, activity: { details: 'Mending nets' } })
    await feed.hangUp()
    const status = await sallyport(target, ['status', '--json', '--runtime-dir', at.runtime, '--data-dir', at.data])
    const { games, presences } = JSON.parse(status.out) as BridgeState
    expect(presences).toHaveLength(1)
    expect(games.filter(({ trust }) => trust === 'origin')).toMatchObject([
      { application_id: APPLICATION, program: `a page of ${new URL(address).origin}`, user: { id: expect.any(String) as string } },
    ])
    await expect.poll(daemon.output).toMatch(/the round begins \[long word\].*activity-log/)

    await page.close()
    await expect
      .poll(async () => {
        const after = await sallyport(target, ['status', '--json', '--runtime-dir', at.runtime, '--data-dir', at.data])
        return (JSON.parse(after.out) as BridgeState).presences
      })
      .toEqual([])
  })

  test("its server receives the request of the page, and nothing of the proxy's own connection", () => {
    const token = game.requests.find(({ url }) => url === '/backend/token')
    expect(token).toMatchObject({
      method: 'POST',
      headers: { host: `127.0.0.1:${game.port}`, origin: new URL(address).origin, 'content-type': 'application/json' },
    })
    expect(Object.keys(token?.headers ?? {}).filter((name) => /^(?:x-forwarded|forwarded|via)/.test(name))).toEqual([])
  })

  test('the activity of one application cannot connect as another', async () => {
    const page = await browser.newPage()
    await page.goto(address)
    const code = await page.evaluate(
      (url) =>
        new Promise((resolve) => {
          new WebSocket(url).addEventListener('close', (event) => resolve(event.code))
        }),
      `${daemon.ready.websocket}/?v=1&encoding=json&client_id=99`,
    )
    expect(code).toBe(4001)
    await page.close()
  })

  test('a page of another origin can neither read the game through the proxy nor open its websocket', async () => {
    const page = await browser.newPage()
    await page.goto(`${daemon.origin}/`)
    const { origin, host } = new URL(address)
    const outcome = await page.evaluate(
      async ([site, socket]) => {
        const read = await fetch(`${site}/api/where`).then(String, () => 'failed')
        const opened = await new Promise((resolve) => {
          const ws = new WebSocket(String(socket))
          ws.addEventListener('open', () => resolve('open'))
          ws.addEventListener('error', () => resolve('error'))
        })
        return { read, opened }
      },
      [origin, `ws://${host}/api/live`],
    )
    expect(outcome).toEqual({ read: 'failed', opened: 'error' })
    await page.close()
  })
})
