/** Opens the consent page in the user's browser, started without a shell. */
import { spawn } from 'node:child_process'
import { BridgeError } from '@sallyport/core/errors'
import type { AuthorizationPrompt, PageRequester } from '../auth.ts'
import { childEnvironment } from '@sallyport/core/os/child-environment'
import { type Opener, OPENERS } from '@sallyport/core/os/openers'

export interface SystemBrowserDeps {
  /**
   * Also displays the address. True when the user can see it and open the page by hand.
   */
  readonly showAddress: (page: URL, requester: PageRequester) => boolean
  readonly openers?: readonly Opener[]
}

export const systemBrowser = ({
  showAddress: announce,
  openers = OPENERS[process.platform] ?? [],
}: SystemBrowserDeps): AuthorizationPrompt => ({
  async open(page, signal, requester) {
    const isSeen = announce(page, requester)
    for (const opener of openers) {
      if (signal.aborted || (await start(opener, page, signal))) return
    }
    if (isSeen) return
    throw new BridgeError(
      'SERVICE_UNAVAILABLE',
      'No web browser could be started. Run the bridge in a terminal, authorize again, and open the address that it prints by hand.',
    )
  },
})

/** True when the opener exited with 0, or still runs when the authorization is over: some run as long as the browser. */
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
      signal.removeEventListener('abort', stopWaiting)
      resolve(isOpen)
    }
    const stopWaiting = () => settle(true)
    child.once('error', () => settle(false))
    child.once('exit', (code) => settle(code === 0))
    signal.addEventListener('abort', stopWaiting, { once: true })
  })
}
