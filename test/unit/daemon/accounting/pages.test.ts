import { BUDGETS } from '@sallyport/core/budgets'
import { describe, expect, it } from 'vitest'
import { pageCharges } from '#daemon/src/accounting/pages.ts'
import { type Program, programOf } from '#daemon/src/identity/program.ts'
import { programAt, world as accounts } from './programs.ts'

const hostile = programAt('/hostile')

function world(isGranted: (program: Program, applicationId: string) => boolean = () => false) {
  const { clock, accounting } = accounts()
  return { clock, charge: pageCharges({ accounting, isGranted }) }
}

describe('pageCharges', () => {
  it('allows one open page per program across all applications', () => {
    const { charge } = world()
    const release = charge(hostile, '1')
    expect(() => charge(hostile, '2')).toThrow(expect.objectContaining({ error: 'TRANSACTION_ABORTED' }))
    charge(programAt('/honest'), '1')
    release()
    release()
    charge(hostile, '2')
  })

  it('opens three pages in ten minutes, also when they are cancelled at once', () => {
    const { charge, clock } = world()
    for (let page = 0; page < BUDGETS.authorizePagesOpenedPerProgram.value; page++) charge(hostile, String(page))()
    const refused = expect.objectContaining({ error: 'RATE_LIMITED', detail: { retry_after: 600 } })
    for (let page = 0; page < 100; page++) expect(() => charge(hostile, String(page))).toThrow(refused)
    charge(programAt('/honest'), '1')
    clock.advance(BUDGETS.authorizePagesWindowMs.value)
    charge(hostile, '1')
  })

  it('opens one page for all origins together', () => {
    const { charge } = world()
    charge(programOf({ origin: 'https://one.example' }), '1')
    expect(() => charge(programOf({ origin: 'https://two.example' }), '2')).toThrow(
      expect.objectContaining({ error: 'TRANSACTION_ABORTED' }),
    )
    charge(hostile, '1')
  })

  it('does not limit a program with a grant for the application', () => {
    const { charge } = world((_, applicationId) => applicationId === '1')
    for (let page = 0; page < 10; page++) charge(hostile, '1')
    charge(hostile, '2')
    expect(() => charge(hostile, '2')).toThrow(/already open/)
  })
})
