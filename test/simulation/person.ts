/** The person at the simulated machine: answers prompts, opens the page of a sign-in, or lets the game go while it waits. */
import http from 'node:http'
import type { Confirm } from '@sallyport/core/confirm'
import type { Machine } from './machine/machine.ts'
import { type Random, streamOf } from './machine/random.ts'
import { asOwner, type Owner } from './machine/timeline.ts'

/** Whose account a program gets: the platform knows two accounts of the person. */
export const ACCOUNTS: Readonly<Record<string, string>> = { ferry: 'ada', tug: 'ada', barge: 'grace' }

const PROGRAM = /\/games\/(\w+)/
const ADDRESS = /go to (http:\S+)/
const CONSENT_PAGE = '/oauth2/authorize'
const LONGEST_THOUGHT_MS = 12_000
const HOPS = 10

/** What becomes of a question, by its share. */
const ENDS = [
  { share: 0.65, end: 'answered' },
  { share: 0.25, end: 'withdrawn' },
  { share: 0.1, end: 'ignored' },
] as const

export interface PersonOptions {
  readonly machine: Machine
  readonly seed: number
  /** Ends the connections of a program. */
  readonly quit: (program: string) => void
  readonly onFailure: (what: string) => void
}

export class Person {
  readonly #options: PersonOptions
  readonly #random: Random
  readonly #owner: Owner = { name: 'person', isDead: false }
  /** Prompts that are shown, by the process that shows them. */
  readonly #shown = new Map<Owner, Set<string>>()
  /** Whether everything is answered, at once. */
  isWilling = false

  constructor(options: PersonOptions) {
    this.#options = options
    this.#random = streamOf(options.seed, 'person')
  }

  /** Prompts of this process that are shown now. */
  shownOf(daemon: Owner): number {
    return this.#shown.get(daemon)?.size ?? 0
  }

  /** The terminal of a daemon. */
  terminalOf(daemon: Owner): { readonly confirm: Confirm; readonly announce: (text: string) => void } {
    const shown = new Set<string>()
    this.#shown.set(daemon, shown)
    return {
      confirm: ({ id, text }, signal) => {
        shown.add(id)
        const { promise, resolve, reject } = Promise.withResolvers<boolean>()
        signal.addEventListener('abort', () => {
          shown.delete(id)
          reject(signal.reason as Error)
        })
        this.#consider(PROGRAM.exec(text())?.[1], () => {
          shown.delete(id)
          resolve(true)
        })
        return promise
      },
      announce: (text) => {
        const address = ADDRESS.exec(text)?.[1]
        const program = PROGRAM.exec(text)?.[1]
        if (address !== undefined && program !== undefined) this.#consider(program, () => void this.#visit(new URL(address), program))
      },
    }
  }

  #consider(program: string | undefined, answer: () => void): void {
    const { timeline } = this.#options.machine
    const drawn = this.#random()
    let sum = 0
    const end = this.isWilling ? 'answered' : ENDS.find(({ share }) => (sum += share) > drawn)?.end
    const after = this.#random() * LONGEST_THOUGHT_MS
    if (end === 'ignored') return
    asOwner(this.#owner, () =>
      timeline.at(timeline.now + after, 'script', () => {
        if (end === 'answered') answer()
        else if (program !== undefined) this.#options.quit(program)
      }),
    )
  }

  /** As a browser: follows the redirects, signed in to the platform as the account of the program. */
  async #visit(address: URL, program: string): Promise<void> {
    let url = address
    let cookie = ''
    try {
      for (let hop = 0; hop < HOPS; hop++) {
        if (url.pathname.endsWith(CONSENT_PAGE)) url.searchParams.set('login_hint', ACCOUNTS[program] ?? 'ada')
        const { headers } = await get(url, url.origin === address.origin ? cookie : '')
        cookie = headers['set-cookie']?.[0]?.split(';')[0] ?? cookie
        if (headers.location === undefined) return
        url = new URL(headers.location, url)
      }
      this.#options.onFailure(`the page of ${program} redirects without end`)
    } catch {
      // The daemon or the platform has gone, or the connection broke. The person gives up.
    }
  }
}

const get = (url: URL, cookie: string): Promise<http.IncomingMessage> =>
  new Promise((resolve, reject) => {
    const headers = { accept: 'text/html', ...(cookie === '' ? {} : { cookie }) }
    http
      .get({ host: url.hostname, port: url.port, path: `${url.pathname}${url.search}`, headers, agent: false }, (reply) => {
        reply.resume()
        reply.once('end', () => resolve(reply)).once('error', reject)
      })
      .once('error', reject)
  })
