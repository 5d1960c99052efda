/** The parts of the page and what each shows of a snapshot. */
import type { DashboardSnapshot } from '../snapshot.ts'
import { inviteCard, pageCard, pauseButton, presenceCard, promptCard } from './cards.ts'
import { cards, hint, problem } from './dom.ts'
import { Region } from './region.ts'
import { accountsTable, countersList, factsList, grantsTable, sessionsTable } from './tables.ts'

type Content = readonly (HTMLElement | string)[]

/** By the id of the element. */
const CONTENTS: Readonly<Record<string, (snapshot: DashboardSnapshot) => Content>> = {
  version: ({ version }) => [version],
  questions: ({ questions, pages, invites }) => [...cards(questions, promptCard), ...cards(pages, pageCard), ...cards(invites, inviteCard)],
  warnings: ({ warnings }) => warnings.map(problem),
  pause: ({ presencePaused }) => [pauseButton(presencePaused)],
  presences: ({ presences, presencePaused }) =>
    presences.length === 0
      ? [hint(presencePaused ? 'You paused presence. Games go on.' : 'No game shows an activity.')]
      : cards(presences, presenceCard),
  sessions: (snapshot) => [sessionsTable(snapshot)],
  grants: (snapshot) => [grantsTable(snapshot)],
  accounts: (snapshot) => [accountsTable(snapshot)],
  facts: (snapshot) => [factsList(snapshot)],
  counters: (snapshot) => [countersList(snapshot)],
}

export class View {
  readonly #parts = Object.entries(CONTENTS).map(([id, contentOf]) => ({ region: new Region(id), contentOf }))
  readonly #status = new Region('words')
  readonly #error = new Region('failed')

  show(snapshot: DashboardSnapshot): void {
    for (const { region, contentOf } of this.#parts) region.fill(...contentOf(snapshot))
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
