/** A real browser, where this machine has one. */
import { existsSync } from 'node:fs'
import { chromium, type Page } from 'playwright-core'

const PROGRAMS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
/** Time for a page to show something, on a machine that may be busy. */
export const PATIENCE_MS = 60_000

export const executablePath = PROGRAMS.find((path) => existsSync(path))
export const NO_BROWSER = 'There is no Chromium on this machine; apt has it as chromium.'

export interface OpenBrowser {
  /** A page that knows nothing of the others. */
  newPage(): Promise<Page>
  close(): Promise<void>
}

/** Throws where there is none. */
export async function openBrowser(): Promise<OpenBrowser> {
  if (executablePath === undefined) throw new Error(NO_BROWSER)
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'], timeout: PATIENCE_MS })
  return {
    async newPage() {
      const page = await browser.newPage()
      page.setDefaultTimeout(PATIENCE_MS)
      return page
    },
    close: () => browser.close(),
  }
}
