/** Shows the consent page in the user's own browser, started without a shell. */
import { spawn } from 'node:child_process'
import { BridgeError } from '@sallyport/core/errors'
import type { ConsentSurface, PageAsker } from '../auth.ts'
import { childEnvironment } from '@sallyport/core/os/child-environment'
import { type Opener, OPENERS } from '@sallyport/core/os/openers'

export interface SystemBrowserParts {
  /**
   * Shows the address besides; true when a person can see it there, so that the page can be opened by hand where no browser can be started.
   */
  readonly announce: (page: URL, who: PageAsker) => boolean
  readonly openers?: readonly Opener[]
}

export const systemBrowser = ({ announce, openers = OPENERS[process.platform] ?? [] }: SystemBrowserParts): ConsentSurface => ({
  async open(page, signal, who) {
    const isSeen = announce(page, who)
    for (const opener of openers) {
      if (signal.aborted || (await start(opener, page, signal))) return
    }
    if (isSeen) return
    throw new BridgeError(
      'SERVICE_UNAVAILABLE',
      'No web browser could be started. Run the bridge in a terminal, authorize again, and open the page it names by hand.',
    )
  },
})

/** True when the opener ended well, or runs until the authorization is over: some stay as long as their browser. */
function start([program, ...args]: Opener, url: URL, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    // Detached and unreferenced: the browser outlives the bridge, and does not keep it alive.
    const child = spawn(program, [...args, url.href], {
      detached: true,
      stdio: 'ignore',
      windowsHide: true,
      env: childEnvironment('browser'),
    })
    child.unref()
    const settle = (isOpen: boolean) => {
      signal.removeEventListener('abort', giveUp)
      resolve(isOpen)
    }
    const giveUp = () => settle(true)
    child.once('error', () => settle(false))
    child.once('exit', (code) => settle(code === 0))
    signal.addEventListener('abort', giveUp, { once: true })
  })
}
