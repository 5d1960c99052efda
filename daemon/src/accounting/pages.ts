/** Who may open an authorization page in the user's browser, and how often. */
import { LIMITS } from '@sallyport/protocol'
import { BridgeError } from '@sallyport/core/errors'
import { placeKey, type Program } from '../identity/program.ts'
import { type Accounting, PAGES_TOGETHER, type Release } from './accounting.ts'

const SECOND_MS = 1000

export interface PageChargesParts {
  readonly accounting: Accounting
  /** Whether the user has allowed this program something for this application. */
  readonly isGranted: (program: Program, applicationId: string) => boolean
}

/**
 * Charges a page to the program for which it opens. What was granted something may ask again; others have one page at a time, and a few in
 * ten minutes, whatever the application, and also when they give them up.
 */
export const pageCharges =
  ({ accounting, isGranted }: PageChargesParts) =>
  (program: Program, applicationId: string): Release => {
    if (isGranted(program, applicationId)) return () => {}
    const payer = program.kind === 'page' ? PAGES_TOGETHER : program
    const place = placeKey(payer)
    const asked = accounting.window('pagesAsked')
    const waitMs = asked.waitMs(place)
    if (waitMs > 0) throw tooOften(waitMs)
    const release = accounting.charge('pages', payer)
    if (release === undefined)
      throw new BridgeError('TRANSACTION_ABORTED', 'An authorization page of this program is open already; answer or close it first.')
    asked.count(place)
    return release
  }

function tooOften(waitMs: number): BridgeError {
  const seconds = Math.ceil(waitMs / SECOND_MS)
  const minutes = LIMITS.authorizePagesWindowMs.value / 60 / SECOND_MS
  return new BridgeError(
    'RATE_LIMITED',
    `A program to which the user allowed nothing yet may open ${LIMITS.authorizePagesAskedOfProgram.value} authorization pages in ${minutes} minutes; try again in ${seconds} s.`,
    { retry_after: seconds },
  )
}
