/** The forms of the front page, as a browser sends them. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { APPLICATION, type Harness, startHarness } from '../harness.ts'

let harness: Harness
beforeEach(async () => {
  harness = await startHarness()
})
afterEach(() => harness.close())

const get = (path: string) => harness.send('GET', `~${path.slice(1)}`)
const front = async () => (await get('/')).text
const OURS = () => ({ origin: harness.sandbox.origin, 'sec-fetch-site': 'same-origin' })
/** The request of a page's button. */
const press = (path: string, fields: Record<string, string>, headers: Record<string, string> = OURS()) =>
  harness.form(path, fields, headers)
const usersOfState = async () =>
  (await get('/sandbox/state')).json['users'] as readonly { readonly id: string; readonly banned?: boolean }[]

describe('the front page', () => {
  test('bans a user and lifts the ban, and leads back to itself', async () => {
    const { access_token: token } = await harness.signIn('identify')
    const user = await harness.idOf('ada')
    expect(await front()).toContain('aria-label="Ban ada"')
    const banned = await press('/sandbox/page/ban', { user })
    expect([banned.status, banned.headers.get('location')]).toEqual([303, '/'])
    expect((await harness.send('GET', '/users/@me', { token })).status).toBe(401)
    expect((await usersOfState()).find(({ id }) => id === user)).toMatchObject({ banned: true })
    expect(await front()).toContain('aria-label="Lift ban of ada"')
    await press('/sandbox/page/lift', { user })
    expect((await usersOfState()).find(({ id }) => id === user)).not.toHaveProperty('banned')
  })

  test('unlinks an application, and no other', async () => {
    const { access_token: token } = await harness.signIn('identify')
    const { access_token: other } = await harness.signIn('identify', { application: '999' })
    expect(await front()).toContain(`aria-label="Unlink ada from ${APPLICATION}"`)
    const unlinked = await press('/sandbox/page/unlink', { user: await harness.idOf('ada'), application_id: APPLICATION })
    expect(unlinked.status).toBe(303)
    expect((await harness.send('GET', '/users/@me', { token })).status).toBe(401)
    expect((await harness.send('GET', '/users/@me', { token: other })).status).toBe(200)
  })

  test('leads to the other pages', async () => {
    const page = await front()
    for (const path of ['/activate', '/sandbox/page/interaction']) {
      expect(page).toContain(`href="${path}"`)
      expect((await get(path)).status).toBe(200)
    }
  })

  test('says so when there is no such user', async () => {
    expect(await press('/sandbox/page/ban', { user: '1' })).toMatchObject({ status: 404, text: expect.stringContaining('no such user') })
  })

  test.each([
    ['a page of another origin', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['a page that hides its origin', { origin: 'null' }],
  ])('is not pressed by %s', async (_, headers) => {
    await harness.signIn('identify')
    const user = await harness.idOf('ada')
    for (const path of ['ban', 'lift', 'unlink', 'interaction'])
      expect((await press(`/sandbox/page/${path}`, { user, application_id: APPLICATION }, headers)).status, path).toBe(403)
    expect((await usersOfState()).find(({ id }) => id === user)).not.toHaveProperty('banned')
  })
})

describe('an interaction', () => {
  test('is raised where it is said, and shown with what an answer needs', async () => {
    const page = await get('/sandbox/page/interaction')
    const channel = /<option value="(\d+)">Harbour: /.exec(page.text)?.[1] ?? ''
    const user = await harness.idOf('ada')
    const raised = await press('/sandbox/page/interaction', {
      application_id: APPLICATION,
      user,
      channel_id: channel,
      command_name: 'dock',
    })
    expect(raised.status).toBe(200)
    const text = raised.text.replaceAll('&quot;', '"')
    expect(text).toContain('"name": "dock"')
    expect(text).toContain(`"channel_id": "${channel}"`)
    const [, id] = /"id": "(\d+)"/.exec(text) ?? []
    const [, token] = /"token": "([^"]+)"/.exec(text) ?? []
    harness.clock.advance(60_000)
    const answered = await harness.send('POST', `/interactions/${id}/${token}/callback`, { json: { type: 5 } })
    expect(answered.status, 'a minute later').toBe(204)
  })

  test('that cannot be created shows the error on the form', async () => {
    const user = await harness.idOf('ada')
    const fields = { application_id: APPLICATION, user, command_name: 'dock' }
    for (const [more, words] of [
      [{ application_id: 'mine' }, 'must be a number'],
      [{ channel_id: '1' }, 'Unknown Channel'],
      [{ user: 'unknown' }, 'Unknown User'],
    ] as const) {
      const { status, text } = await press('/sandbox/page/interaction', { ...fields, ...more })
      expect([status, text]).toEqual([400, expect.stringContaining(words)])
      expect(text).toContain('<form')
    }
  })
})
