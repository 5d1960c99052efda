import { BUDGETS } from '@sallyport/core/budgets'
import { LIMITS } from '@sallyport/protocol'
import { describe, expect, it } from 'vitest'
import { UnauthenticatedRequests } from '#daemon/src/accounting/unauthenticated-requests.ts'
import { BridgeError } from '@sallyport/core/errors'
import type { Program } from '#daemon/src/identity/program.ts'
import { programAt, world as accounts } from './programs.ts'

const MOST = BUDGETS.unauthenticatedFailuresPerProgram.value
const hostile = programAt('/hostile')
const honest = programAt('/honest')
const refusal = () => new BridgeError('INVALID_TOKEN', 'Not this one.', { http_status: 401 })

function world() {
  const { clock, accounting } = accounts()
  const granted = new Set<Program>()
  let asked = 0
  const requests = new UnauthenticatedRequests({
    clock,
    window: accounting.window('unauthenticatedFailures'),
    isGranted: (one) => granted.has(one),
  })
  const refused = async () => {
    asked++
    throw refusal()
  }
  const ask = (token: string, program = hostile) => requests.runForToken(program, '1', token, refused).catch((failure: unknown) => failure)
  return { clock, accounting, granted, requests, ask, asked: () => asked }
}

describe('UnauthenticatedRequests', () => {
  it('limits the refused requests of a program, also concurrent ones, without effect on other programs', async () => {
    const { requests, ask, asked, clock } = world()
    const outcomes = await Promise.all(Array.from({ length: 9000 }, (_, index) => ask(`made-up-${index}`)))
    expect(asked()).toBe(MOST)
    expect(outcomes.filter((one) => (one as BridgeError).error === 'RATE_LIMITED')).toHaveLength(9000 - MOST)
    expect(outcomes.at(-1)).toMatchObject({ detail: { retry_after: LIMITS.invalidRequestsMs.value / 1000 } })
    expect(await requests.runForToken(honest, '1', 'good', async () => 'welcome')).toBe('welcome')
    clock.advance(LIMITS.invalidRequestsMs.value)
    await ask('later')
    expect(asked()).toBe(MOST + 1)
  })

  it('limits all programs together, so that the rest is for signed-in sessions', async () => {
    const { ask, asked } = world()
    for (let index = 0; index < 200; index++)
      await Promise.all(Array.from({ length: MOST }, (_, token) => ask(`${index}-${token}`, programAt(`/copy${index}`))))
    expect(asked()).toBeLessThanOrEqual(BUDGETS.unauthenticatedFailures.value)
  })

  it('keeps places for programs with a grant, which programs without one never take', async () => {
    const { ask, asked, granted, requests } = world()
    for (let index = 0; index < 200; index++)
      await Promise.all(Array.from({ length: MOST }, (_, token) => ask(`${index}-${token}`, programAt(`/copy${index}`))))
    const before = asked()
    expect(before).toBeLessThanOrEqual(BUDGETS.unauthenticatedFailuresWithoutGrant.value)
    const newcomer = requests.run(programAt('/newcomer'), async () => 'welcome')
    await expect(newcomer).rejects.toMatchObject({ error: 'RATE_LIMITED' })
    granted.add(honest)
    expect(await requests.run(honest, async () => 'welcome')).toBe('welcome')
    for (let token = 0; token < 2 * MOST; token++) await ask(`mistaken-${token}`, honest)
    expect(asked() - before).toBe(MOST)
  })

  it('allows any number of successful requests, also concurrent ones', async () => {
    const { requests, accounting } = world()
    let most = 0
    let now = 0
    const good = async (index: number) => {
      most = Math.max(most, ++now)
      await Promise.resolve()
      now--
      return index
    }
    const answers = await Promise.all(Array.from({ length: 1000 }, (_, index) => requests.run(hostile, () => good(index))))
    expect(answers).toEqual(Array.from({ length: 1000 }, (_, index) => index))
    expect(most).toBeLessThanOrEqual(MOST)
    expect(accounting.window('unauthenticatedFailures').ledger.sum).toBe(0)
  })

  it('does not verify a recently refused token again', async () => {
    const { ask, asked, clock } = world()
    for (let count = 0; count < 5; count++) expect(await ask('same')).toMatchObject({ error: 'INVALID_TOKEN' })
    expect(asked()).toBe(1)
    clock.advance(BUDGETS.rejectedTokenMs.value)
    await ask('same')
    expect(asked()).toBe(2)
  })

  it('counts nothing that the platform did not refuse', async () => {
    const { requests, accounting } = world()
    const away = () => Promise.reject(new BridgeError('SERVICE_UNAVAILABLE', 'Away.'))
    for (let count = 0; count < MOST * 2; count++) await expect(requests.run(hostile, away)).rejects.toThrow('Away')
    expect(accounting.window('unauthenticatedFailures').ledger.sum).toBe(0)
  })
})
