/** Where questions are shown besides the list on the dashboard: in the terminal that the daemon runs in, or as a word to whoever reads along. */
import { questionText } from './question-text.ts'
import type { QuestionSurface } from './questions.ts'

export interface SurfacePorts {
  /** One line for people. */
  readonly announce: (line: string) => void
  /** Asks yes or no in the terminal; absent when there is none. Rejects when the signal aborts or nobody can answer there. */
  readonly confirm?: (text: string, signal: AbortSignal) => Promise<boolean>
}

export function questionSurfaces({ announce, confirm }: SurfacePorts, isListShown: boolean): readonly QuestionSurface[] {
  if (confirm !== undefined) return [(question, signal) => confirm(questionText(question), signal)]
  if (!isListShown) return []
  const tell: QuestionSurface = (question) => {
    announce(`${questionText(question)} Allow or deny it on the dashboard.`)
    // The answer comes from the list.
    return new Promise(() => {})
  }
  return [tell]
}
