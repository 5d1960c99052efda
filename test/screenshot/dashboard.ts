/** Takes the picture of the dashboard for the README. The example game is signed in and plays; a copy of it waits for approval. */
import { mkdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { openBrowser } from '../e2e/support/browser.ts'
import { SOURCE, startDaemon } from '../e2e/support/daemon.ts'
import { BASE, ROOT, startGame } from './demo.ts'

const PICTURE = join(ROOT, 'daemon/docs/dashboard.png')
const MAX_BYTES = 200_000
/** The window, high enough that nothing scrolls. */
const SIZE = { width: 1200, height: 2000 }

/** Allows the game on the dashboard and on the page of the platform, as a user does. */
export async function signIn(dashboard: Page, consent: Page): Promise<void> {
  await dashboard.getByRole('button', { name: 'Allow' }).click()
  const link = dashboard.getByRole('link', { name: 'open page' })
  await consent.goto((await link.getAttribute('href')) ?? '')
  await consent.getByRole('button', { name: 'Allow' }).click()
  await dashboard.getByText(/elapsed/).waitFor()
}

async function takePicture(page: Page): Promise<void> {
  // New buttons are disabled for a moment.
  await page.locator('button:disabled').first().waitFor({ state: 'detached' })
  await page.mouse.move(0, 0)
  const last = await page.getByRole('heading', { name: 'Daemon' }).boundingBox()
  await page.screenshot({ path: PICTURE, clip: { x: 0, y: 0, width: SIZE.width, height: last?.y ?? SIZE.height } })
  const { size } = statSync(PICTURE)
  if (size > MAX_BYTES) throw new Error(`${PICTURE} has ${size} bytes; the README allows ${MAX_BYTES}`)
  console.log(`${PICTURE}: ${size} bytes`)
}

export async function pictureDashboard(): Promise<void> {
  const closers: (() => Promise<unknown>)[] = []
  mkdirSync(BASE, { mode: 0o700 })
  try {
    const at = { base: BASE, runtime: join(BASE, 'run'), data: join(BASE, 'data'), remove: async () => {} }
    // Without PATH the daemon finds no browser to open.
    const daemon = await startDaemon(SOURCE, at, ['--consent', 'prompt'], { PATH: '/nonexistent' })
    closers.unshift(() => daemon.stop())
    const browser = await openBrowser()
    closers.unshift(() => browser.close())

    const dashboard = await browser.newPage()
    await dashboard.setViewportSize(SIZE)
    await dashboard.goto(daemon.ready.dashboard ?? '')
    closers.unshift(await startGame('games/dockside', daemon.socket))
    await signIn(dashboard, await browser.newPage())
    closers.unshift(await startGame('downloads/dockside', daemon.socket))
    await dashboard.getByRole('button', { name: 'Deny' }).waitFor()
    await takePicture(dashboard)
  } finally {
    for (const close of closers) await close()
    rmSync(BASE, { recursive: true, force: true })
  }
}
