/** Provisional accounts, their merge and unmerge, and child tokens, over HTTP. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { expectShape, refusal } from '../answers.ts'
import { APPLICATION, type Harness, OTHER_APPLICATION, startHarness } from '../harness.ts'

let harness: Harness
beforeEach(async () => {
  harness = await startHarness()
})
afterEach(() => harness.close())

const TOKEN = '/api/v10/oauth2/token'
const external = (name: string, type = 'OIDC') => ({ external_auth_type: type, external_auth_token: `sandbox-external-${name}` })
const provisional = (name: string, more: object = {}) =>
  harness.send('POST', '/partner-sdk/token', { json: { client_id: APPLICATION, ...external(name), ...more } })
const unmerge = (name: string) =>
  harness.send('POST', '/partner-sdk/provisional-accounts/unmerge', { json: { client_id: APPLICATION, ...external(name) } })
const works = async (token: unknown): Promise<number> => (await harness.send('GET', '/users/@me', { token: String(token) })).status
const whoIs = async (token: unknown) => (await harness.send('GET', '/users/@me', { token: String(token) })).json

/** An exchange by `user` that merges the identity of `name`. */
async function merge(name: string, user = 'ada', more: Record<string, string> = {}) {
  const code = await harness.code({ scope: 'identify', login_hint: user })
  return harness.form(TOKEN, {
    grant_type: 'authorization_code',
    code,
    client_id: APPLICATION,
    client_secret: `sandbox-secret-${APPLICATION}`,
    ...external(name),
    ...more,
  })
}

describe('a provisional account', () => {
  it('is created at the first use of an identity and is the same at every other', { tags: ['1-4'] }, async () => {
    const first = await provisional('cap')
    expect(first.status).toBe(200)
    expect(first.json).toEqual({
      access_token: expect.any(String),
      id_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      token_type: 'Bearer',
      expires_in: 604_800,
      refresh_token: expect.any(String),
      scope: 'openid sdk.social_layer account.global_name.update',
    })
    const second = await provisional('cap')
    const [one, two] = [await whoIs(first.json['access_token']), await whoIs(second.json['access_token'])]
    expect(one).toMatchObject({ id: two['id'], global_name: 'cap' })
    expect((await whoIs((await provisional('mate')).json['access_token']))['id']).not.toBe(one['id'])
    const steam = await provisional('cap', external('cap', 'STEAM_SESSION_TICKET'))
    expect((await whoIs(steam.json['access_token']))['id']).not.toBe(one['id'])
  })

  it('has a display name that its game changes', async () => {
    const token = String((await provisional('cap')).json['access_token'])
    const change = (global_name: string) => harness.send('PATCH', '/users/@me/account', { token, json: { global_name } })
    expectShape('UPDATE_PROVISIONAL_ACCOUNT_DISPLAY_NAME', await change('Captain'))
    expect(await whoIs(token)).toMatchObject({ global_name: 'Captain' })
    expect(refusal(await change('C'.repeat(33)))).toEqual([400, 50035])
    expect(refusal(await change(''))).toEqual([400, 50035])
    expect(await whoIs(token)).toMatchObject({ global_name: 'Captain' })
  })

  it('of an OIDC identity can be refreshed, which is deprecated; of any other it comes without a refresh token', {
    tags: ['5-14'],
  }, async () => {
    const { json } = await provisional('cap')
    const refresh = () =>
      harness.form(TOKEN, {
        grant_type: 'refresh_token',
        refresh_token: String(json['refresh_token']),
        client_id: APPLICATION,
        client_secret: `sandbox-secret-${APPLICATION}`,
      })
    const refreshed = await refresh()
    expect(refreshed.json).toMatchObject({ refresh_token: expect.any(String), expires_in: 604_800 })
    expect((await whoIs(refreshed.json['access_token']))['id']).toBe((await whoIs(json['access_token']))['id'])
    expect((await refresh()).json).toMatchObject({ error: 'invalid_grant' })
    expect((await provisional('cap', external('cap', 'STEAM_SESSION_TICKET'))).json['refresh_token']).toBeNull()
  })

  it('cannot be chosen on the consent page', async () => {
    await provisional('cap')
    await harness.close()
    harness = await startHarness({ autoConsent: false })
    await provisional('cap')
    const page = await harness.authorize({
      client_id: APPLICATION,
      response_type: 'code',
      scope: 'identify',
      redirect_uri: 'http://127.0.0.1/c',
    })
    expect(page.text).toContain('ada')
    expect(page.text).not.toContain('provisional.')
  })

  it.each([
    ['not-allowed', 530000],
    ['expired', 530001],
    ['wrong-issuer', 530002],
    ['wrong-audience', 530003],
    ['too-old', 530004],
    ['no-username', 530006],
    ['no-settings', 530008],
    ['no-keys', 530009],
    ['linked', 530010],
    ['no-kid', 530027],
    ['not a name', 530020],
  ])('is refused to %s with %i', async (name, code) => {
    const { status, json } = await provisional(name)
    expect({ status, code: json['code'] }).toEqual({ status: 400, code })
  })

  it.each([
    'OIDC',
    'EPIC_ONLINE_SERVICES_ACCESS_TOKEN',
    'EPIC_ONLINE_SERVICES_ID_TOKEN',
    'STEAM_SESSION_TICKET',
    'UNITY_SERVICES_ID_TOKEN',
    'DISCORD_BOT_ISSUED_ACCESS_TOKEN',
    'APPLE_ID_TOKEN',
    'PLAYSTATION_NETWORK_ID_TOKEN',
  ])('comes to be by an identity of the kind %s', { tags: ['9.1-19'] }, async (external_auth_type) => {
    const { access_token: token } = (await provisional('cap', { external_auth_type })).json
    expect((await harness.send('GET', '/users/@me', { token: String(token) })).json).toMatchObject({ global_name: 'cap' })
  })

  it('is refused for a wrong secret, an unknown kind and a missing token', async () => {
    expect((await provisional('cap', { client_secret: 'wrong' })).json['code']).toBe(530007)
    expect((await provisional('cap', { client_secret: `sandbox-secret-${APPLICATION}` })).status).toBe(200)
    expect((await provisional('cap', { external_auth_type: 'PASSPORT' })).json).toMatchObject({
      code: 50035,
      errors: { external_auth_type: {} },
    })
    expect((await provisional('cap', { external_auth_token: '' })).json).toMatchObject({ code: 50035, errors: { external_auth_token: {} } })
  })
})

describe('a merge', () => {
  it('links the identity, ends the provisional account, and fails later requests for a provisional token', async () => {
    const before = await provisional('cap')
    const merged = await merge('cap')
    expect(merged.status).toBe(200)
    const ada = await harness.idOf('ada')
    expect((await whoIs(merged.json['access_token']))['id']).toBe(ada)
    expect(await works(before.json['access_token'])).toBe(401)
    expect((await provisional('cap')).json).toEqual({
      code: 530010,
      message: expect.any(String),
      user_id: ada,
      provider_type: 'OIDC',
      provider_id: null,
      provider_issued_user_id: 'cap',
    })
    // A repeated request changes nothing.
    expect((await merge('cap')).status).toBe(200)
  })

  it('is refused, and the code stays valid', async () => {
    await merge('cap', 'ada')
    expect((await merge('cap', 'grace')).json['code']).toBe(530014)
    expect((await merge('mate', 'ada')).json['code']).toBe(530023)
    expect((await merge('banned')).json['code']).toBe(530017)
    const guest = await whoIs((await provisional('guest')).json['access_token'])
    expect((await merge('mate', String(guest['id']))).json['code']).toBe(530016)
    expect((await merge('cap', 'ada', { external_auth_type: 'PASSPORT' })).json['error']).toBe('invalid_request')
    const code = await harness.code({ scope: 'identify' })
    const fields = { grant_type: 'authorization_code', code, client_id: APPLICATION, client_secret: `sandbox-secret-${APPLICATION}` }
    expect((await harness.form(TOKEN, { ...fields, ...external('banned') })).status).toBe(400)
    expect((await harness.form(TOKEN, fields)).status).toBe(200)
  })
})

describe('an unmerge', () => {
  it('ends the tokens of the account and gives the identity a new provisional one', { tags: ['4.3-10'] }, async () => {
    const old = await whoIs((await provisional('cap')).json['access_token'])
    const merged = await merge('cap')
    expect((await unmerge('cap')).status).toBe(204)
    expect(await works(merged.json['access_token'])).toBe(401)
    const again = await provisional('cap')
    expect(again.status).toBe(200)
    expect((await whoIs(again.json['access_token']))['id']).not.toBe(old['id'])
  })

  it('is refused for an identity that is not known, or not merged', { tags: ['4.3-10'] }, async () => {
    expect((await unmerge('stranger')).json['code']).toBe(10013)
    await provisional('cap')
    expect((await unmerge('cap')).json['code']).toBe(50229)
  })

  it('comes with a revoke of the linked account', async () => {
    const merged = await merge('cap')
    await harness.form('/api/v10/oauth2/token/revoke', { client_id: APPLICATION, token: String(merged.json['access_token']) })
    expect((await provisional('cap')).status).toBe(200)
  })

  it('does not come with a revoke of the provisional account', async () => {
    const first = await provisional('cap')
    const before = await whoIs(first.json['access_token'])
    await harness.form('/api/v10/oauth2/token/revoke', { client_id: APPLICATION, token: String(first.json['access_token']) })
    expect(await works(first.json['access_token'])).toBe(401)
    expect((await whoIs((await provisional('cap')).json['access_token']))['id']).toBe(before['id'])
  })
})

describe('a child token', () => {
  const child = (parent: string, application = OTHER_APPLICATION, more: object = {}) =>
    harness.send('POST', '/partner-sdk/child-token', {
      json: { parent_access_token: parent, child_application_id: application, ...more },
    })

  const settings = (application_id: string, json: object) =>
    harness.send('POST', '~sandbox/applications', { json: { application_id, ...json } })
  beforeEach(async () => {
    await settings(APPLICATION, { publisher_linking: true })
    await settings(OTHER_APPLICATION, { parent_application_id: APPLICATION })
  })

  it('is for a child of the approved parent only: approval and hierarchy are settings', { tags: ['5-18'] }, async () => {
    const parent = await harness.signIn('identify')
    await settings(APPLICATION, { publisher_linking: false })
    expect([(await child(parent.access_token)).status, (await child(parent.access_token)).json['code']]).toEqual([403, 20_012])
    await settings(APPLICATION, { publisher_linking: true })
    expect((await child(parent.access_token)).status).toBe(200)
    await settings(OTHER_APPLICATION, { parent_application_id: null })
    expect((await child(parent.access_token)).json['code']).toBe(20_012)
    await settings(OTHER_APPLICATION, { parent_application_id: '323456789012345678' })
    expect((await child(parent.access_token)).json['code']).toBe(20_012)
    expect((await settings(APPLICATION, { parent_application_id: APPLICATION })).json['code']).toBe(50_035)
  })

  it('is not for the parent of the application', async () => {
    const { access_token } = await harness.signIn('identify', { application: OTHER_APPLICATION })
    const secret = { parent_client_secret: `sandbox-secret-${OTHER_APPLICATION}` }
    expect((await child(access_token, APPLICATION, secret)).json['code']).toBe(20_012)
  })

  it('stands for the same user in the child application, until the parent token would end', { tags: ['5-20'] }, async () => {
    const parent = await harness.signIn('identify guilds')
    harness.clock.advance(100_000)
    const { status, json } = await child(parent.access_token)
    expect(status).toBe(200)
    expect(json).toEqual({ access_token: expect.any(String), token_type: 'Bearer', expires_in: 604_700, scope: 'identify guilds' })
    const me = await harness.send('GET', '/oauth2/@me', { token: String(json['access_token']) })
    expect(me.json).toMatchObject({ application: { id: OTHER_APPLICATION }, user: { id: await harness.idOf('ada') } })
    harness.clock.advance(604_699_000)
    expect(await works(json['access_token'])).toBe(200)
    harness.clock.advance(1_000)
    expect(await works(json['access_token'])).toBe(401)
  })

  it('outlives a refresh of the parent, and dies with its revoke', async () => {
    const parent = await harness.signIn('identify')
    const { json } = await child(parent.access_token)
    await harness.form(TOKEN, {
      grant_type: 'refresh_token',
      refresh_token: parent.refresh_token,
      client_id: APPLICATION,
      client_secret: `sandbox-secret-${APPLICATION}`,
    })
    expect(await works(json['access_token'])).toBe(200)
    await harness.form('/api/v10/oauth2/token/revoke', { client_id: APPLICATION, token: parent.access_token })
    expect(await works(json['access_token'])).toBe(401)
  })

  it('is refused for a token that is dead, is a child itself, or is for the same application', { tags: ['5-20'] }, async () => {
    expect((await child('nonsense')).json).toMatchObject({ code: 50025 })
    const parent = await harness.signIn('identify')
    const { json } = await child(parent.access_token)
    expect((await child(String(json['access_token']), APPLICATION)).json).toMatchObject({ code: 50025 })
    expect((await child(parent.access_token, APPLICATION)).json).toMatchObject({ code: 20012 })
    expect((await child(parent.access_token, OTHER_APPLICATION, { parent_client_secret: 'wrong' })).json).toMatchObject({ code: 530007 })
    expect((await child(parent.access_token, 'text')).json).toMatchObject({ code: 50035 })
  })
})
