/** Every pair of state and event, and the drawing of them in the docs. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AccountEndCause, type AccountState } from '@sallyport/protocol'
import { describe, expect, test } from 'vitest'
import {
  ACCOUNT_EVENTS,
  ACCOUNT_STATES,
  ACCOUNT_TABLE,
  type AccountEvent,
  END_REASONS,
  endCauseOf,
  isImpossible,
  nextOf,
} from '../../../../../daemon/src/auth/accounts/machine.ts'
import { drawing, table } from './drawing.ts'

const PAIRS = ACCOUNT_STATES.flatMap((state) => ACCOUNT_EVENTS.map((event) => [state, event] as const))
const ALL = ['delete-tokens', 'end-sessions', 'end-children']

/** Where an event leads; undefined when it cannot follow. */
const to = (state: AccountState, event: AccountEvent): AccountState | undefined => {
  const next = nextOf(state, event)
  return isImpossible(next) ? undefined : next.to
}

describe('the table', () => {
  test('has every pair and nothing else', () => {
    expect(Object.keys(ACCOUNT_TABLE)).toEqual(ACCOUNT_STATES)
    for (const state of ACCOUNT_STATES) expect(Object.keys(ACCOUNT_TABLE[state]).toSorted(), state).toEqual([...ACCOUNT_EVENTS].toSorted())
  })

  test.each(PAIRS)('%s, %s: leads to a state, or says why it cannot be', (state, event) => {
    const next = nextOf(state, event)
    if (isImpossible(next)) expect(next.impossible).toMatch(/^[a-z].{20,}/)
    else expect(ACCOUNT_STATES).toContain(next.to)
  })

  test.each(PAIRS)('%s, %s: who loses the sign-in is told a cause and a way back, and nothing stored is left behind', (state, event) => {
    const next = nextOf(state, event)
    if (isImpossible(next)) return
    if (next.duties.includes('end-sessions')) {
      expect(endCauseOf(event)).toBe(event)
      expect(next.signIn.length).toBeGreaterThan(0)
      expect(next.duties).toEqual(ALL)
    }
    // An account nobody may use here keeps no tokens.
    if (next.to === 'unlinked' && state !== 'unlinked') expect(next.duties).toContain('delete-tokens')
  })

  test('each state can be reached from the first, and left', () => {
    const reached = new Set<AccountState>(['unlinked'])
    for (const state of reached) for (const event of ACCOUNT_EVENTS) reached.add(to(state, event) ?? state)
    expect([...reached].toSorted()).toEqual([...ACCOUNT_STATES].toSorted())
    for (const state of ACCOUNT_STATES)
      expect(
        ACCOUNT_EVENTS.some((event) => (to(state, event) ?? state) !== state),
        state,
      ).toBe(true)
  })

  test.each(AccountEndCause.options)('%s has a sentence for people', (cause) => {
    expect(END_REASONS[cause]).toMatch(/^[A-Z].+\.$/)
  })
})

/** What the specification says, word by word. */
describe('the rules', () => {
  test('a ban of a linked account: tokens deleted at once, sessions ended, the provisional path offered', () => {
    expect(nextOf('linked', 'banned')).toEqual({ to: 'unlinked', duties: ALL, signIn: ['provisional'] })
  })

  test('the provisional account made after a ban refuses merges until the ban is lifted', () => {
    expect(to('provisional', 'merge_refused_banned')).toBe('restricted')
    expect(to('restricted', 'merge_refused_banned')).toBe('restricted')
    expect(to('restricted', 'provisional_token')).toBe('restricted')
    expect(to('restricted', 'token_expired')).toBe('restricted')
    expect(to('restricted', 'ban_lifted')).toBe('provisional')
  })

  test.each(['refresh_refused', 'deauthorized', 'token_refused'] as const)('%s is the same end: try provisional, then OAuth 2', (event) => {
    expect(nextOf('linked', event)).toEqual({ to: 'unlinked', duties: ALL, signIn: ['provisional', 'oauth2'] })
  })

  test.each(['revoked_by_game', 'revoked_by_user'] as const)('%s ends the account in every state', (event) => {
    for (const state of ACCOUNT_STATES) expect(nextOf(state, event)).toMatchObject({ to: 'unlinked', duties: ALL })
  })

  test('an expired provisional account comes back by a fresh token of its provider alone', () => {
    expect(nextOf('provisional', 'token_expired')).toEqual({ to: 'expired', duties: ALL, signIn: ['provisional'] })
    expect(to('expired', 'provisional_token')).toBe('provisional')
    expect(nextOf('linked', 'token_expired')).toMatchObject({ to: 'unlinked', signIn: ['oauth2'] })
  })

  test('a merge makes the account linked and takes the provisional one away, without ending the connection that did it', () => {
    expect(to('unlinked', 'merged')).toBe('linked')
    for (const state of ['provisional', 'restricted', 'expired'] as const)
      expect(nextOf(state, 'absorbed')).toEqual({ to: 'unlinked', duties: ['delete-tokens'], signIn: ['oauth2'] })
  })

  test('an unmerge ends the linked account', () => {
    expect(nextOf('linked', 'unmerged')).toMatchObject({ to: 'unlinked', duties: ALL })
  })

  test('a linked identity is sent to OAuth 2, and nothing ends', () => {
    for (const state of ['unlinked', 'linked'] as const)
      expect(nextOf(state, 'identity_linked')).toEqual({ to: state, duties: [], signIn: ['oauth2'] })
  })

  test('a child ends with its parent, survives a refresh of it, and has no refresh of its own', () => {
    expect(nextOf('child', 'parent_ended')).toEqual({ to: 'unlinked', duties: ALL, signIn: ['parent_token'] })
    expect(nextOf('linked', 'refreshed')).toEqual({ to: 'linked', duties: [], signIn: [] })
    expect(isImpossible(nextOf('child', 'refreshed'))).toBe(true)
    expect(isImpossible(nextOf('child', 'code_exchanged'))).toBe(true)
  })
})

describe('daemon/docs/accounts.md', () => {
  const FILE = join(import.meta.dirname, '../../../../../daemon/docs/accounts.md')
  const between = (name: string, text: string) => `<!-- ${name}: follows the table -->\n\n${text}\n\n<!-- end of ${name} -->`

  // To bring the page up to date after a change of the table, run this file with WRITE_DOCS=1.
  test('draws what the table says', async () => {
    let page = await readFile(FILE, 'utf8')
    if (process.env['WRITE_DOCS'] === '1') {
      for (const [name, text] of [
        ['drawing', drawing()],
        ['table', table()],
      ] as const)
        page = page.replace(new RegExp(`<!-- ${name}: [^]*<!-- end of ${name} -->`), () => between(name, text))
      await writeFile(FILE, page)
    }
    expect(page).toContain(between('drawing', drawing()))
    expect(page).toContain(between('table', table()))
  })
})
