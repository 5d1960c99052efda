/** Pages in a real browser, with an Origin that a page cannot forge: the presence websocket and the websocket transport. */
import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { executablePath, NO_BROWSER, type OpenBrowser, openBrowser } from './support/browser.ts'
import { type Daemon, type Folders, folders, startDaemonForPages, TARGETS, websocketOf } from './support/daemon.ts'
import { RawClient } from './support/raw-client.ts'

const APPLICATION = '223344556677889900'

/** What a page first receives from an address: a message, or the code with which it is closed. */
const firstOf = (page: Page, address: string): Promise<unknown> =>
  page.evaluate(
    (url) =>
      new Promise((resolve) => {
        const socket = new WebSocket(url)
        socket.addEventListener('message', ({ data }) => resolve(JSON.parse(String(data))))
        socket.addEventListener('close', ({ code }) => resolve(code))
      }),
    address,
  )

describe.skipIf(process.platform === 'win32').each(TARGETS)('$name', (target) => {
  let browser: OpenBrowser
  let at: Folders
  let daemon: Daemon
  let site: Server
  let port: number

  beforeAll(async () => {
    if (executablePath === undefined) return
    browser = await openBrowser()
    at = await folders()
    daemon = await startDaemonForPages(target, at, ['--bridge-port', '0'])
    site = createServer((_request, response) => response.setHeader('Content-Type', 'text/html').end('<title>A client</title>')).listen(0)
    await once(site, 'listening')
    port = (site.address() as AddressInfo).port
  })
  afterAll(async () => {
    if (executablePath === undefined) return
    await browser.close()
    site.close()
    await daemon.stop()
    await at.remove()
  })
  beforeEach((context) => context.skip(executablePath === undefined, NO_BROWSER))

  const open = async (host: string): Promise<Page> => {
    const page = await browser.newPage()
    await page.goto(`http://${host}:${port}/`)
    return page
  }
  const protocol = () => `${websocketOf(daemon)}/?v=1&client_id=${APPLICATION}&encoding=json`

  test('a page of this machine gets the presences, and can use the protocol', async () => {
    const game = await RawClient.ready(daemon.socket, { client_id: APPLICATION })
    await game.call('SET_ACTIVITY', { pid: 7, activity: { details: 'Mending nets' } })
    const page = await open('127.0.0.1')
    expect(await firstOf(page, daemon.ready.bridge ?? '')).toMatchObject({ socketId: APPLICATION, activity: { details: 'Mending nets' } })
    expect(await firstOf(page, protocol())).toMatchObject({ cmd: 'DISPATCH', evt: 'READY' })
    game.hangUp()
  })

  test('a page of any other origin gets 4001 from both', async () => {
    // A name that leads to this machine, and is not one of its own.
    const page = await open('evil.localhost')
    expect(await firstOf(page, daemon.ready.bridge ?? '')).toBe(4001)
    expect(await firstOf(page, protocol())).toBe(4001)
  })
})
