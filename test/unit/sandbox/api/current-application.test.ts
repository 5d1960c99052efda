/** The application as its bot sees and changes it. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { expectShape } from '../answers.ts'
import { type Answer, APPLICATION, type Harness, OTHER_APPLICATION, startHarness } from '../harness.ts'

let harness: Harness
beforeEach(async () => {
  harness = await startHarness()
})
afterEach(() => harness.close())

const read = (application = APPLICATION): Promise<Answer> =>
  harness.send('GET', '/applications/@me', { token: `Bot sandbox-bot-${application}` })
const edit = (json: unknown): Promise<Answer> =>
  harness.send('PATCH', '/applications/@me', { token: `Bot sandbox-bot-${APPLICATION}`, json })

it('counts those who use it', { tags: ['2.2-13'] }, async () => {
  const before = await read()
  expectShape('GET_CURRENT_APPLICATION', before)
  expect(before.json).toMatchObject({
    id: APPLICATION,
    flags: 1 << 19,
    flags_new: String(1 << 19),
    approximate_guild_count: 2,
    approximate_user_install_count: 0,
    approximate_user_authorization_count: 0,
  })
  expect(before.json['verify_key']).toMatch(/^[0-9a-f]{64}$/)
  expect(before.json['eligible_oauth2_scopes']).toEqual(expect.arrayContaining(['identify', 'openid']))
  expect(before.json['eligible_oauth2_scopes']).not.toContain('rpc.local')
  await harness.signIn('identify')
  await harness.signIn('identify applications.commands')
  await harness.signIn('identify', { user: 'grace' })
  await harness.signIn('identify', { user: 'linus', application: OTHER_APPLICATION })
  expect((await read()).json).toMatchObject({ approximate_user_install_count: 1, approximate_user_authorization_count: 2 })
})

it('has a number of user installs only if users can install it', { tags: ['2.2-13'] }, async () => {
  expect((await read()).json).toHaveProperty('approximate_user_install_count', 0)
  const guildsOnly = {
    integration_types_config: { '0': { oauth2_install_params: { scopes: ['applications.commands'], permissions: '0' } } },
  }
  expect((await edit(guildsOnly)).json).not.toHaveProperty('approximate_user_install_count')
  expect((await edit({ integration_types_config: { '1': {} } })).json).toHaveProperty('approximate_user_install_count', 0)
  expect((await edit({ integration_types_config: null })).json).not.toHaveProperty('approximate_user_install_count')
})

it('keeps what a change leaves out', { tags: ['2.2-10', '2.2-11', '2.2-12'] }, async () => {
  const changed = await edit({
    description: 'Ships',
    tags: ['ships', 'sea'],
    flags: 1 << 13,
    icon: 'data:image/png;base64,iVBORw0KGgo=',
    install_params: { scopes: ['bot'], permissions: 2048 },
    integration_types_config: { '0': { oauth2_install_params: { scopes: ['applications.commands'], permissions: '1125899906842624' } } },
  })
  expectShape('EDIT_CURRENT_APPLICATION', changed)
  expect(changed.json).toMatchObject({
    description: 'Ships',
    flags: 8192,
    flags_new: '8192',
    install_params: { scopes: ['bot'], permissions: '2048' },
    integration_types_config: { '0': { oauth2_install_params: { permissions: '1125899906842624' } } },
  })
  expect(changed.json['icon']).toMatch(/^[0-9a-f]{32}$/)
  await edit({ description: { default: 'Boats', localizations: { de: 'Boote' } }, event_webhooks_status: 2 })
  expect((await read()).json).toMatchObject({ description: 'Boats', tags: ['ships', 'sea'], flags: 8192, event_webhooks_status: 2 })
  expect((await read(OTHER_APPLICATION)).json).toMatchObject({ description: '', tags: [] })
})

it.each([
  ['flags', { flags: 1 }],
  ['tags', { tags: ['1', '2', '3', '4', '5', '6'] }],
  ['tags', { tags: ['x'.repeat(21)] }],
  ['description', { description: 'x'.repeat(401) }],
  ['event_webhooks_status', { event_webhooks_status: 3 }],
  ['event_webhooks_types', { event_webhooks_types: ['MESSAGE_CREATE'] }],
  ['interactions_endpoint_url', { interactions_endpoint_url: 'ftp://example.test' }],
  ['event_webhooks_url', { event_webhooks_url: `https://example.test/${'x'.repeat(2048)}` }],
])('refuses %s that is not allowed', { tags: ['6-23', '2.2-10'] }, async (field, body) => {
  const { status, json } = await edit(body)
  expect([status, json['code']]).toEqual([400, 50035])
  expect(json['errors']).toHaveProperty(field)
})
