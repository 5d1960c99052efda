/** Opens the consent page in the user's browser, started without a shell. */
import { BridgeError } from '@sallyport/core/errors'
import type { PageOpener, PageRequester } from '../auth.ts'
import { openWith } from '@sallyport/core/os/open-externally'
import { type Opener, OPENERS } from '@sallyport/core/os/openers'

interface SystemBrowserDeps {
  /** Also displays the address. True when the user can see it and open the page by hand. */
  readonly showAddress: (page: URL, requester: PageRequester) => boolean
  readonly openers?: readonly Opener[]
}

export const systemBrowser = ({ showAddress, openers = OPENERS[process.platform] ?? [] }: SystemBrowserDeps): PageOpener => ({
  async open(page, signal, requester) {
    const isSeen = showAddress(page, requester)
    if (await openWith(openers, page.href, signal)) return true
    if (isSeen) return false
    throw new BridgeError(
      'SERVICE_UNAVAILABLE',
      'No web browser could be started. Run the bridge in a terminal, authorize again, and open the address that it prints by hand.',
    )
  },
})
