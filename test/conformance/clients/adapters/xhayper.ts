/** The adapter of the npm package @xhayper/discord-rpc, unmodified. */
import { Client } from '@xhayper/discord-rpc'
import type { Failure } from '../adapter.ts'
import { emit, obey, report } from './lines.ts'

/** Codes below this one are the package's own: the connection ended, a time was over, nothing was sent. */
const SERVER_CODES = 1000
const OWN_KINDS: readonly Failure['kind'][] = ['lost', 'timeout', 'lost', 'lost', 'not-sent', 'timeout']

let client: Client | undefined
let isClosed = false
const subscriptions = new Map<string, Promise<{ unsubscribe(): unknown }>>()

const made = (): Client => (client ??= new Client({ clientId: '0' }))

const failureOf = (error: unknown): Failure => {
  const { code, message } = error as { readonly code: number; readonly message: string }
  if (code >= SERVER_CODES) return { kind: 'refused', code, message }
  return { kind: isClosed ? 'closed' : (OWN_KINDS[code] ?? 'lost'), message }
}

obey({
  connect({ application_id: clientId }) {
    const own = new Client({ clientId })
    client = own
    own.transport.on('close', (reason) => {
      const { code, message } = (typeof reason === 'object' ? reason : { message: reason }) as {
        readonly code?: number
        readonly message?: string
      }
      emit({
        event: 'state',
        name: 'offline',
        ...(code === undefined ? {} : { close_code: code }),
        ...(message === undefined ? {} : { message }),
      })
    })
    own.login().then(
      () => emit({ event: 'state', name: 'ready' }),
      (error: unknown) => emit({ event: 'state', name: 'offline', message: String(error) }),
    )
  },
  call: ({ id, command, args }) =>
    report(
      id,
      made()
        .request(command, args)
        .then(({ data }) => data as unknown),
      failureOf,
    ),
  activity({ id, activity }) {
    const { user } = made()
    report(
      id,
      (activity === null ? user?.clearActivity() : user?.setActivity(activity)) ?? Promise.reject(new Error('there is no user')),
      failureOf,
    )
  },
  subscribe({ name, args }) {
    const subscribed = made().subscribe(name as never, args)
    subscribed.catch(() => {})
    subscriptions.set(name, subscribed)
    made().on(name as never, ((data: unknown) => emit({ event: 'dispatch', name, data })) as never)
  },
  unsubscribe: ({ name }) => void subscriptions.get(name)?.then(({ unsubscribe }) => unsubscribe()),
  close() {
    isClosed = true
    void made()
      .destroy()
      .then(() => emit({ event: 'closed' }))
  },
})
