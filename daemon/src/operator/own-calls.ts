/**
 * Calls that the operator makes on the dashboard. They go over a local connection of this process, so the bridge identifies it as it does
 * `sallyport call`: same program, own grant, every check. A response goes to no page: its trace has it, without secrets.
 */
import type { SallyportClient } from '@sallyport/client'
import type { FormCall, FormCallEnd } from '@sallyport/core/dashboard-messages'
import { VERSION } from '@sallyport/core/version'
import type { CallTrace, EventTrace } from '@sallyport/protocol'
import { locationAt, verifiedConnect } from './own-server.ts'

export interface OwnCall extends Omit<FormCall, 'application' | 'confirmed'> {
  readonly application: string
}

/** What became of a call. */
export type OwnCallEnd = Omit<FormCallEnd, 'confirm'>

/** Makes whole traces, and reports each. */
export interface CallFollower {
  follow(listener: { onCall(trace: CallTrace): void; onEvent(trace: EventTrace): void }): Promise<() => void>
}

interface OwnCallsDeps {
  readonly traces: CallFollower
  /** Of the sockets. */
  readonly addresses: () => readonly string[]
  readonly pid: number
}

interface OwnConnection {
  readonly client: SallyportClient
  readonly notSignedIn: string | undefined
}

/** Longer than the bridge waits for the user, so that its error arrives first. */
const SIGN_IN_MS = 310_000
/** A page calls for a few applications. */
const MOST_CONNECTIONS = 8

export class OwnCalls {
  readonly #deps: OwnCallsDeps
  /** By application, the oldest first. One stays open, so that what it subscribed to comes. */
  readonly #connections = new Map<string, Promise<OwnConnection>>()

  constructor(deps: OwnCallsDeps) {
    this.#deps = deps
  }

  /** Never rejects for what the bridge, or the way to it, refuses. */
  async make({ application, command, event, args }: OwnCall): Promise<OwnCallEnd> {
    const { CallError } = await import('@sallyport/client')
    let id: string | undefined
    let notSignedIn: string | undefined
    const unfollow = await this.#deps.traces.follow({
      onCall: (trace) => {
        if (trace.pid === this.#deps.pid && trace.application_id === application && trace.cmd === command) id = trace.id
      },
      onEvent: () => {},
    })
    const end = (problem?: string): OwnCallEnd => ({
      ...(id === undefined ? {} : { id }),
      ...(problem === undefined ? {} : { problem }),
      ...(notSignedIn === undefined ? {} : { not_signed_in: notSignedIn }),
    })
    try {
      const connection = await this.#connectionOf(application)
      notSignedIn = connection.client.account === 'signed-in' ? undefined : connection.notSignedIn
      await connection.client.request(command, args, event === undefined ? {} : { event })
      return end()
    } catch (failure) {
      if (!(failure instanceof Error)) throw failure
      return end(failure instanceof CallError ? `${failure.errorName} (${failure.code}): ${failure.data.message}` : failure.message)
    } finally {
      unfollow()
    }
  }

  /** Ends all connections, and what they subscribed to. */
  async close(): Promise<void> {
    const open = [...this.#connections.values()]
    this.#connections.clear()
    await Promise.all(open.map((connection) => connection.then(({ client }) => client.close()).catch(() => {})))
  }

  async #connectionOf(application: string): Promise<OwnConnection> {
    const known = this.#connections.get(application)
    if (known !== undefined) {
      const connection = await known.catch(() => undefined)
      if (connection?.client.state.name === 'ready') return connection
    }
    const made = this.#connect(application)
    this.#connections.delete(application)
    this.#connections.set(application, made)
    for (const [oldest, connection] of this.#connections) {
      if (this.#connections.size <= MOST_CONNECTIONS) break
      this.#connections.delete(oldest)
      void connection.then(({ client }) => client.close()).catch(() => {})
    }
    return made
  }

  async #connect(application: string): Promise<OwnConnection> {
    const binding = await import('@sallyport/client')
    const [address = ''] = this.#deps.addresses()
    const client = new binding.SallyportClient({
      applicationId: application,
      requireBridge: true,
      reconnect: false,
      sdkVersion: `sallyport-dashboard/${VERSION}`,
      environment: { connect: verifiedConnect(binding) },
      ...locationAt(address),
    })
    await client.connect()
    try {
      await client.signInSilently({ timeoutMs: SIGN_IN_MS })
      return { client, notSignedIn: undefined }
    } catch (failure) {
      if (!(failure instanceof binding.CallError)) {
        await client.close()
        throw failure
      }
      // INVALID_TOKEN means that nothing is stored, which is normal.
      return { client, notSignedIn: failure.errorName === 'INVALID_TOKEN' ? undefined : failure.data.message }
    }
  }
}
