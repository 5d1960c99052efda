/** axe on each state and page of the dashboard, in light and dark, from 320 to 1920 pixels; and that nothing is wider than the screen. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { chromium, type Browser, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { holdPort } from '@sallyport/core/net/held-port'
import { dashboardUrl } from '@sallyport/core/storage/daemon-addresses'
import { Secret } from '@sallyport/core/secret'
import { serveDashboard } from '#daemon/src/operator/dashboard/server.ts'
import { SAMPLE_STATE, TestPublisher } from '#test/support/bridge-state.ts'
import { dashboardParts } from '#test/support/dashboard.ts'
import { pictureAt, PLAYER_STATES } from '#test/support/dashboard-states.ts'
import { openEverything } from './support/calls-page.ts'
import { SAMPLE_CALLS_PAGE, SAMPLE_TRACES } from '#test/support/sample-traces.ts'
import { executablePath, NO_BROWSER, PATIENCE_MS } from './support/browser.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const WIDTHS = [320, 800, 1920]
const PAGES = ['now', 'programs', 'accounts', 'calls', 'log', 'details']

interface Finding {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string }[]
}

let browser: Browser
beforeAll(async () => {
  if (executablePath !== undefined) browser = await chromium.launch({ executablePath, args: ['--no-sandbox'], timeout: PATIENCE_MS })
})
afterAll(async () => {
  if (executablePath !== undefined) await browser.close()
})

/** What axe finds, of all rules or of those that depend on colours. */
async function findingsOf(page: Page, rules: 'all' | 'color-contrast'): Promise<readonly string[]> {
  const options = rules === 'all' ? '{}' : `{ runOnly: ['${rules}'] }`
  const findings = await page.evaluate<readonly Finding[]>(`axe.run(${options}).then(({ violations }) => violations)`)
  return findings.flatMap(({ id, impact, nodes }) => nodes.map(({ html }) => `${id} (${impact}): ${html}`))
}

const isWiderThanScreen = (page: Page) => page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')

test.each([...Object.entries(PLAYER_STATES), ['everything', SAMPLE_STATE] as const])('%s, in light and dark', async (name, state) => {
  if (executablePath === undefined) return expect(NO_BROWSER).toContain('apt')
  const held = await holdPort(0)
  const token = new Secret('axe')
  const parts = dashboardParts(held.port, token)
  const close = serveDashboard({
    ...parts,
    applications: { ...parts.applications, image: pictureAt },
    readLog: () => [JSON.stringify({ time: '2026-11-28T09:00:00.000Z', level: 'warn', event: 'web-ports-taken' })],
    held,
    token,
    publisher: new TestPublisher(state),
    operate: async () => true,
    ...(name === 'everything' ? { traces: { ...parts.traces, newest: () => SAMPLE_TRACES }, ...SAMPLE_CALLS_PAGE } : {}),
  })
  const page = await browser.newPage({ colorScheme: 'light', bypassCSP: true })
  page.setDefaultTimeout(PATIENCE_MS)
  try {
    await page.goto(dashboardUrl(held.port, token))
    // The script comes from the test, which the policy of the page does not allow, so it runs outside of the policy.
    await page.evaluate(AXE)
    await page.locator('#status', { hasText: 'live' }).waitFor()
    if (name === 'gone') {
      await close()
      await page.locator('#status', { hasText: 'not connected' }).waitFor()
    }
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 })
      for (const where of PAGES) {
        await page.evaluate(`location.hash = '#/${where}'`)
        await page.locator(`nav a[aria-current=page][href="#/${where}"]`).waitFor()
        const summary = page.locator('main summary').first()
        if ((await summary.count()) > 0 && name !== 'gone') await summary.click()
        if (where === 'calls' && name === 'everything') await openEverything(page)
        const light = await findingsOf(page, 'all')
        await page.emulateMedia({ colorScheme: 'dark' })
        const dark = await findingsOf(page, 'color-contrast')
        await page.emulateMedia({ colorScheme: 'light' })
        expect({ where, width, light, dark }).toEqual({ where, width, light: [], dark: [] })
        // A chart learns of the new width after the layout.
        await expect.poll(() => isWiderThanScreen(page), { message: `${where}, ${width} px: wider than the screen` }).toBe(false)
      }
    }
  } finally {
    await page.close()
    await close()
  }
})
