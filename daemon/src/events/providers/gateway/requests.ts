/** Requests to the gateway, whose responses come as dispatches. Number, size and duration of pending requests are limited. */
import { BUDGETS } from '@sallyport/core/budgets'
import { GATEWAY_OPCODES, LIMITS } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import type { CancelSignal } from '@sallyport/core/cancel'
import type { ManagedConnection } from './managed-connection.ts'
import { type Fields, fieldsOf, idOf, listOf, numberOf } from '@sallyport/core/json-read'

export interface MembersRequest {
  readonly guildId: string
  readonly query?: string
  readonly limit?: number
  readonly presences?: boolean
  readonly userIds?: readonly string[]
}

export interface MembersResponse {
  readonly members: unknown[]
  readonly notFound: unknown[]
  readonly presences: unknown[]
}

interface PendingRequest {
  readonly connection: ManagedConnection
  readonly op: number
  readonly guildId: string
  readonly nonce: string | undefined
  /** Called when it could not be sent. */
  readonly onUnsent: () => void
  /** Returns true when the response is complete, or the error with which the request ends. */
  readonly onResponse: (d: Fields) => boolean | BridgeError
  readonly end: (failure?: Error) => void
}

const { REQUEST_CHANNEL_INFO, REQUEST_GUILD_MEMBERS } = GATEWAY_OPCODES
/** Leaves room for a number in the 32 bytes of a nonce. */
const NONCE_PREFIX = 'sallyport-'

const isForAllMembers = ({ query, limit }: MembersRequest): boolean => query === '' && limit === 0

const rateLimited = (seconds: number, what: string): BridgeError =>
  new BridgeError('RATE_LIMITED', `${what}; try again in ${Math.ceil(seconds)} s.`, { retry_after: seconds })

const connectionLost = (): BridgeError =>
  new BridgeError('SERVICE_UNAVAILABLE', 'The connection to the gateway was lost before the response came; try again.')

export class GatewayRequests {
  readonly #clock: Clock
  readonly #pending = new Set<PendingRequest>()
  /** When all members of a guild were last requested, by bot and guild, in ms since the epoch. */
  readonly #allMembersAt = new Map<string, number>()
  #count = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Rejects with RATE_LIMITED before sending when the platform would. */
  async members(connection: ManagedConnection, request: MembersRequest, stop: CancelSignal): Promise<MembersResponse> {
    const undo = isForAllMembers(request) ? this.#recordAllMembers(connection, request.guildId) : () => {}
    const response: MembersResponse = { members: [], notFound: [], presences: [] }
    const nonce = `${NONCE_PREFIX}${++this.#count}`
    const chunks = new Set<number>()
    const { guildId, query, limit, presences, userIds } = request
    const d = {
      guild_id: guildId,
      nonce,
      ...(query === undefined ? {} : { query, limit }),
      ...(presences === undefined ? {} : { presences }),
      ...(userIds === undefined ? {} : { user_ids: userIds }),
    }
    const about = { connection, op: REQUEST_GUILD_MEMBERS.op, guildId, nonce, onUnsent: undo }
    await this.#request(about, d, stop, (chunk) => {
      const index = numberOf(chunk['chunk_index']) ?? 0
      const count = numberOf(chunk['chunk_count']) ?? 1
      // A chunk that is repeated after a reconnect counts once.
      if (!chunks.has(index)) {
        response.members.push(...listOf(chunk['members']))
        response.notFound.push(...listOf(chunk['not_found']))
        response.presences.push(...listOf(chunk['presences']))
      }
      const largest = Math.max(chunks.add(index).size, response.members.length, response.notFound.length, response.presences.length)
      if (largest > LIMITS.membersResponse.value) {
        return new BridgeError(
          'INVALID_PAYLOAD',
          `The guild has more than ${LIMITS.membersResponse.value} members; request some by query or user_ids.`,
        )
      }
      return chunks.size >= count
    })
    return response
  }

  /** The channels of the response. */
  async channelInfo(
    connection: ManagedConnection,
    guildId: string,
    fields: readonly string[],
    stop: CancelSignal,
  ): Promise<readonly unknown[]> {
    let channels: readonly unknown[] = []
    const about = { connection, op: REQUEST_CHANNEL_INFO.op, guildId, nonce: undefined, onUnsent: () => {} }
    await this.#request(about, { guild_id: guildId, fields }, stop, (data) => {
      channels = listOf(data['channels'])
      return true
    })
    return channels
  }

  /** Handles a dispatch that may be a response. */
  handle(connection: ManagedConnection, t: string, d: unknown): void {
    if (this.#pending.size === 0) return
    if (t === 'READY') return this.rejectAll(connection)
    const data = fieldsOf(d)
    if (t === 'GUILD_MEMBERS_CHUNK') this.#resolve(connection, REQUEST_GUILD_MEMBERS.op, ({ nonce }) => nonce === data['nonce'], data)
    else if (t === 'CHANNEL_INFO')
      this.#resolve(connection, REQUEST_CHANNEL_INFO.op, ({ guildId }) => guildId === idOf(data['guild_id']), data)
    else if (t === 'RATE_LIMITED') this.#onRateLimited(connection, data)
  }

  /** Rejects all pending requests of a connection, which no response can follow. */
  rejectAll(connection: ManagedConnection): void {
    for (const request of [...this.#pending]) if (request.connection === connection) request.end(connectionLost())
  }

  /** Throws RATE_LIMITED when it is too early. Returns a function that undoes the record. */
  #recordAllMembers({ identity }: ManagedConnection, guildId: string): () => void {
    const now = this.#clock.now()
    const { value: windowMs } = LIMITS.allMembersMs
    // A time in the future is from before the clock was set back.
    for (const [key, at] of this.#allMembersAt) if (at + windowMs <= now || at > now) this.#allMembersAt.delete(key)
    const key = `${identity.applicationId}:${guildId}`
    const at = this.#allMembersAt.get(key)
    if (at !== undefined) throw rateLimited((at + windowMs - now) / 1000, 'All members of a guild may be requested once in 30 s')
    this.#allMembersAt.set(key, now)
    return () => void this.#allMembersAt.delete(key)
  }

  #request(
    about: Omit<PendingRequest, 'onResponse' | 'end'>,
    d: object,
    stop: CancelSignal,
    onResponse: PendingRequest['onResponse'],
  ): Promise<void> {
    const { applicationId } = about.connection.identity
    const pending = [...this.#pending].filter(({ connection }) => connection.identity.applicationId === applicationId)
    if (pending.length >= BUDGETS.gatewayPendingRequests.value) {
      about.onUnsent()
      throw rateLimited(1, 'Too many requests to the gateway are pending')
    }
    return new Promise((resolve, reject) => {
      const request: PendingRequest = {
        ...about,
        onResponse,
        end: (failure) => {
          if (!this.#pending.delete(request)) return
          if (failure === undefined) resolve()
          else reject(failure)
        },
      }
      this.#pending.add(request)
      const cancel = (): void => request.end(new BridgeError('TRANSACTION_ABORTED', 'The call was cancelled.'))
      if (stop.aborted) {
        about.onUnsent()
        return cancel()
      }
      stop.addEventListener('abort', { handleEvent: cancel })
      about.connection.send(about.op, d).catch((failure: unknown) => {
        about.onUnsent()
        request.end(failure instanceof Error ? failure : connectionLost())
      })
    })
  }

  /** Passes the response to the oldest matching request. */
  #resolve(connection: ManagedConnection, op: number, matches: (request: PendingRequest) => boolean, d: Fields): void {
    const request = [...this.#pending].find((one) => one.connection === connection && one.op === op && matches(one))
    if (request === undefined) return
    const result = request.onResponse(d)
    if (result === true) request.end()
    else if (result !== false) request.end(result)
  }

  #onRateLimited(connection: ManagedConnection, data: Fields): void {
    const meta = fieldsOf(data['meta'])
    const seconds = Math.max(numberOf(data['retry_after']) ?? 0, 0)
    for (const request of [...this.#pending]) {
      if (request.connection !== connection || request.op !== data['opcode']) continue
      const matches =
        meta['nonce'] === undefined ? (idOf(meta['guild_id']) ?? request.guildId) === request.guildId : meta['nonce'] === request.nonce
      if (matches) request.end(rateLimited(seconds, 'The platform limits this request'))
    }
  }
}
