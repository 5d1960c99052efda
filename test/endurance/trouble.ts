/** What goes wrong at the platform, one row per kind, and which errors games may then get. Everything else they get is unexpected. */
import { setTimeout as pause } from 'node:timers/promises'
import { ERRORS } from '@sallyport/protocol/errors'
import type { SandboxControl } from '../soak/sandbox-control.ts'
import { below, pick, type Random } from '../soak/schedule.ts'

export interface Account {
  readonly applicationId: string
  readonly user: string
}

/** What a row needs of the run. */
export interface Upstream {
  readonly platform: SandboxControl
  readonly accounts: readonly Account[]
  /** Ends every token of the account, and gives its games another one from now on. */
  readonly expire: (account: Account, began: () => void) => Promise<void>
}

interface Trouble {
  /** Codes that a forwarded call may get. */
  readonly codes: readonly number[]
  /** Whether events may come twice or be late. */
  readonly delaysEvents: boolean
  readonly run: (upstream: Upstream, random: Random, begin: (account?: Account) => void) => Promise<void>
}

const { SERVICE_UNAVAILABLE, RATE_LIMITED, INVALID_TOKEN, INVALID_PERMISSIONS, TRANSACTION_ABORTED } = ERRORS
const FAILING = [SERVICE_UNAVAILABLE.code]

/** How long requests meet the fault. What it has not hit then is taken back. */
const FAULT_MS = 5_000
const LONGEST_ANSWER_MS = 2_000
const MOST_REQUESTS = 20
const LIMITED_S = 1

const faults = (codes: readonly number[], order: (random: Random) => object): Trouble => ({
  codes,
  delaysEvents: false,
  async run({ platform }, random, begin) {
    begin()
    await platform.control('faults', { times: 1 + below(random, MOST_REQUESTS), ...order(random) })
    await pause(FAULT_MS)
    await platform.clearFaults()
  },
})

const gateway = (order: (random: Random) => object): Trouble => ({
  codes: [],
  delaysEvents: true,
  async run({ platform }, random, begin) {
    begin()
    await platform.control('gateway', order(random))
  },
})

/** Close codes after which a client of the gateway must come back, by resuming or anew. */
const PASSING_CLOSE_CODES = [1000, 4000, 4001, 4002, 4005, 4007, 4008, 4009]

export const TROUBLES = {
  'reads and writes fail': faults(FAILING, (random) => ({ status: pick(random, [500, 502, 503]) })),
  'requests are limited': faults([...FAILING, RATE_LIMITED.code], () => ({
    status: 429,
    headers: { 'retry-after': String(LIMITED_S), 'x-ratelimit-scope': 'user', 'content-type': 'application/json' },
    body: JSON.stringify({ message: 'You are being rate limited.', retry_after: LIMITED_S, global: false }),
  })),
  'connections are reset': faults(FAILING, () => ({ drop: 'before-reply' })),
  'answers end half-way': faults(FAILING, () => ({ drop: 'mid-reply' })),
  'answers are slow': faults([], (random) => ({ latency_ms: 200 + below(random, LONGEST_ANSWER_MS) })),
  'answers are no JSON': faults(FAILING, () => ({ status: 200, headers: { 'content-type': 'application/json' }, body: '<html>' })),
  'gateway dropped': gateway(() => ({ action: 'drop' })),
  'gateway closed': gateway((random) => ({ action: 'close', code: pick(random, PASSING_CLOSE_CODES) })),
  'gateway asks to reconnect': gateway(() => ({ action: 'reconnect' })),
  'gateway session invalid': gateway((random) => ({ action: 'invalid_session', resumable: random() < 0.5 })),
  'tokens end': {
    codes: [...FAILING, INVALID_TOKEN.code, INVALID_PERMISSIONS.code, TRANSACTION_ABORTED.code],
    delaysEvents: true,
    run: ({ accounts, expire }, random, begin) => {
      const account = pick(random, accounts)
      return expire(account, () => begin(account))
    },
  },
} as const satisfies Readonly<Record<string, Trouble>>

export type TroubleKind = keyof typeof TROUBLES
export const TROUBLE_KINDS = Object.keys(TROUBLES) as readonly TroubleKind[]

interface Episode {
  readonly kind: TroubleKind
  /** Whom it concerns; undefined: every account. */
  account: Account | undefined
  readonly from: number
  to: number
}

/** A request that met the trouble may end this long after it: retries and their waits, and a gateway that comes back. */
const AFTERMATH_MS = 30_000

const isSame = (one: Account, other: Account): boolean => one.applicationId === other.applicationId && one.user === other.user

/** What went wrong when. */
export class Troubles {
  #episodes: Episode[] = []

  async run(kind: TroubleKind, upstream: Upstream, random: Random): Promise<void> {
    const episode: Episode = { kind, account: undefined, from: performance.now(), to: Number.POSITIVE_INFINITY }
    try {
      await TROUBLES[kind].run(upstream, random, (account) => {
        episode.account = account
        this.#episodes = [...this.#episodes.filter(({ to }) => to + AFTERMATH_MS * 2 > performance.now()), episode]
      })
    } finally {
      episode.to = performance.now()
    }
  }

  /** Whether a forwarded call that began then may have ended now with this code. */
  excuses(code: number, account: Account, beganAt: number): boolean {
    return this.#between(account, beganAt).some(({ kind }) => (TROUBLES[kind].codes as readonly number[]).includes(code))
  }

  /** Whether a game may have lost its connection or its sign-in since then. */
  endsTokens(account: Account, since: number): boolean {
    return this.#between(account, since).some(({ kind }) => kind === 'tokens end')
  }

  /** Whether events that were raised then may come twice or late. */
  delaysEvents(account: Account, since: number): boolean {
    return this.#between(account, since).some(({ kind }) => TROUBLES[kind].delaysEvents)
  }

  #between(account: Account, since: number): readonly Episode[] {
    return this.#episodes.filter((one) => one.to + AFTERMATH_MS > since && (one.account === undefined || isSame(one.account, account)))
  }
}
