/** Scopes that the settings of an application must allow: identify.premium and relationships.read. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { APPLICATION, BASE_QUERY, type Harness, OTHER_APPLICATION, pkce, startHarness } from '../harness.ts'

let harness: Harness
beforeEach(async () => {
  harness = await startHarness()
})
afterEach(() => harness.close())

const settings = (json: object, application_id = APPLICATION) =>
  harness.send('POST', '~sandbox/applications', { json: { application_id, ...json } })
const asked = async (scope: string) => {
  const { challenge } = pkce()
  const { headers } = await harness.authorize({ ...BASE_QUERY, scope, code_challenge: challenge, code_challenge_method: 'S256' })
  return new URL(headers.get('location') ?? '').searchParams
}

describe.each([
  ['identify.premium', 'premium'],
  ['relationships.read', 'social_sdk_terms'],
])('%s', (scope, setting) => {
  it('is refused until the application has the setting, and names the scope', { tags: ['5-6', '5-8', '2.2-16'] }, async () => {
    const refused = await asked(`identify ${scope}`)
    expect([refused.get('error'), refused.get('code')]).toEqual(['invalid_scope', null])
    expect(refused.get('error_description')).toContain(scope)
    await settings({ [setting]: true }, OTHER_APPLICATION)
    expect((await asked(scope)).get('error')).toBe('invalid_scope')
    expect((await settings({ [setting]: true })).status).toBe(204)
    expect((await asked(`identify ${scope}`)).get('code')).toMatch(/./)
    await settings({ [setting]: false })
    expect((await asked(scope)).get('error')).toBe('invalid_scope')
  })

  it('is refused for devices and client credentials too', { tags: ['5-8'] }, async () => {
    const client = { client_id: APPLICATION, client_secret: `sandbox-secret-${APPLICATION}`, scope }
    const device = () => harness.form('/api/v10/oauth2/device/authorize', client)
    const credentials = () => harness.form('/api/v10/oauth2/token', { ...client, grant_type: 'client_credentials' })
    for (const answer of [await device(), await credentials()])
      expect([answer.status, answer.json['error']]).toEqual([400, 'invalid_scope'])
    await settings({ [setting]: true })
    expect([(await device()).status, (await credentials()).status]).toEqual([200, 200])
  })
})

it('the scopes of the social SDK need no setting', async () => {
  expect((await asked('sdk.social_layer')).get('code')).toMatch(/./)
})
