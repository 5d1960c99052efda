/** What a replay sends where a recording has only the marker of a secret. */
import { createHash, randomBytes } from 'node:crypto'
import { fieldsOf } from '@sallyport/core/json-read'
import { OPCODES } from '@sallyport/protocol/wire'
import { callKey, hasMarker, isMessage, type Message, type Survey } from './replay-plan.ts'
import type { ReplayConnection } from './replay-connection.ts'

export interface Completed {
  readonly args: unknown
  /** Whether the response lacks a token that the recorded one has. */
  readonly isWithoutToken: boolean
}

export interface ReplaySecrets {
  /** The arguments of a call to send now; undefined if it needs a secret that is not known. */
  complete(call: Message, connection: number): Promise<Completed | undefined>
  /** Learns from what was sent and received. */
  learn(sent: Message, response: unknown, connection: number): void
}

const asRecorded = (args: unknown): Completed => ({ args, isWithoutToken: false })

/** The secrets of an activity are any text, so that the marker serves as one. */
const NEEDS_NO_SECRET: ReadonlySet<unknown> = new Set(['SET_ACTIVITY'])

/** At the user's bridge: no secrets. A sign-in uses the stored grant of this program instead of the token. */
export const storedGrant: ReplaySecrets = {
  async complete({ cmd, args }) {
    if (!hasMarker(args) || NEEDS_NO_SECRET.has(cmd)) return asRecorded(args)
    if (cmd !== 'AUTHENTICATE' || !isMessage(args)) return undefined
    const { access_token: _, ...rest } = args
    return hasMarker(rest) ? undefined : { args: rest, isWithoutToken: true }
  },
  learn() {},
}

const VERIFIER_BYTES = 32
const RESPONSE_MS = 10_000

interface Known {
  readonly application?: unknown
  readonly verifier?: string
  readonly code?: unknown
  readonly redirect_uri?: unknown
  readonly token?: unknown
}

const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url')

/** What is learned from a response, by its command. */
const LEARNED: Readonly<Record<string, (data: Message) => Known>> = {
  AUTHORIZE: ({ code, redirect_uri }) => ({ code, redirect_uri }),
  GET_TOKEN: ({ access_token: token }) => ({ token }),
}

/** What is sent in place of the recorded arguments, by command. Any other secret is any text, so that the marker serves as one. */
const FILLED: Readonly<Record<string, (args: Message, known: Known) => Message>> = {
  AUTHORIZE: (args, { verifier = '' }) => ('code_challenge' in args ? { ...args, code_challenge: challengeOf(verifier) } : args),
  GET_TOKEN: (args, { verifier, code, redirect_uri }) => ({
    ...args,
    code,
    ...('code_verifier' in args ? { code_verifier: verifier } : {}),
    ...('redirect_uri' in args ? { redirect_uri } : {}),
  }),
  AUTHENTICATE: (args, { token }) => ('access_token' in args && token !== undefined ? { ...args, access_token: token } : args),
}

/** At a sandbox of its own: codes, proof keys and tokens are those of this run. Where the game had signed in before, so does the replay. */
export class SandboxSecrets implements ReplaySecrets {
  readonly #known = new Map<number, Known>()
  readonly #survey: Pick<Survey, 'signIns'>
  readonly #open: () => Promise<ReplayConnection>

  constructor(survey: Pick<Survey, 'signIns'>, open: () => Promise<ReplayConnection>) {
    this.#survey = survey
    this.#open = open
  }

  async complete(call: Message, connection: number): Promise<Completed> {
    const { cmd, args } = call
    const fill = FILLED[String(cmd)]
    if (fill === undefined || !isMessage(args)) return asRecorded(args)
    if (cmd === 'AUTHORIZE') this.#add(connection, { verifier: randomBytes(VERIFIER_BYTES).toString('base64url') })
    if (cmd === 'AUTHENTICATE') await this.#signIn(call, connection)
    // An error was recorded for what stays as it is.
    const isNeeded = hasMarker(args) || 'code_challenge' in args
    return asRecorded(isNeeded ? fill(args, this.#known.get(connection) ?? {}) : args)
  }

  learn(sent: Message, response: unknown, connection: number): void {
    if ('client_id' in sent) this.#add(connection, { application: sent['client_id'] })
    const { cmd, evt, data } = fieldsOf(response)
    if (evt !== 'ERROR' && isMessage(data)) this.#add(connection, LEARNED[String(cmd)]?.(data) ?? {})
  }

  #add(connection: number, learned: Known): void {
    this.#known.set(connection, { ...this.#known.get(connection), ...learned })
  }

  /** Signs in on a connection of its own if the recorded sign-in succeeded with a token or a grant of an earlier time. */
  async #signIn(call: Message, number: number): Promise<void> {
    const scopes = this.#survey.signIns.get(callKey(number, call))
    const { application, token } = this.#known.get(number) ?? {}
    if (scopes === undefined || token !== undefined) return
    const verifier = randomBytes(VERIFIER_BYTES).toString('base64url')
    const connection = await this.#open()
    const dataOf = async (cmd: string, args: object): Promise<Message> => {
      connection.send(OPCODES.FRAME, { cmd, args, nonce: cmd })
      return fieldsOf(fieldsOf((await connection.next(({ raw }) => fieldsOf(raw)['nonce'] === cmd, RESPONSE_MS))?.raw)['data'])
    }
    try {
      connection.send(OPCODES.HANDSHAKE, { v: 1, client_id: application })
      const { code, redirect_uri } = await dataOf('AUTHORIZE', {
        scopes,
        code_challenge: challengeOf(verifier),
        code_challenge_method: 'S256',
      })
      const { access_token } = await dataOf('GET_TOKEN', { code, code_verifier: verifier, redirect_uri })
      this.#add(number, { token: access_token })
    } finally {
      await connection.close()
    }
  }
}
