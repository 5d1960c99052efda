/**
 * Says to the user of a sign-in what it waits for: first for the answer to the prompt of the bridge, then for the browser. It watches the bridge as
 * an operator beside the connection that signs in. Without access to the data folder of the bridge it says nothing.
 */
import type { BridgeState } from '@sallyport/protocol'
import { LIMITS } from '@sallyport/protocol/limits'
import type { SallyportClient } from '@sallyport/client'
import type { Closer } from '@sallyport/core/closer'
import { VERSION } from '@sallyport/core/version'
import type { Context } from './command.ts'
import { asOperator } from './operator.ts'
import { locationOnData, verifiedConnect } from '../operator/own-server.ts'

const ANYWHERE = 'in the tray, in the notification, or on the dashboard (sallyport open)'

/** What a process waits for. Pure. */
export const waitsFor = ({ prompts, pages }: Pick<BridgeState, 'prompts' | 'pages'>, pid: number): readonly string[] => [
  ...prompts
    .filter((prompt) => prompt.pid === pid)
    .map(({ id }) => `Waiting for your permission. Allow prompt ${id} ${ANYWHERE}, or in another terminal: sallyport prompts allow ${id}`),
  ...pages
    .filter((page) => page.pid === pid)
    .map(({ url, browser }) =>
      browser === 'missing'
        ? `No browser could be started. Go on in a browser of this machine at ${url}`
        : `Waiting for you in the browser. If none has opened, go to ${url}`,
    ),
]

/** Says each step once, until it is closed. */
export function followSignIn(context: Context): Closer {
  const { io, loaded } = context
  let client: SallyportClient | undefined
  const over = new AbortController()
  const follow = async (): Promise<void> => {
    const location = locationOnData(loaded.settings.dataDir)
    if (location === undefined) return
    const binding = await import('@sallyport/client')
    client = new binding.SallyportClient({
      applicationId: loaded.settings.application,
      requireBridge: true,
      reconnect: false,
      sdkVersion: `sallyport-cli/${VERSION}`,
      environment: { connect: verifiedConnect(binding) },
      ...location,
    })
    await client.connect()
    const timeoutMs = LIMITS.maxDeadlineMs.value
    await client.call('SET_HTTP_REQUEST_TIMEOUT', { timeout_ms: timeoutMs })
    let state = await asOperator<BridgeState>(client, context, 'WATCH_BRIDGE', {})
    const said = new Set<string>()
    while (!over.signal.aborted) {
      const fresh = waitsFor(state, process.pid).filter((text) => !said.has(text))
      for (const text of fresh) io.info(text)
      for (const text of fresh) said.add(text)
      state = await client.call('WATCH_BRIDGE', { wait_ms: LIMITS.stateWaitMs.value }, { timeoutMs })
    }
  }
  // The sign-in goes on without it.
  follow().catch(() => {})
  return async () => {
    over.abort()
    await client?.close()
  }
}
