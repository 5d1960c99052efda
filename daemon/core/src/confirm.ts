/** The interface of a yes/no prompt in a terminal. */

export interface TerminalPrompt {
  /** The id that the answer must contain. */
  readonly id: string
  /** The text, wrapped to the number of columns. */
  readonly text: (columns?: number) => string
}

/** Resolves with true for yes. Rejects if the signal aborts first or the terminal cannot be read. */
export type Confirm = (prompt: TerminalPrompt, signal: AbortSignal) => Promise<boolean>
