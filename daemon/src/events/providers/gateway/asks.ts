/** Questions to the gateway and their answers, which come as dispatches: each ends once, bounded in number, size and time. */
import { GATEWAY_OPCODES, LIMITS } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import type { CancelSignal } from '@sallyport/core/cancel'
import type { PartyConnection } from './connection.ts'
import { type Fields, fieldsOf, idOf, listOf, numberOf } from '../../../platform/gateway/reading.ts'

export interface MembersQuestion {
  readonly guildId: string
  readonly query?: string
  readonly limit?: number
  readonly presences?: boolean
  readonly userIds?: readonly string[]
}

export interface MembersAnswer {
  readonly members: unknown[]
  readonly notFound: unknown[]
  readonly presences: unknown[]
}

interface Question {
  readonly connection: PartyConnection
  readonly op: number
  readonly guildId: string
  readonly nonce: string | undefined
  /** It could not be sent: nobody was asked. */
  readonly unsent: () => void
  /** True when it was the last that had to come; or why no more is taken. */
  readonly take: (d: Fields) => boolean | BridgeError
  readonly end: (failure?: Error) => void
}

const { REQUEST_CHANNEL_INFO, REQUEST_GUILD_MEMBERS } = GATEWAY_OPCODES
/** Numbers that a nonce of 32 bytes has room for. */
const NONCE_PREFIX = 'sallyport-'

const isForAll = ({ query, limit }: MembersQuestion): boolean => query === '' && limit === 0

const limited = (seconds: number, what: string): BridgeError =>
  new BridgeError('RATE_LIMITED', `${what}; try again in ${Math.ceil(seconds)} s.`, { retry_after: seconds })

const lost = (): BridgeError =>
  new BridgeError('SERVICE_UNAVAILABLE', 'The connection to the gateway was lost before the answer came; ask again.')

export class GatewayAsks {
  readonly #clock: Clock
  readonly #questions = new Set<Question>()
  /** When all members of a guild were last asked for, by bot and guild, in ms since the epoch. */
  readonly #allAskedAt = new Map<string, number>()
  #count = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Rejects with RATE_LIMITED before anything is sent, when the platform would. */
  async members(connection: PartyConnection, question: MembersQuestion, stop: CancelSignal): Promise<MembersAnswer> {
    const forget = isForAll(question) ? this.#noteAll(connection, question.guildId) : () => {}
    const answer: MembersAnswer = { members: [], notFound: [], presences: [] }
    const nonce = `${NONCE_PREFIX}${++this.#count}`
    const chunks = new Set<number>()
    const { guildId, query, limit, presences, userIds } = question
    const d = {
      guild_id: guildId,
      nonce,
      ...(query === undefined ? {} : { query, limit }),
      ...(presences === undefined ? {} : { presences }),
      ...(userIds === undefined ? {} : { user_ids: userIds }),
    }
    const about = { connection, op: REQUEST_GUILD_MEMBERS.op, guildId, nonce, unsent: forget }
    await this.#ask(about, d, stop, (chunk) => {
      const index = numberOf(chunk['chunk_index']) ?? 0
      const count = numberOf(chunk['chunk_count']) ?? 1
      // Told twice after a break, it counts once.
      if (!chunks.has(index)) {
        answer.members.push(...listOf(chunk['members']))
        answer.notFound.push(...listOf(chunk['not_found']))
        answer.presences.push(...listOf(chunk['presences']))
      }
      const largest = Math.max(chunks.add(index).size, answer.members.length, answer.notFound.length, answer.presences.length)
      if (largest > LIMITS.membersAnswer.value) {
        return new BridgeError(
          'INVALID_PAYLOAD',
          `The guild has more than ${LIMITS.membersAnswer.value} members; ask for some by query or user_ids.`,
        )
      }
      return chunks.size >= count
    })
    return answer
  }

  /** What the answer says of the channels. */
  async channelInfo(
    connection: PartyConnection,
    guildId: string,
    fields: readonly string[],
    stop: CancelSignal,
  ): Promise<readonly unknown[]> {
    let channels: readonly unknown[] = []
    const about = { connection, op: REQUEST_CHANNEL_INFO.op, guildId, nonce: undefined, unsent: () => {} }
    await this.#ask(about, { guild_id: guildId, fields }, stop, (given) => {
      channels = listOf(given['channels'])
      return true
    })
    return channels
  }

  /** Takes what may be an answer. */
  take(connection: PartyConnection, t: string, d: unknown): void {
    if (this.#questions.size === 0) return
    if (t === 'READY') return this.lost(connection)
    const given = fieldsOf(d)
    if (t === 'GUILD_MEMBERS_CHUNK') this.#answer(connection, REQUEST_GUILD_MEMBERS.op, ({ nonce }) => nonce === given['nonce'], given)
    else if (t === 'CHANNEL_INFO')
      this.#answer(connection, REQUEST_CHANNEL_INFO.op, ({ guildId }) => guildId === idOf(given['guild_id']), given)
    else if (t === 'RATE_LIMITED') this.#refuse(connection, given)
  }

  /** Nothing that was asked will be answered any more. */
  lost(connection: PartyConnection): void {
    for (const question of [...this.#questions]) if (question.connection === connection) question.end(lost())
  }

  /** Throws RATE_LIMITED when it is too early. Gives back what takes the note away again. */
  #noteAll({ party }: PartyConnection, guildId: string): () => void {
    const now = this.#clock.now()
    const { value: windowMs } = LIMITS.allMembersMs
    // What lies in the future was asked before the clock was set back.
    for (const [key, at] of this.#allAskedAt) if (at + windowMs <= now || at > now) this.#allAskedAt.delete(key)
    const key = `${party.applicationId}:${guildId}`
    const at = this.#allAskedAt.get(key)
    if (at !== undefined) throw limited((at + windowMs - now) / 1000, 'All members of a guild may be asked for once in 30 s')
    this.#allAskedAt.set(key, now)
    return () => void this.#allAskedAt.delete(key)
  }

  #ask(about: Omit<Question, 'take' | 'end'>, d: object, stop: CancelSignal, take: Question['take']): Promise<void> {
    const { applicationId } = about.connection.party
    const asked = [...this.#questions].filter(({ connection }) => connection.party.applicationId === applicationId)
    if (asked.length >= LIMITS.gatewayAsks.value) {
      about.unsent()
      throw limited(1, 'Too many questions to the gateway wait for an answer')
    }
    return new Promise((resolve, reject) => {
      const question: Question = {
        ...about,
        take,
        end: (failure) => {
          if (!this.#questions.delete(question)) return
          if (failure === undefined) resolve()
          else reject(failure)
        },
      }
      this.#questions.add(question)
      const givenUp = (): void => question.end(new BridgeError('TRANSACTION_ABORTED', 'The call was given up.'))
      if (stop.aborted) {
        about.unsent()
        return givenUp()
      }
      stop.addEventListener('abort', { handleEvent: givenUp })
      about.connection.send(about.op, d).catch((failure: unknown) => {
        about.unsent()
        question.end(failure instanceof Error ? failure : lost())
      })
    })
  }

  /** To the one that has waited longest. */
  #answer(connection: PartyConnection, op: number, isMeant: (question: Question) => boolean, d: Fields): void {
    const question = [...this.#questions].find((one) => one.connection === connection && one.op === op && isMeant(one))
    if (question === undefined) return
    const came = question.take(d)
    if (came === true) question.end()
    else if (came !== false) question.end(came)
  }

  #refuse(connection: PartyConnection, given: Fields): void {
    const meta = fieldsOf(given['meta'])
    const seconds = Math.max(numberOf(given['retry_after']) ?? 0, 0)
    for (const question of [...this.#questions]) {
      if (question.connection !== connection || question.op !== given['opcode']) continue
      const isMeant =
        meta['nonce'] === undefined ? (idOf(meta['guild_id']) ?? question.guildId) === question.guildId : meta['nonce'] === question.nonce
      if (isMeant) question.end(limited(seconds, 'The platform takes this question too often'))
    }
  }
}
