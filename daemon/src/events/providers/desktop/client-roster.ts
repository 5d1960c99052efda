/** The desktop clients that the bridge has met, so that the user can choose among them. Which socket is whose is known without another connection. */
import type { Clock } from '@sallyport/core/clock'
import { fieldsOf } from '@sallyport/core/json-read'
import { Signal } from '@sallyport/core/signal'
import type { Dialer, SocketEndpoint } from '../../../ipc/transport/dial.ts'
import { buildOf } from '../../../platform/desktop/client-discovery.ts'
import type { Ready } from '../../../platform/desktop/connect-race.ts'
import { packagedClientAt } from '../../../platform/desktop/socket-candidates.ts'
import { clientUser } from './client-user.ts'

/** How a client differs from others, for people and over restarts: by its user, its build, and how it is packaged. */
export interface ClientIdentity {
  readonly id: string
  /** Undefined: it names no user. */
  readonly userId: string | undefined
  readonly username: string | undefined
  readonly build: string | undefined
  readonly packaging: string | undefined
}

/** `user`: as the client names it. */
export function identityOf(path: string, user: unknown, ready: Ready, apiEndpoint: string): ClientIdentity {
  const known = clientUser(user)
  // A part of an id, so that ids can be parts of addresses.
  const build = buildOf(fieldsOf(ready['config'])['api_endpoint'], apiEndpoint)?.replaceAll(/[^a-z0-9]/g, '')
  const packaging = packagedClientAt(path)?.kind
  const id = [known?.id ?? 'client', build, packaging].filter(Boolean).join('-').slice(0, MAX_ID)
  return { id, userId: known?.id, username: known?.username, build, packaging }
}

const MAX_ID = 64
/** Old entries are outdated anyway. */
const MAX_ENTRIES = 64
/** A pipe that is replaced looks the same, so what is known of it ends. */
const PIPE_MS = 60_000

interface Entry {
  readonly endpoint: SocketEndpoint
  readonly identity: ClientIdentity
  readonly at: number
}

export class ClientRoster {
  readonly #dialer: Pick<Dialer, 'endpointAt'>
  readonly #clock: Pick<Clock, 'now'>
  readonly #entries = new Map<string, Entry>()
  readonly changed = new Signal()

  constructor(dialer: Pick<Dialer, 'endpointAt'>, clock: Pick<Clock, 'now'>) {
    this.#dialer = dialer
    this.#clock = clock
  }

  record(endpoint: SocketEndpoint, identity: ClientIdentity): void {
    const before = this.#entries.get(endpoint.path)
    if (before === undefined && this.#entries.size >= MAX_ENTRIES) this.#entries.clear()
    this.#entries.set(endpoint.path, { endpoint, identity, at: this.#clock.now() })
    if (before?.identity.id !== identity.id || before.endpoint.file !== endpoint.file) this.changed.emit()
  }

  /** The client behind a socket, unless another socket took its place. */
  at({ path, file }: SocketEndpoint): ClientIdentity | undefined {
    const entry = this.#entries.get(path)
    if (entry === undefined || entry.endpoint.file !== file) return undefined
    return file !== undefined || this.#clock.now() - entry.at < PIPE_MS ? entry.identity : undefined
  }

  /** Each client once, and whether its socket is still there. */
  all(): readonly (ClientIdentity & { readonly isRunning: boolean })[] {
    const found = new Map<string, ClientIdentity & { readonly isRunning: boolean }>()
    for (const { endpoint, identity } of this.#entries.values()) {
      const now = this.#dialer.endpointAt(endpoint.path)
      const isRunning = now !== undefined && now.file === endpoint.file
      if (isRunning || found.get(identity.id) === undefined) found.set(identity.id, { ...identity, isRunning })
    }
    return [...found.values()]
  }
}
