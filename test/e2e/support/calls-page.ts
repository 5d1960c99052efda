/** The page of calls with everything open that can be. */
import type { Page } from 'playwright-core'

/** With the traces of sample-traces.ts; the charts are open already. */
export async function openEverything(page: Page): Promise<void> {
  await page.locator('summary', { hasText: 'Sandbox' }).click()
  await page.getByLabel('Body').waitFor()
  await page.getByRole('button', { name: 'SET_ACTIVITY', expanded: false }).click()
  await page.getByRole('button', { name: 'Call again' }).click()
  await page.getByLabel('activity', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Send', exact: true }).waitFor()
  await page.getByRole('button', { name: 'GET_CURRENT_USER_GUILDS', expanded: false }).click()
}
