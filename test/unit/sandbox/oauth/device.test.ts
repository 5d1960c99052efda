/** Sign-in on another device, over HTTP: the device's requests, and the user's page. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { APPLICATION, type Harness, OTHER_APPLICATION, startHarness } from '../harness.ts'

let harness: Harness
beforeEach(async () => {
  harness = await startHarness({ autoConsent: false })
})
afterEach(() => harness.close())

const TOKEN = '/api/v10/oauth2/token'
const GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

const open = async (scope = 'openid identify') => {
  const { json, status } = await harness.form('/api/v10/oauth2/device/authorize', { client_id: APPLICATION, scope })
  if (status !== 200) throw new Error(JSON.stringify(json))
  return json as { readonly device_code: string; readonly user_code: string; readonly verification_uri_complete: string }
}
const ask = (device_code: string, more: Record<string, string> = {}) =>
  harness.form(TOKEN, { grant_type: GRANT, client_id: APPLICATION, device_code, ...more })
/** The platform's poll interval. */
const wait = (seconds = 5) => harness.clock.advance(seconds * 1000)

const page = (path: string) => harness.send('GET', `~${path}`)
const hidden = (html: string): Record<string, string> =>
  Object.fromEntries(
    [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)].map(([, name = '', value = '']) => [name, value]),
  )
async function answer(user_code: string, decision: 'allow' | 'deny', user = 'grace') {
  const shown = await page(`activate?user_code=${user_code}`)
  return harness.form('/activate', { ...hidden(shown.text), user_id: await harness.idOf(user), decision })
}

describe('a device', () => {
  it('gets its user code, and then authorization_pending until the user answers', async () => {
    const device = await open()
    expect(device).toEqual({
      device_code: expect.stringMatching(/^[\w-]{40}$/),
      user_code: expect.stringMatching(/^[B-DF-HJ-NP-TV-Z]{4}-[B-DF-HJ-NP-TV-Z]{4}$/),
      verification_uri: `${harness.sandbox.origin}/activate`,
      verification_uri_complete: `${harness.sandbox.origin}/activate?user_code=${device.user_code}`,
      expires_in: 300,
      interval: 5,
    })
    wait()
    expect([(await ask(device.device_code)).json['error'], harness.log.join('\n').includes(device.device_code)]).toEqual([
      'authorization_pending',
      false,
    ])
  })

  it('collects tokens once, after the user has allowed', async () => {
    const { device_code, user_code } = await open()
    expect((await answer(user_code, 'allow')).text).toContain('signed in')
    wait()
    const { status, json } = await ask(device_code)
    expect([status, json]).toEqual([
      200,
      {
        access_token: expect.any(String),
        token_type: 'Bearer',
        expires_in: 604_800,
        refresh_token: expect.any(String),
        scope: 'openid identify',
        id_token: expect.any(String),
      },
    ])
    expect((await harness.send('GET', '/users/@me', { token: String(json['access_token']) })).json['username']).toBe('grace')
    wait()
    expect((await ask(device_code)).json['error']).toBe('invalid_grant')
  })

  it('gets access_denied once after the user denied', async () => {
    const { device_code, user_code } = await open()
    expect((await answer(user_code, 'deny')).text).toContain('Access denied')
    wait()
    expect((await ask(device_code)).json['error']).toBe('access_denied')
    expect((await ask(device_code)).json['error']).toBe('invalid_grant')
  })

  it('that polls too often must poll slower, each time by five seconds', async () => {
    const { device_code } = await open()
    expect((await ask(device_code)).json['error']).toBe('slow_down')
    wait(9)
    expect((await ask(device_code)).json['error']).toBe('slow_down')
    wait(15)
    expect((await ask(device_code)).json['error']).toBe('authorization_pending')
    wait(15)
    expect((await ask(device_code)).json['error']).toBe('authorization_pending')
  })

  it('has five minutes', async () => {
    const { device_code, user_code } = await open()
    wait(300)
    expect((await ask(device_code)).json['error']).toBe('expired_token')
    expect((await page(`activate?user_code=${user_code}`)).status).toBe(404)
    // The next one deletes expired ones.
    await open()
    expect((await ask(device_code)).json['error']).toBe('invalid_grant')
  })

  it('merges a provisional account while it collects', async () => {
    const external = { external_auth_type: 'STEAM_SESSION_TICKET', external_auth_token: 'sandbox-external-skipper' }
    await harness.send('POST', '/partner-sdk/token', { json: { client_id: APPLICATION, ...external } })
    const { device_code, user_code } = await open('sdk.social_layer')
    await answer(user_code, 'allow')
    wait()
    expect((await ask(device_code, external)).status).toBe(200)
    const again = await harness.send('POST', '/partner-sdk/token', { json: { client_id: APPLICATION, ...external } })
    expect(again.json).toMatchObject({ code: 530010, user_id: await harness.idOf('grace') })
  })

  it('of another application, or with an unknown scope, is refused', async () => {
    const { device_code } = await open()
    wait()
    expect((await ask(device_code, { client_id: OTHER_APPLICATION })).json['error']).toBe('invalid_grant')
    const odd = await harness.form('/api/v10/oauth2/device/authorize', { client_id: APPLICATION, scope: 'everything' })
    expect([odd.status, odd.json['error']]).toEqual([400, 'invalid_scope'])
  })

  it('is allowed at once with auto consent', async () => {
    const auto = await startHarness({ autoConsent: true })
    const { json } = await auto.form('/api/oauth2/device/authorize', { client_id: APPLICATION, scope: 'identify' })
    auto.clock.advance(5_000)
    const device_code = String(json['device_code'])
    expect((await auto.form(TOKEN, { grant_type: GRANT, client_id: APPLICATION, device_code })).status).toBe(200)
    await auto.close()
  })
})

describe('the page', () => {
  it('has an input for the code, accepts its spellings, and shows the request', async () => {
    expect((await page('activate')).text).toContain('name="user_code"')
    const { user_code } = await open('identify guilds')
    const shown = await page(`activate?user_code=${user_code.toLowerCase().replace('-', '%20')}`)
    expect(shown.text).toContain(`Application ${APPLICATION}`)
    expect(shown.text).toContain(user_code)
    expect(shown.text).toContain('Read the id, name and avatar of the user.')
    expect(shown.headers.get('content-security-policy')).toContain("form-action 'self';")
    const wrong = await page('activate?user_code=<b>')
    expect([wrong.status, wrong.text.includes('<b>')]).toEqual([404, false])
  })

  it('ignores a form that is forged, changed, expired, or already submitted', async () => {
    const [mine, other] = [await open(), await open()]
    const fields = {
      ...hidden((await page(`activate?user_code=${mine.user_code}`)).text),
      user_id: await harness.idOf('ada'),
      decision: 'allow',
    }
    const changed = { ...fields, query: `device ${other.user_code.replace('-', '')}` }
    expect((await harness.form('/activate', { ...fields, proof: 'x' })).status).toBe(400)
    expect((await harness.form('/activate', changed)).status).toBe(400)
    expect((await harness.form('/activate', fields, { origin: 'https://elsewhere.example' })).status).toBe(403)
    expect((await harness.form('/activate', { ...fields, user_id: '1' })).status).toBe(400)
    // A proof of the consent page is not valid here, and the other way round.
    expect((await harness.form('/oauth2/authorize', fields)).status).toBe(400)
    expect((await harness.form('/activate', fields)).status).toBe(200)
    expect((await harness.form('/activate', fields)).status).toBe(400)
  })
})
