/** A dashboard's page in a real browser, with a state from the test. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import type { Closer } from '@sallyport/core/closer'
import { holdFirstFree, holdPort } from '@sallyport/core/net/held-port'
import { Secret } from '@sallyport/core/secret'
import { dashboardUrl } from '@sallyport/core/storage/daemon-addresses'
import { serveDashboard } from '#daemon/src/operator/dashboard/server.ts'
import { TestPublisher } from '#test/support/bridge-state.ts'
import { dashboardParts } from '#test/support/dashboard.ts'
import { pictureAt } from '#test/support/dashboard-states.ts'
import { WORKER_PORTS } from '#test/support/worker-ports.ts'
import { executablePath, NO_BROWSER, type OpenBrowser, openBrowser } from './browser.ts'

interface Dashboard {
  readonly url: string
  readonly port: number
  readonly close: Closer
}

/** What a test of the page uses; made anew for each. */
export class DashboardWorld {
  browser!: OpenBrowser
  publisher = new TestPublisher()
  /** What the page sent, as words. */
  readonly answers: string[] = []
  readonly #running: Dashboard[] = []
  readonly #pages: Page[] = []
  readonly #complaints: string[] = []

  /** Registers what begins and ends with each test of the file. */
  constructor() {
    beforeAll(async () => {
      if (executablePath !== undefined) this.browser = await openBrowser()
    })
    afterAll(async () => {
      if (executablePath !== undefined) await this.browser.close()
    })
    beforeEach((context) => {
      context.skip(executablePath === undefined, NO_BROWSER)
      this.publisher = new TestPublisher()
      for (const list of [this.answers, this.#complaints]) list.length = 0
    })
    afterEach(async () => {
      for (const page of this.#pages.splice(0)) await page.close()
      for (const dashboard of this.#running.splice(0)) await dashboard.close()
      expect(this.#complaints).toEqual([])
    })
  }

  /** `code`: that of the printed address. Without a port, at one of the worker's. Servers with the same `master` know each other's tabs. */
  async serve(code = 'first', port?: number, master = 'master'): Promise<Dashboard> {
    const held = await (port === undefined ? holdFirstFree(WORKER_PORTS) : holdPort(port))
    if (held === undefined) throw new Error(`No port from ${WORKER_PORTS[0]} to ${WORKER_PORTS.at(-1)} is free.`)
    const token = new Secret(code)
    const parts = dashboardParts(held.port, token, master)
    const close = serveDashboard({
      ...parts,
      applications: { ...parts.applications, image: (id) => (id.startsWith('a') ? pictureAt('1') : undefined) },
      readLog: () => [JSON.stringify({ time: '2026-11-28T09:00:00.000Z', level: 'warn', event: 'web-ports-taken', port: 6463 }), 'torn'],
      held,
      token,
      publisher: this.publisher,
      operate: async (name, id = '', { scopes = [], places = [] } = {}) => {
        if (name === 'accept-invite') throw new Error('refused')
        if (name === 'open-vault') return true
        this.answers.push([name, id, ...scopes, ...places].join(' '))
        if (name === 'pause-presence' || name === 'resume-presence') this.publisher.publish({ presence_paused: name === 'pause-presence' })
        return true
      },
    })
    const dashboard = { url: dashboardUrl(held.port, token, 'code'), port: held.port, close }
    this.#running.push(dashboard)
    return dashboard
  }

  /** A new page that knows nothing of the others. */
  async blank(): Promise<Page> {
    const page = await this.browser.newPage()
    this.#pages.push(page)
    page.on('pageerror', (failure) => this.#complaints.push(failure.message))
    page.on('dialog', (dialog) => this.#complaints.push(dialog.message()))
    return page
  }

  async open(url: string): Promise<Page> {
    const page = await this.blank()
    await page.goto(url)
    return page
  }
}

/** Waits until the page says this about its connection. */
export const status = (page: Page, text: string) => page.locator('#status', { hasText: text }).waitFor()
