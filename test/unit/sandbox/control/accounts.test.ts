/** Bans, deauthorization and confidential applications via the control interface, and their effects. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { APPLICATION, type Harness, OTHER_APPLICATION, startHarness, type Tokens } from '../harness.ts'

let harness: Harness
beforeEach(async () => {
  harness = await startHarness()
})
afterEach(() => harness.close())

const TOKEN = '/api/v10/oauth2/token'
const HOUR = 3600
const control = (name: string, json: object) => harness.send('POST', `~sandbox/${name}`, { json })
const external = (name: string) => ({ external_auth_type: 'STEAM_SESSION_TICKET', external_auth_token: `sandbox-external-${name}` })
const provisional = (name: string, more: object = {}) =>
  harness.send('POST', '/partner-sdk/token', { json: { client_id: APPLICATION, ...external(name), ...more } })
const me = async (token: unknown) => harness.send('GET', '/users/@me', { token: String(token) })
const refresh = ({ refresh_token }: Pick<Tokens, 'refresh_token'>) =>
  harness.form(TOKEN, {
    grant_type: 'refresh_token',
    refresh_token,
    client_id: APPLICATION,
    client_secret: `sandbox-secret-${APPLICATION}`,
  })

async function exchange(user: string, more: Record<string, string> = {}) {
  const code = await harness.code({ scope: 'identify', login_hint: user })
  const fields = { grant_type: 'authorization_code', code, client_id: APPLICATION, client_secret: `sandbox-secret-${APPLICATION}` }
  return harness.form(TOKEN, { ...fields, ...more })
}
const merge = (name: string, user = 'ada') => exchange(user, external(name))
const linked = async (name: string) => (await merge(name)).json as unknown as Tokens

describe('a ban', () => {
  it('ends every sign-in of the user only, at once, with every application', { tags: ['3-8', '3-13'] }, async () => {
    const tokens = await linked('cap')
    const elsewhere = await harness.signIn('identify', { application: OTHER_APPLICATION })
    const other = await harness.signIn('identify', { user: 'grace' })
    expect((await control('ban', { user: 'ada' })).json).toEqual({ ended: 2 })
    const alive = [tokens, elsewhere, other].map(async ({ access_token }) => (await me(access_token)).status)
    expect(await Promise.all(alive)).toEqual([401, 401, 200])
    expect((await refresh(tokens)).json).toEqual({ error: 'invalid_grant', error_description: 'Invalid "refresh_token" in request' })
    expect((await refresh(other)).status).toBe(200)
  })

  it('gives the identity that was linked a new provisional account, which stays the same and is restricted', {
    tags: ['3-9'],
  }, async () => {
    await linked('cap')
    await control('ban', { user: 'ada' })
    const [one, two] = [await provisional('cap'), await provisional('cap')]
    expect([one.status, two.status]).toEqual([200, 200])
    const account = (await me(one.json['access_token'])).json
    expect(account).toMatchObject({ global_name: 'cap', id: (await me(two.json['access_token'])).json['id'] })
    expect(account['id']).not.toBe(await harness.idOf('ada'))
    const { users } = (await harness.send('GET', '~sandbox/state')).json as unknown as { users: { id: string }[] }
    expect(users.find(({ id }) => id === account['id'])).toMatchObject({
      provisional_for: APPLICATION,
      restricted_by: await harness.idOf('ada'),
    })
    expect(users.filter((user) => 'banned' in user)).toMatchObject([{ username: 'ada', banned: true }])
  })

  it.each(['ada', 'grace'])(
    'refuses a merge of that account into %s with 530017, until it is lifted; then it works',
    { tags: ['3-10', '7-1'] },
    async (into) => {
      await linked('cap')
      await control('ban', { user: 'ada' })
      const restricted = await provisional('cap')
      const refused = await merge('cap', into)
      expect({ status: refused.status, code: refused.json['code'] }).toEqual({ status: 400, code: 530017 })
      expect((await me(restricted.json['access_token'])).status).toBe(200)
      expect((await control('unban', { user: 'ada' })).status).toBe(204)
      const merged = await merge('cap', into)
      expect((await me(merged.json['access_token'])).json['username']).toBe(into)
      expect((await me(restricted.json['access_token'])).status).toBe(401)
    },
  )

  it('leaves identities of others alone', { tags: ['3-9'] }, async () => {
    await linked('cap')
    expect((await merge('mate', 'grace')).status).toBe(200)
    await control('ban', { user: 'ada' })
    // Still linked, so there is no provisional account for it.
    expect((await provisional('mate')).json['code']).toBe(530010)
    await provisional('bosun')
    expect((await merge('bosun', 'linus')).status).toBe(200)
  })

  it('with an end is over by itself; one without never', { tags: ['3-11'] }, async () => {
    await linked('cap')
    await control('ban', { user: 'ada', seconds: HOUR })
    harness.clock.advance(HOUR * 1000 - 1)
    expect((await merge('cap')).json['code']).toBe(530017)
    harness.clock.advance(1)
    expect((await merge('cap')).status).toBe(200)
    await control('ban', { user: 'ada' })
    harness.clock.advance(10 * 365 * 86_400_000)
    expect((await merge('cap')).json['code']).toBe(530017)
  })

  it('makes the codes of the user worthless, those from before included', async () => {
    const before = await harness.code({ scope: 'identify' })
    await control('ban', { user: 'ada' })
    expect((await exchange('ada')).json).toMatchObject({ error: 'invalid_grant' })
    const fields = {
      grant_type: 'authorization_code',
      code: before,
      client_id: APPLICATION,
      client_secret: `sandbox-secret-${APPLICATION}`,
    }
    expect((await harness.form(TOKEN, fields)).json).toMatchObject({ error: 'invalid_grant' })
    await control('unban', { user: 'ada' })
    expect((await exchange('ada')).status).toBe(200)
  })

  it('parts the identity that is linked from the start, too', async () => {
    expect((await provisional('linked')).json['code']).toBe(530010)
    await control('ban', { user: 'ada' })
    expect((await provisional('linked')).status).toBe(200)
    expect((await merge('linked')).json['code']).toBe(530017)
  })

  it('survives a restart', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sandbox-'))
    const options = { dataFile: join(folder, 'sandbox.sqlite') }
    try {
      await harness.close()
      harness = await startHarness(options)
      await linked('cap')
      await control('ban', { user: 'ada' })
      await harness.close()
      harness = await startHarness(options)
      expect((await merge('cap')).json['code']).toBe(530017)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

it('the identities of a user are those of that user with the application', { tags: ['4.3-21', '9.1-22'] }, async () => {
  const { access_token: token } = await linked('cap')
  await merge('mate', 'grace')
  const identities = async (user: string, by = token) =>
    (await harness.send('GET', `/users/${await harness.idOf(user)}/application-identities`, { token: by })).json
  const cap = { application_id: APPLICATION, provider_issued_user_id: 'cap' }
  expect(await identities('ada')).toEqual({ identities: [cap] })
  expect(await identities('grace')).toEqual({ identities: [{ ...cap, provider_issued_user_id: 'mate' }] })
  expect(await identities('linus')).toEqual({ identities: [] })
  const { access_token: elsewhere } = await harness.signIn('identify', { application: OTHER_APPLICATION })
  expect(await identities('ada', elsewhere)).toEqual({ identities: [] })
})

describe('an application removed by the user', () => {
  it('loses all tokens and the link to the identity', { tags: ['3-12'] }, async () => {
    const tokens = await linked('cap')
    expect((await provisional('cap')).json['code']).toBe(530010)
    expect((await control('deauthorize', { user: 'ada', application_id: APPLICATION })).json).toEqual({ ended: 1 })
    expect((await me(tokens.access_token)).status).toBe(401)
    expect((await refresh(tokens)).json['error']).toBe('invalid_grant')
    expect((await provisional('cap')).status).toBe(200)
    expect((await merge('cap')).status).toBe(200)
  })

  it('is that application with that user only', async () => {
    const elsewhere = await harness.signIn('identify', { application: OTHER_APPLICATION })
    await control('deauthorize', { user: await harness.idOf('ada'), application_id: APPLICATION })
    expect((await me(elsewhere.access_token)).status).toBe(200)
  })
})

describe('a confidential application', () => {
  const child = (parent: string, more: object = {}) =>
    harness.send('POST', '/partner-sdk/child-token', {
      json: { parent_access_token: parent, child_application_id: OTHER_APPLICATION, ...more },
    })
  const make = (application_id: string, confidential: boolean) => control('applications', { application_id, confidential })
  const SECRET = { parent_client_secret: `sandbox-secret-${APPLICATION}` }

  it('gets provisional tokens with its secret only', async () => {
    await make(APPLICATION, true)
    expect((await provisional('cap')).json['code']).toBe(530007)
    expect((await provisional('cap', { client_secret: `sandbox-secret-${APPLICATION}` })).status).toBe(200)
    await make(APPLICATION, false)
    expect((await provisional('cap')).status).toBe(200)
  })

  it('exchanges no token with a public one, nor the reverse: parent and child are of one kind', { tags: ['5-21'] }, async () => {
    const { access_token } = await harness.signIn('identify')
    await control('applications', { application_id: APPLICATION, publisher_linking: true })
    await control('applications', { application_id: OTHER_APPLICATION, parent_application_id: APPLICATION })
    await make(OTHER_APPLICATION, true)
    expect((await child(access_token)).json['code']).toBe(20012)
    await make(APPLICATION, true)
    expect((await child(access_token)).json['code']).toBe(530007)
    expect((await child(access_token, SECRET)).status).toBe(200)
    await make(OTHER_APPLICATION, false)
    expect((await child(access_token, SECRET)).json['code']).toBe(20012)
  })
})

it.each([
  ['ban', { user: 'unknown' }, 404],
  ['ban', { user: 'ada', seconds: 0 }, 400],
  ['ban', {}, 400],
  ['unban', { user: 'unknown' }, 404],
  ['deauthorize', { user: 'ada' }, 400],
  ['deauthorize', { user: 'ada', application_id: 'x' }, 400],
  ['applications', { application_id: APPLICATION, confidential: 'yes' }, 400],
])('%s refuses %o', async (name, json, status) => {
  expect((await control(name, json)).status).toBe(status)
})
