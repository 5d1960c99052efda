/** Takes the picture of the dashboard for the README. The example game is signed in and plays; a copy of it waits for approval. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { ROOT, startGame, withDemo } from './demo.ts'

const PICTURE = join(ROOT, 'daemon/docs/dashboard.png')
const MAX_BYTES = 200_000
/** The window, high enough that nothing scrolls. */
const SIZE = { width: 1200, height: 2000 }
/** Pixels below the last part. */
const MARGIN = 24

async function takePicture(page: Page): Promise<void> {
  // New buttons are disabled for a moment.
  await page.locator('button:disabled:visible').first().waitFor({ state: 'detached' })
  await page.mouse.move(0, 0)
  const last = await page.locator('#games').boundingBox()
  const height = last === null ? SIZE.height : Math.ceil(last.y + last.height) + MARGIN
  await page.screenshot({ path: PICTURE, clip: { x: 0, y: 0, width: SIZE.width, height } })
  const { size } = statSync(PICTURE)
  if (size > MAX_BYTES) throw new Error(`${PICTURE} has ${size} bytes; the README allows ${MAX_BYTES}`)
  console.log(`${PICTURE}: ${size} bytes`)
}

export const pictureDashboard = (): Promise<void> =>
  withDemo(async ({ daemon, dashboard, closers }) => {
    await dashboard.setViewportSize(SIZE)
    closers.unshift(await startGame('downloads/dockside', daemon.socket))
    await dashboard.getByRole('button', { name: 'Deny' }).waitFor()
    await takePicture(dashboard)
  })
