/**
 * Takes pictures of the dashboard in six states, three widths and two themes, and of its other pages, into .cache/screenshot/pages. They are for
 * looking at, and are not committed.
 */
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { chromium } from 'playwright-core'
import { holdPort } from '@sallyport/core/net/held-port'
import { dashboardUrl } from '@sallyport/core/storage/daemon-addresses'
import { Secret } from '@sallyport/core/secret'
import { serveDashboard } from '#daemon/src/operator/dashboard/server.ts'
import { TestPublisher } from '#test/support/bridge-state.ts'
import { dashboardParts } from '#test/support/dashboard.ts'
import { pictureAt, PLAYER_STATES } from '#test/support/dashboard-states.ts'
import { SAMPLE_CALLS_PAGE, SAMPLE_TRACES } from '#test/support/sample-traces.ts'
import { bundleDashboardPage } from '#daemon/packaging/dashboard-page.ts'
import { executablePath, NO_BROWSER } from '../e2e/support/browser.ts'
import { openEverything } from '../e2e/support/calls-page.ts'

const FOLDER = resolve(import.meta.dirname, '../../.cache/screenshot/pages')
const WIDTHS = [320, 800, 1920] as const
const THEMES = ['light', 'dark'] as const
const HEIGHT = 900
/** Until the charts have lines. */
const CHART_MS = 4_000
const OTHER_PAGES = ['programs', 'accounts', 'calls', 'log', 'details'] as const

const logLine = (second: number, level: string, event: string, fields: object): string =>
  JSON.stringify({ time: new Date(Date.UTC(2026, 10, 28, 9, 12, second)).toISOString(), level, event, ...fields })

const LOG = [
  logLine(1, 'info', 'ready', { ipc: ['/run/user/1000/discord-ipc-0'], platform: 'sandbox' }),
  logLine(4, 'info', 'session-ready', { session: 7, application: '1409811209381122048' }),
  logLine(9, 'warn', 'platform-warning', { kind: 'development_limit' }),
  logLine(12, 'error', 'revocation-failed', { application: '1409811209381122048' }),
]

interface Shot {
  readonly state: keyof typeof PLAYER_STATES
  readonly page: string
  readonly width: number
  readonly theme: (typeof THEMES)[number]
}

async function take({ state, page: pageName, width, theme }: Shot): Promise<void> {
  const held = await holdPort(0)
  const token = new Secret('picture')
  const parts = dashboardParts(held.port, token)
  const close = serveDashboard({
    ...parts,
    applications: { ...parts.applications, image: pictureAt },
    readLog: () => LOG,
    traces: { ...parts.traces, newest: () => SAMPLE_TRACES },
    ...SAMPLE_CALLS_PAGE,
    held,
    token,
    publisher: new TestPublisher({
      ...PLAYER_STATES[state],
      ...(pageName === 'calls' ? { sandbox_origin: 'http://127.0.0.1:3000' } : {}),
    }),
    operate: async () => true,
  })
  if (executablePath === undefined) throw new Error(NO_BROWSER)
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  try {
    const page = await browser.newPage({ viewport: { width, height: HEIGHT }, colorScheme: theme })
    await page.goto(dashboardUrl(held.port, token))
    await page.locator('#status', { hasText: 'live' }).waitFor()
    await page.evaluate(`location.hash = '#/${pageName}'`)
    await page.locator('button:disabled:visible').first().waitFor({ state: 'detached' })
    if (pageName === 'calls') {
      await page.locator('summary', { hasText: 'Charts' }).click()
      await openEverything(page)
      await page.waitForTimeout(CHART_MS)
    }
    if (pageName === 'log') await page.locator('.log li').first().waitFor()
    if (state === 'gone') {
      await close()
      await page.locator('#status', { hasText: 'not connected' }).waitFor()
    }
    await page.screenshot({ path: join(FOLDER, `${pageName === 'now' ? state : pageName}-${width}-${theme}.png`), fullPage: true })
  } finally {
    await browser.close()
    await close()
  }
}

export async function picturePages(): Promise<void> {
  mkdirSync(FOLDER, { recursive: true })
  // As a bundler would: the server reads them when the page opens.
  for (const [name, literal] of Object.entries((await bundleDashboardPage()).constants))
    Object.assign(globalThis, { [name]: JSON.parse(literal) as string })
  const all = THEMES.flatMap((theme) => WIDTHS.map((width) => ({ theme, width })))
  const states = Object.keys(PLAYER_STATES) as (keyof typeof PLAYER_STATES)[]
  for (const at of all) for (const state of states) await take({ ...at, state, page: 'now' })
  for (const at of all) for (const page of OTHER_PAGES) await take({ ...at, state: 'five', page })
  console.log(`${all.length * (states.length + OTHER_PAGES.length)} pictures in ${FOLDER}`)
}
