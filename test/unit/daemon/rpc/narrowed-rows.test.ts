/** A property over all rows: a session with fewer scopes than its token is refused each row that needs a missing one, before its arguments are read. */
import {
  COMMANDS,
  type CommandRow,
  ENDPOINTS,
  type EndpointRow,
  EVENTS,
  type EventRow,
  expandScopes,
  isOAuthScope,
  SCOPES,
} from '@sallyport/protocol'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { chooseForGrant } from '#daemon/src/sessions/grant-choices.ts'
import { runs } from '#test/fuzz/runs.ts'
import { plainArgsOf } from '#test/support/row-call.ts'
import { tokenOf } from '#test/support/tokens.ts'
import { start } from './handlers/signed-in.ts'

const OAUTH = Object.keys(SCOPES).filter(isOAuthScope)
const LEAVES = OAUTH.filter((scope) => expandScopes([scope]).size === 1)
const ROWS: readonly CommandRow[] = Object.values(COMMANDS)
/** These change the session or the bridge, and need no scope of a token. */
const CHANGING = new Set(['AUTHENTICATE', 'AUTHORIZE'])

/** A scope is missing if the user took it, or a part of it. */
const isMissing = (scope: string, denied: ReadonlySet<string>): boolean => [...expandScopes([scope])].some((part) => denied.has(part))
const needsMissing = ({ requires }: Pick<CommandRow, 'requires'>, denied: ReadonlySet<string>): boolean =>
  requires.length > 0 && requires.every((set) => set.some((scope) => isMissing(scope, denied)))

/** A game signed in with a token of every scope, and what narrows its grant. */
async function wide() {
  const made = start()
  made.tokenEndpoint.scopes = OAUTH
  made.consent.decide = async () => {}
  const game = made.join()
  await game.ask('GET_TOKEN', { code: 'code-for-the-game', code_verifier: 'v'.repeat(43), redirect_uri: 'http://127.0.0.1:9/' })
  await game.ask('AUTHENTICATE', { access_token: tokenOf(OAUTH) })
  const deps = {
    ...made.revocation,
    scopesChanged: () => {},
    visibilityChanged: () => {},
    placesChanged: () => {},
    knownPlaces: () => [],
    temporary: { check: () => {} },
  }
  const narrow = (scopes: readonly string[]) => chooseForGrant(made.grants.live()[0]?.id ?? '', 'narrow', { scopes }, deps)
  return { ...made, game, narrow }
}

const ENDPOINT_ROWS = new Map<string, EndpointRow>(Object.entries(ENDPOINTS))
/** Rows that a user's token serves. The daemon has no bot token here. */
const isOfUser = ({ auth }: EndpointRow): boolean => auth === 'user' || auth === 'user-or-bot'

/** The arguments of a row whose command or whose request at the platform needs a missing scope; undefined for any other row. */
function callOf(row: CommandRow, denied: ReadonlySet<string>): object | undefined {
  if (CHANGING.has(row.name)) return undefined
  const endpoint = ENDPOINT_ROWS.get(row.name)
  if (endpoint !== undefined && isOfUser(endpoint) && endpoint.unavailable === undefined && needsMissing(endpoint, denied))
    return plainArgsOf(endpoint)
  return needsMissing(row, denied) ? {} : undefined
}

async function refusedRows(denied: readonly string[]) {
  const { game, narrow, platform } = await wide()
  const taken = new Set(denied)
  const calls = ROWS.flatMap((row) => {
    const args = callOf(row, taken)
    return args === undefined ? [] : [{ name: row.name, args }]
  })
  expect(await narrow(denied)).toBe(true)
  const sent = platform.calls.length
  for (const { name, args } of calls) {
    const { evt, data } = await game.ask(name, args)
    const refusal = { code: 4006, message: expect.stringMatching(/needs the scope .*the user does not allow/) as string }
    expect({ name, denied, evt, data }).toMatchObject({ name, evt: 'ERROR', data: refusal })
  }
  const events = Object.values<EventRow>(EVENTS).filter((row) => needsMissing(row, taken))
  for (const { name } of events) {
    const { evt, data } = await game.ask('SUBSCRIBE', {}, name)
    expect({ name, denied, evt, data }).toMatchObject({ name, evt: 'ERROR', data: { code: 4006 } })
  }
  expect(platform.calls).toHaveLength(sent)
  return calls.length + events.length
}

test('each scope alone', { timeout: 120_000 }, async () => {
  let rows = 0
  for (const scope of LEAVES) rows += await refusedRows([scope])
  // Without such rows the test would prove nothing.
  expect(rows).toBeGreaterThan(60)
})

test('any set of scopes', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(fc.constantFrom(...LEAVES), { minLength: 1 }), async (denied) => {
      await refusedRows(denied)
    }),
    runs(25),
  )
})
