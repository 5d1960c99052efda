/** The parts of the page and what each shows of the state. */
import type { BridgeState } from '@sallyport/protocol'
import { inviteCard, pageCard, pauseButton, presenceCard, promptCard } from './cards.ts'
import { cards, hint, problem } from './dom.ts'
import { Region } from './region.ts'
import { accountsTable, countersList, factsList, grantsTable, gamesTable } from './tables.ts'

type Content = readonly (HTMLElement | string)[]

/** By the id of the element. */
const CONTENTS: Readonly<Record<string, (state: BridgeState) => Content>> = {
  version: ({ version }) => [version],
  prompts: ({ prompts, pages, invites, omitted }) => [
    ...cards(prompts, promptCard, omitted.prompts),
    ...cards(pages, pageCard, omitted.pages),
    ...cards(invites, inviteCard, omitted.invites),
  ],
  warnings: ({ warnings, omitted }) => cards(warnings, ({ message, advice }) => problem(`${message} ${advice}`), omitted.warnings),
  pause: ({ presence_paused: isPaused }) => [pauseButton(isPaused)],
  presences: ({ presences, presence_paused: isPaused, omitted }) =>
    presences.length === 0
      ? [hint(isPaused ? 'You paused presence. Games go on.' : 'No game shows an activity.')]
      : cards(presences, presenceCard, omitted.presences),
  games: (state) => [gamesTable(state)],
  grants: (state) => [grantsTable(state)],
  accounts: (state) => [accountsTable(state)],
  facts: (state) => [factsList(state)],
  counters: (state) => [countersList(state)],
}

export class View {
  readonly #parts = Object.entries(CONTENTS).map(([id, contentOf]) => ({ region: new Region(id), contentOf }))
  readonly #status = new Region('words')
  readonly #error = new Region('failed')

  show(state: BridgeState): void {
    for (const { region, contentOf } of this.#parts) region.fill(...contentOf(state))
    this.#setStatus('live', false)
  }

  /** Says why the page shows no current state. */
  lost(reason: string): void {
    this.#setStatus(reason, true)
  }

  /** The problem of the last click; undefined removes it. */
  setError(text: string | undefined): void {
    this.#error.fill(...(text === undefined ? [] : [problem(text)]))
  }

  #setStatus(text: string, isLost: boolean): void {
    this.#status.fill(text)
    document.body.classList.toggle('lost', isLost)
  }
}
