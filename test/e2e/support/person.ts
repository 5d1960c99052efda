/** A user at the sandbox's pages, via plain HTTP: opens the address that the daemon names, reads the page, presses a button. */
import { vi } from 'vitest'
import { SOON } from '#test/support/soon.ts'
import type { Daemon } from './daemon.ts'

/** A prompt as the dashboard shows it. */
export interface Prompt {
  readonly id: string
  readonly title: string
  readonly lines: readonly { readonly label: string; readonly text: string }[]
}

/** One field of a prompt. */
export const fieldOf = ({ lines }: Prompt, label: string): string | undefined => lines.find((line) => line.label === label)?.text

export class Person {
  readonly #daemon: Daemon
  #pagesSeen = 0
  /** What the addresses gave to be brought back, by port. */
  readonly #cookies = new Map<string, string>()

  constructor(daemon: Daemon) {
    this.#daemon = daemon
  }

  /** The open prompts. */
  async prompts(): Promise<readonly Prompt[]> {
    const state = await this.#dashboard('/api/state')
    return ((await state.json()) as { readonly prompts: readonly Prompt[] }).prompts
  }

  /** The prompt that is open, once there is one. */
  async prompt(): Promise<Prompt> {
    return vi.waitFor(async () => {
      const [prompt] = await this.prompts()
      if (prompt === undefined) throw new Error('the daemon asks nothing')
      return prompt
    }, SOON)
  }

  /** Presses a button of a prompt; the status of the answer. */
  async answer({ id }: Pick<Prompt, 'id'>, answer: 'allow' | 'deny'): Promise<number> {
    return (await this.#dashboard(`/api/prompts/${id}/${answer}`, 'POST')).status
  }

  #dashboard(path: string, method = 'GET'): Promise<Response> {
    const page = new URL(this.#daemon.ready.dashboard ?? '')
    return fetch(new URL(path, page), { method, headers: { authorization: `Bearer ${page.hash.replace('#token=', '')}` } })
  }

  /** The next page of the platform that the daemon opens. Allows every prompt before it. */
  async nextPage(): Promise<string> {
    const address = await this.nextAddress()
    const reply = await fetch(address, { redirect: 'manual' })
    this.#cookies.set(new URL(address).host, reply.headers.get('set-cookie')?.split(';')[0] ?? '')
    return reply.headers.get('location') ?? ''
  }

  /** The next address that the daemon names, not opened. */
  async nextAddress(): Promise<string> {
    const index = this.#pagesSeen++
    return vi.waitFor(async () => {
      for (const prompt of await this.prompts()) await this.answer(prompt, 'allow')
      const page = [...this.#daemon.output().matchAll(/If no browser opens, go to (\S+)/g)][index]?.[1]
      if (page === undefined) throw new Error('the daemon has not asked for a page')
      return page
    }, SOON)
  }

  /** Presses a button of the page; where that leads, or an empty text when the page answers itself. */
  async decide(page: string, decision: 'allow' | 'deny'): Promise<string> {
    const refused = await this.redirectOf(page)
    if (refused !== '') throw new Error(`the page leads away at once: ${refused}`)
    const text = await this.visit(page)
    const body = new URLSearchParams()
    for (const [, name = '', value = ''] of text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g))
      body.set(name, value.replaceAll('&amp;', '&'))
    const action = /action="([^"]+)"/.exec(text)?.[1]
    const user = /<option value="([^"]+)" selected>/.exec(text)?.[1]
    if (action === undefined || user === undefined) throw new Error(`this page has nothing to decide:\n${text}`)
    body.set('user_id', user)
    body.set('decision', decision)
    const { origin } = this.#daemon
    const reply = await fetch(new URL(action, origin), { method: 'POST', body, redirect: 'manual', headers: { origin } })
    if (reply.status >= 400) throw new Error(`the page answered ${reply.status}: ${await reply.text()}`)
    return reply.headers.get('location') ?? ''
  }

  /** The text at an address. */
  async visit(address: string): Promise<string> {
    return (await this.#fetch(address)).text()
  }

  /** Where an address leads by itself. */
  async redirectOf(address: string): Promise<string> {
    return (await this.#fetch(address)).headers.get('location') ?? ''
  }

  #fetch(address: string): Promise<Response> {
    return fetch(address, { redirect: 'manual', headers: { cookie: this.#cookies.get(new URL(address).host) ?? '' } })
  }
}
