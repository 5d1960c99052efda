/** What the sandbox answers otherwise than the description says, with a reason. The table may only become shorter. */

/** Fields that may differ, at most. */
export const DIFFERENCES_MAX = 25

export interface AnswerDifference {
  /** Record and field, as the command prints them. */
  readonly field: string
  /** What is found there. */
  readonly found: readonly string[]
  readonly reason: string
}

export const ANSWER_DIFFERENCES: readonly AnswerDifference[] = []
