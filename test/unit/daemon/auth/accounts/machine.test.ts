/** Every pair of state and event, and the drawing of them in the docs. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ACCOUNT_END_CAUSES, ACCOUNT_STATES, type AccountState } from '@sallyport/protocol'
import { describe, expect, test } from 'vitest'
import {
  ACCOUNT_EVENTS,
  type AccountEvent,
  REVOCATION_REASONS,
  endCauseOf,
  isInvalid,
  transition,
} from '#daemon/src/auth/accounts/machine.ts'
import { drawing, table } from './drawing.ts'

const PAIRS = ACCOUNT_STATES.flatMap((state) => ACCOUNT_EVENTS.map((event) => [state, event] as const))
const ALL = ['delete-tokens', 'end-sessions', 'end-children']

/** The next state; undefined when the event is invalid. */
const to = (state: AccountState, event: AccountEvent): AccountState | undefined => {
  const next = transition(state, event)
  return isInvalid(next) ? undefined : next.to
}

describe('the table', () => {
  test.each(PAIRS)('%s, %s: has a next state, or a reason why it is invalid', (state, event) => {
    const next = transition(state, event)
    if (isInvalid(next)) expect(next.invalid).toMatch(/^[a-z].{20,}/)
    else expect(ACCOUNT_STATES).toContain(next.to)
  })

  test.each(PAIRS)('%s, %s: a lost sign-in has a cause and a method to sign in again, and no stored tokens stay', (state, event) => {
    const next = transition(state, event)
    if (isInvalid(next)) return
    if (next.effects.includes('end-sessions')) {
      expect(endCauseOf(event)).toBe(event)
      expect(next.signIn.length).toBeGreaterThan(0)
      expect(next.effects).toEqual(ALL)
    }
    // An account without a use here keeps no tokens.
    if (next.to === 'unlinked' && state !== 'unlinked') expect(next.effects).toContain('delete-tokens')
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

  test.each(ACCOUNT_END_CAUSES)('%s has a sentence for users', (cause) => {
    expect(REVOCATION_REASONS[cause]).toMatch(/^[A-Z].+\.$/)
  })
})

/** The rules of the specification. */
describe('the rules', () => {
  test('a ban of a linked account: tokens deleted at once, sessions ended, the provisional path offered', { tags: ['3-8'] }, () => {
    expect(transition('linked', 'banned')).toEqual({ to: 'unlinked', effects: ALL, signIn: ['provisional'] })
  })

  test('the provisional account made after a ban refuses merges until the ban is lifted', { tags: ['3-10'] }, () => {
    expect(to('provisional', 'merge_refused_banned')).toBe('restricted')
    expect(to('restricted', 'merge_refused_banned')).toBe('restricted')
    expect(to('restricted', 'provisional_token')).toBe('restricted')
    expect(to('restricted', 'token_expired')).toBe('restricted')
    expect(to('restricted', 'ban_lifted')).toBe('provisional')
  })

  test.each(['refresh_refused', 'deauthorized', 'token_refused'] as const)(
    '%s has the same result: try provisional, then OAuth 2',
    { tags: ['4.1-20', '5-27', '9.1-37'] },
    (event) => {
      expect(transition('linked', event)).toEqual({ to: 'unlinked', effects: ALL, signIn: ['provisional', 'oauth2'] })
    },
  )

  test.each(['revoked_by_game', 'revoked_by_user'] as const)('%s ends the account in every state', (event) => {
    for (const state of ACCOUNT_STATES) expect(transition(state, event)).toMatchObject({ to: 'unlinked', effects: ALL })
  })

  test('an expired provisional account needs a new token of its provider', { tags: ['5-16'] }, () => {
    expect(transition('provisional', 'token_expired')).toEqual({ to: 'expired', effects: ALL, signIn: ['provisional'] })
    expect(to('expired', 'provisional_token')).toBe('provisional')
    expect(transition('linked', 'token_expired')).toMatchObject({ to: 'unlinked', signIn: ['oauth2'] })
  })

  test('a merge links the account and removes the provisional one, without ending the session that requested it', () => {
    expect(to('unlinked', 'merged')).toBe('linked')
    for (const state of ['provisional', 'restricted', 'expired'] as const)
      expect(transition(state, 'absorbed')).toEqual({ to: 'unlinked', effects: ['delete-tokens'], signIn: ['oauth2'] })
  })

  test('an unmerge ends the linked account', () => {
    expect(transition('linked', 'unmerged')).toMatchObject({ to: 'unlinked', effects: ALL })
  })

  test('a linked identity must use OAuth 2, and nothing ends', () => {
    for (const state of ['unlinked', 'linked'] as const)
      expect(transition(state, 'identity_linked')).toEqual({ to: state, effects: [], signIn: ['oauth2'] })
  })

  test('a child ends with its parent, stays after a refresh of the parent, and cannot be refreshed', { tags: ['5-19'] }, () => {
    expect(transition('child', 'parent_ended')).toEqual({ to: 'unlinked', effects: ALL, signIn: ['parent_token'] })
    expect(transition('linked', 'refreshed')).toEqual({ to: 'linked', effects: [], signIn: [] })
    expect(isInvalid(transition('child', 'refreshed'))).toBe(true)
    expect(isInvalid(transition('child', 'code_exchanged'))).toBe(true)
  })
})

describe('daemon/docs/accounts.md', () => {
  const FILE = join(import.meta.dirname, '../../../../../daemon/docs/accounts.md')
  const between = (name: string, text: string) => `<!-- ${name}: follows the table -->\n\n${text}\n\n<!-- end of ${name} -->`

  // To bring the page up to date after a change of the table, run this file with WRITE_DOCS=1.
  test('matches the table', async () => {
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
