/** The adapter of the npm package discord-rpc, unmodified. */
import { Client } from 'discord-rpc'
import type { Failure } from '../adapter.ts'
import { emit, obey, report } from './lines.ts'

/** What the package has besides its declared methods. */
interface Inner {
  request(command: string, args?: object, event?: string): Promise<unknown>
  on(event: string, listener: (data: any) => void): void
  readonly transport: { on(event: string, listener: (data: any) => void): void }
}

const client = new Client({ transport: 'ipc' })
const inner = client as unknown as Inner
const subscriptions = new Map<string, Promise<{ unsubscribe(): Promise<unknown> }>>()
let isClosed = false

const failureOf = (error: unknown): Failure => {
  const { code, message } = error as { readonly code?: number; readonly message: string }
  if (code !== undefined) return { kind: 'refused', code, message }
  return { kind: isClosed ? 'closed' : 'lost', message }
}

const down = (reason: unknown): void => {
  const { code, message } = (typeof reason === 'object' && reason !== null ? reason : {}) as {
    readonly code?: number
    readonly message?: string
  }
  emit({
    event: 'state',
    name: 'offline',
    ...(code === undefined ? {} : { close_code: code }),
    ...(message === undefined ? {} : { message }),
  })
}

obey({
  connect({ application_id: clientId }) {
    inner.transport.on('close', down)
    client.login({ clientId }).then(
      () => emit({ event: 'state', name: 'ready' }),
      (error: unknown) => down(error),
    )
  },
  call: ({ id, command, args }) => report(id, (async () => inner.request(command, args))(), failureOf),
  activity: ({ id, activity }) => report(id, activity === null ? client.clearActivity() : client.setActivity(activity), failureOf),
  subscribe({ name, args }) {
    const subscribed = (client.subscribe as (event: string, args?: object) => Promise<{ unsubscribe(): Promise<unknown> }>)(name, args)
    subscribed.catch(() => {})
    subscriptions.set(name, subscribed)
    inner.on(name, (data) => emit({ event: 'dispatch', name, data }))
  },
  unsubscribe: ({ name }) => void subscriptions.get(name)?.then(({ unsubscribe }) => unsubscribe()),
  close() {
    isClosed = true
    void client.destroy().then(() => emit({ event: 'closed' }))
  },
})
