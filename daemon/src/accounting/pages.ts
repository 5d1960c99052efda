/** Limits which programs may open an authorization page in the user's browser, and how often. */
import { BUDGETS } from '@sallyport/core/budgets'
import { SECOND_MS } from '@sallyport/core/durations'
import { BridgeError } from '@sallyport/core/errors'
import { programKey, type Program } from '../identity/program.ts'
import { type Accounting, ALL_WEB_PAGES, type Release } from './accounting.ts'

interface PageChargesDeps {
  readonly accounting: Accounting
  /** Whether the user has allowed this program something for this application. */
  readonly isGranted: (program: Program, applicationId: string) => boolean
}

/**
 * Charges a page to the program for which it opens. A program with a grant is not limited. Others have one page at a time and a few in ten
 * minutes, across all applications, cancelled ones included.
 */
export const pageCharges =
  ({ accounting, isGranted }: PageChargesDeps) =>
  (program: Program, applicationId: string): Release => {
    if (isGranted(program, applicationId)) return () => {}
    const chargedProgram = program.kind === 'page' ? ALL_WEB_PAGES : program
    const key = programKey(chargedProgram)
    const opened = accounting.window('authorizePagesOpened')
    const waitMs = opened.waitMs(key)
    if (waitMs > 0) throw tooOften(waitMs)
    const release = accounting.charge('authorizePages', chargedProgram)
    if (release === undefined)
      throw new BridgeError('TRANSACTION_ABORTED', 'An authorization page of this program is already open; answer or close it first.')
    opened.count(key)
    return release
  }

function tooOften(waitMs: number): BridgeError {
  const seconds = Math.ceil(waitMs / SECOND_MS)
  const minutes = BUDGETS.authorizePagesWindowMs.value / 60 / SECOND_MS
  return new BridgeError(
    'RATE_LIMITED',
    `A program that the user has not allowed yet may open ${BUDGETS.authorizePagesOpenedPerProgram.value} authorization pages in ${minutes} minutes; try again in ${seconds} s.`,
    { retry_after: seconds },
  )
}
