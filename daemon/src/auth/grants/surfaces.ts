/** Where questions are shown besides the list on the dashboard: in the terminal that the daemon runs in, or as a word to whoever reads along. */
import type { Confirm } from '@sallyport/core/confirm'
import { questionText } from './question-text.ts'
import type { QuestionSurface } from './questions.ts'

export interface SurfacePorts {
  /** Text for people. */
  readonly announce: (text: string) => void
  /** Asks in the terminal; absent when there is none. */
  readonly confirm?: Confirm
}

export function questionSurfaces({ announce, confirm }: SurfacePorts, isListShown: boolean): readonly QuestionSurface[] {
  if (confirm !== undefined)
    return [(question, signal) => confirm({ id: question.id, text: (columns) => questionText(question, columns) }, signal)]
  if (!isListShown) return []
  const tell: QuestionSurface = (question) => {
    announce(`${questionText(question)}\nAllow or deny it on the dashboard.`)
    // The answer comes from the list.
    return new Promise(() => {})
  }
  return [tell]
}
