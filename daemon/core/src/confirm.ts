/** A question that a person answers in a terminal: the port. */

export interface TerminalQuestion {
  /** What the answer has to name. */
  readonly id: string
  /** Rows for a terminal of so many columns. */
  readonly text: (columns?: number) => string
}

/** True: yes. Rejects when the signal aborts first, or nobody can answer there. */
export type Confirm = (question: TerminalQuestion, signal: AbortSignal) => Promise<boolean>
