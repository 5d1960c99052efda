/** AUTHENTICATE with a token: the platform is asked while the vault opens, by the rule for unproven tokens. */
import { BUDGETS } from '@sallyport/core/budgets'
import { BridgeError } from '@sallyport/core/errors'
import { describe, expect, test } from 'vitest'
import { settled } from '#test/support/fake-clock.ts'
import { authorizationInformation, meaningOf, tokenOf } from '#test/support/tokens.ts'
import { ADA, APPLICATION, signedIn, start } from './signed-in.ts'

const INFORMATION = 'GET_CURRENT_AUTHORIZATION_INFORMATION'
const MOST = BUDGETS.unauthenticatedFailuresPerProgram.value
const refused = () => new BridgeError('INVALID_TOKEN', 'Not this one.', { http_status: 401 })

/** A program with a stored token, whose vault and platform answer when the test says so. */
async function slow() {
  const made = await signedIn()
  const [{ tokens } = {}] = await made.tokenStore.list()
  const token = tokens?.accessToken.reveal() ?? ''
  const vault = Promise.withResolvers<void>()
  const platform = Promise.withResolvers<void>()
  const asked: string[] = []
  const read = made.tokenStore.storedFor.bind(made.tokenStore)
  made.tokenStore.storedFor = async (...key) => {
    asked.push('vault')
    await vault.promise
    return read(...key)
  }
  made.platform.replies.set(INFORMATION, async ({ credential }) => {
    asked.push('platform')
    await platform.promise
    const meaning = meaningOf(credential?.token.reveal() ?? '')
    if (meaning === undefined) throw refused()
    return authorizationInformation(meaning)
  })
  const authenticate = (given: string) => made.join().ask('AUTHENTICATE', { access_token: given })
  return { ...made, token, vault, platform, asked, authenticate }
}

describe('AUTHENTICATE with a token', () => {
  test.each([
    ['vault', 'platform'],
    ['platform', 'vault'],
  ] as const)('asks vault and platform at once, and waits for both: the %s answers before the %s', async (first, last) => {
    const made = await slow()
    const answer = made.authenticate(made.token)
    await settled()
    expect(made.asked.toSorted()).toEqual(['platform', 'vault'])
    made[first].resolve()
    await settled()
    expect(made.registry.signedInAs({ applicationId: APPLICATION, userId: ADA })).toEqual([])
    made[last].resolve()
    expect(await answer).toMatchObject({ evt: null, data: { user: { id: ADA } } })
    expect(made.registry.signedInAs({ applicationId: APPLICATION, userId: ADA })[0]?.signedIn).toMatchObject({ isManaged: true })
    expect(made.asked).toHaveLength(2)
  })

  test('a token that is not stored is not managed, although the program has a stored one', async () => {
    const made = await slow()
    made.vault.resolve()
    made.platform.resolve()
    expect(await made.authenticate(tokenOf(['identify']))).toMatchObject({ evt: null, data: { user: { id: ADA } } })
    expect(made.registry.signedInAs({ applicationId: APPLICATION, userId: ADA })[0]?.signedIn).toMatchObject({ isManaged: false })
  })

  test('the limit of refused requests holds while the vault is open, and while it opens', async () => {
    const made = await slow()
    made.platform.resolve()
    const opening = Array.from({ length: MOST }, (_, at) => made.authenticate(`made-up-${at}`))
    await settled()
    made.vault.resolve()
    await Promise.all(opening)
    const requests = made.asked.filter((one) => one === 'platform').length
    expect(requests).toBe(MOST)
    expect(await made.authenticate('made-up-too')).toMatchObject({ data: { code: 5011 } })
    expect(made.asked.filter((one) => one === 'platform')).toHaveLength(MOST)
    expect(await made.authenticate(made.token), 'the stored token needs no place in the limit').toMatchObject({ evt: null })
  })

  test('a vault that does not open refuses no token, and makes none managed', async () => {
    const made = await slow()
    made.vault.reject(new BridgeError('SERVICE_UNAVAILABLE', 'The keychain is locked.'))
    made.platform.resolve()
    expect(await made.authenticate(made.token)).toMatchObject({ evt: null })
    expect(made.registry.signedInAs({ applicationId: APPLICATION, userId: ADA })[0]?.signedIn).toMatchObject({ isManaged: false })
  })

  test('of a program without a grant does not ask the vault', async () => {
    const { join, tokenStore } = start()
    let reads = 0
    tokenStore.storedFor = async () => {
      reads++
      return []
    }
    expect(await join().ask('AUTHENTICATE', { access_token: tokenOf(['identify']) })).toMatchObject({ evt: null })
    expect(reads).toBe(0)
  })
})
