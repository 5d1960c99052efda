/**
 * A game with the client library of this repository: `game '{"applicationId": …, "slot"?: 0, "requireBridge"?: true}'`. It says each state of its
 * connection and its account, and follows orders: `connect`, `signIn`, `call`, `activity`.
 */
import { type ConnectionState, SallyportClient, type ClientOptions } from '@sallyport/client'
import { followOrders, say } from './json-lines.ts'

/** Until the test gives up. */
const SEARCH_MS = 120_000

const client = new SallyportClient(JSON.parse(process.argv[2] ?? '') as ClientOptions)

/** What the game saw, without texts that another run would have differently. */
function seen(state: ConnectionState): object {
  if (state.name === 'waiting') return { state: state.name, reason: state.reason }
  if (state.name !== 'ready') return { state: state.name }
  const { server, restored, outageMs } = state
  const { path, slot, user, bridge, config } = server
  return { state: 'ready', path, slot, user: user?.username, bridge: bridge?.version, endpoint: config?.api_endpoint, restored, outageMs }
}

let last = ''
client.onState((state) => {
  const now = JSON.stringify(seen(state))
  if (state.name !== 'connecting' && now !== last) say({ event: 'state', ...seen(state) })
  last = now
})
client.onAccount((account) => say({ event: 'account', account }))

const ORDERS: Readonly<Record<string, (...given: readonly never[]) => Promise<unknown>>> = {
  connect: () => client.connect({ timeoutMs: SEARCH_MS }),
  async signIn(scopes: readonly string[]) {
    const { user, kept } = await client.askToSignIn({ scopes, timeoutMs: SEARCH_MS })
    return { user: user.username, isKept: kept !== false }
  },
  call: (command: string, args?: object) => client.request(command, args),
  activity: (details: string) => client.setActivity({ name: 'Harbour', details }),
}

followOrders(
  ({ do: what, with: given = [] }) => ORDERS[what]?.(...(given as readonly never[])) ?? Promise.reject(new Error(`a game cannot ${what}`)),
)
