import { BUDGETS } from '@sallyport/core/budgets'
import { describe, expect, it } from 'vitest'
import { Accounting } from '#daemon/src/accounting/accounting.ts'
import { CallbackRegistry } from '#daemon/src/auth/oauth/callback-registry.ts'
import { Secret } from '@sallyport/core/secret'
import { FakeClock } from '#test/support/fake-clock.ts'

const REDIRECT = 'mygame:/authorize/callback'
const STATE = 'a-state-that-is-not-guessed'

function world() {
  const clock = new FakeClock()
  const made = new CallbackRegistry(new Accounting(clock).window('invalidCallbacks'))
  /** The state is the game's own, unless it is said to be generated. */
  const desk = { open: (...[id, uri, state]: [string, string, string]) => made.open(id, uri, state, false) }
  const openGenerated = (state: string) => made.open('1', REDIRECT, state, true)
  return { clock, desk, openGenerated, deliver: (text: string, by = 'handler') => made.deliver(new Secret(text), by) }
}

const failureOf = (work: () => unknown): unknown => {
  try {
    return work()
  } catch (failure) {
    return failure
  }
}

describe('CallbackDesk', () => {
  it.each([
    `${REDIRECT}?code=c&state=${STATE}`,
    `MyGame:/authorize/callback?state=${STATE}&code=c`,
    `mygame:///authorize/callback?code=c&state=${STATE}#fragment`,
  ])('resolves the sign-in with that state with %s', async (text) => {
    const { desk, deliver } = world()
    const other = desk.open('2', 'other:/authorize/callback', 'other state')
    const { redirect, redirectUri } = desk.open('1', REDIRECT, STATE)
    expect(redirectUri).toBe(REDIRECT)
    expect(deliver(text)).toEqual({ applicationId: '1', error: undefined })
    const answer = await redirect
    expect(answer.kind === 'code' && answer.code.reveal()).toBe('c')
    expect(await Promise.race([other.redirect, Promise.resolve('still waiting')])).toBe('still waiting')
  })

  it.each([
    ['an unknown state', `${REDIRECT}?code=c&state=other`, 'INVALID_CONNECTION_CALLBACK_STATE', /No sign-in expects/],
    ['no state', `${REDIRECT}?code=c`, 'INVALID_CONNECTION_CALLBACK_STATE', /No sign-in expects/],
    ['another scheme', `yourgame:/authorize/callback?code=c&state=${STATE}`, 'INVALID_PAYLOAD', /another scheme/],
    ['a scheme of the system', `https:/authorize/callback?code=c&state=${STATE}`, 'INVALID_PAYLOAD', /SCHEME:/],
    ['another path', `mygame:/join?code=c&state=${STATE}`, 'INVALID_PAYLOAD', /SCHEME:/],
    ['another host', `mygame://evil/authorize/callback?code=c&state=${STATE}`, 'INVALID_PAYLOAD', /SCHEME:/],
    ['no address', 'hello', 'INVALID_PAYLOAD', /SCHEME:/],
    ['neither code nor error', `${REDIRECT}?state=${STATE}`, 'INVALID_PAYLOAD', /incomplete/],
    ['two codes', `${REDIRECT}?code=a&code=b&state=${STATE}`, 'INVALID_PAYLOAD', /incomplete/],
  ])('refuses %s, and still waits for the right one', async (_, text, error, sentence) => {
    const { desk, deliver } = world()
    const { redirect } = desk.open('1', REDIRECT, STATE)
    const failure = failureOf(() => deliver(text))
    expect(failure).toMatchObject({ error, message: expect.stringMatching(sentence) as string })
    expect(JSON.stringify(failure)).not.toContain('code=')
    deliver(`${REDIRECT}?code=right&state=${STATE}`)
    expect(await redirect).toMatchObject({ kind: 'code' })
  })

  it('distinguishes a repeated callback from a wrong one', () => {
    const { desk, deliver } = world()
    desk.open('1', REDIRECT, STATE)
    deliver(`${REDIRECT}?code=c&state=${STATE}`)
    expect(failureOf(() => deliver(`${REDIRECT}?code=c&state=${STATE}`))).toMatchObject({
      error: 'INVALID_CONNECTION_CALLBACK_STATE',
      message: expect.stringMatching(/has already received its callback/) as string,
    })
  })

  it('refuses a state that another authorization uses', async () => {
    const { desk } = world()
    const first = desk.open('1', REDIRECT, STATE)
    expect(failureOf(() => desk.open('2', 'other:/authorize/callback', STATE))).toMatchObject({
      error: 'INVALID_PAYLOAD',
      detail: { path: 'state' },
    })
    await first.close()
    expect(desk.open('2', 'other:/authorize/callback', STATE).redirectUri).toBe('other:/authorize/callback')
  })

  it('accepts a generated state from any program, after any number of wrong ones', () => {
    const { openGenerated, deliver } = world()
    openGenerated(STATE)
    for (let guess = 0; guess < 1000; guess++) failureOf(() => deliver(`${REDIRECT}?code=c&state=${guess}`))
    expect(deliver(`${REDIRECT}?code=c&state=${STATE}`)).toMatchObject({ applicationId: '1' })
  })

  it('takes callbacks of another program after one has guessed too often', () => {
    const { desk, deliver } = world()
    desk.open('1', REDIRECT, STATE)
    for (let guess = 0; guess < 1000; guess++) failureOf(() => deliver(`${REDIRECT}?code=c&state=${guess}`, 'stranger'))
    expect(deliver(`${REDIRECT}?code=c&state=${STATE}`)).toMatchObject({ applicationId: '1' })
  })

  it('bounds guessing: after some wrong states nothing is taken for a while', () => {
    const { desk, deliver, clock } = world()
    desk.open('1', REDIRECT, STATE)
    for (let guess = 0; guess < BUDGETS.invalidCallbacksPerProgram.value; guess++)
      failureOf(() => deliver(`${REDIRECT}?code=c&state=${guess}`))
    const right = `${REDIRECT}?code=c&state=${STATE}`
    expect(failureOf(() => deliver(right))).toMatchObject({ error: 'RATE_LIMITED', detail: { retry_after: 60 } })
    clock.advance(BUDGETS.invalidCallbacksWindowMs.value)
    expect(deliver(right)).toMatchObject({ applicationId: '1' })
  })
})
