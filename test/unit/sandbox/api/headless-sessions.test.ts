/** Presence without a gateway connection: it expires, and only its token changes it. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { expectShape, refusal } from '../answers.ts'
import { type Answer, APPLICATION, type Harness, OTHER_APPLICATION, startHarness } from '../harness.ts'

let harness: Harness
beforeEach(async () => {
  harness = await startHarness()
})
afterEach(() => harness.close())

/** PARTY_PRIVACY_FRIENDS: acquaintances need no invite. */
const OPEN_TO_FRIENDS = 1 << 6
const activity = (more: object = {}) => ({ type: 0, name: 'Harbour', application_id: APPLICATION, platform: 'desktop', ...more })
const post = (token: string, json: object, path = ''): Promise<Answer> =>
  harness.send('POST', `/users/@me/headless-sessions${path}`, { token, json })

describe('a headless session', () => {
  it('is made, changed by its token, and deleted', { tags: ['9.1-42'] }, async () => {
    const { access_token: token } = await harness.signIn('identify activities.write')
    const made = await post(token, { activities: [activity()] })
    expectShape('CREATE_HEADLESS_SESSION', made)
    const own = String(made.json['token'])
    const changed = await post(token, { activities: [activity({ state: 'At sea' })], token: own })
    expect(changed.json).toMatchObject({ token: own, activities: [{ state: 'At sea', name: 'Harbour' }] })
    expectShape('DELETE_HEADLESS_SESSION', await post(token, { token: own }, '/delete'))
    expect(refusal(await post(token, { activities: [activity()], token: own }))).toEqual([400, 50035])
  })

  it('ends by itself after 20 minutes without a change', async () => {
    const { access_token: token } = await harness.signIn('identify activities.write')
    const { json } = await post(token, { activities: [activity()] })
    harness.clock.advance(20 * 60_000 - 1)
    expect((await post(token, { activities: [activity()], token: json['token'] })).status).toBe(200)
    harness.clock.advance(20 * 60_000)
    expect(refusal(await post(token, { activities: [activity()], token: json['token'] }))).toEqual([400, 50035])
  })

  it('shows one activity, of the application itself', async () => {
    const { access_token: token } = await harness.signIn('identify activities.write')
    for (const activities of [[], [activity(), activity()]]) expect(refusal(await post(token, { activities }))).toEqual([400, 50035])
    expect(refusal(await post(token, { activities: [activity({ application_id: OTHER_APPLICATION })] }))).toEqual([403, 20012])
    const { access_token: other } = await harness.signIn('identify activities.write', { user: 'grace' })
    const { json } = await post(token, { activities: [activity()] })
    expect(refusal(await post(other, { token: json['token'] }, '/delete'))).toEqual([400, 50035])
  })

  it('sends its join secret only to permitted requests', async () => {
    const { access_token: token } = await harness.signIn('identify activities.write')
    const { json, text } = await post(token, { activities: [activity({ secrets: { join: 'join-the-crew' }, flags: OPEN_TO_FRIENDS })] })
    expect(text).not.toContain('join-the-crew')
    const [shown] = json['activities'] as { session_id: string }[]
    const { access_token: other } = await harness.signIn('identify activities.read', { user: 'grace' })
    const path = (session: string) => harness.idOf('ada').then((ada) => `/users/${ada}/sessions/${session}/activities/${APPLICATION}/1`)
    const secret = await harness.send('GET', await path(shown?.session_id ?? ''), { token: other })
    expectShape('GET_ACTIVITY_SECRET', secret)
    expect(secret.json).toEqual({ secret: 'join-the-crew' })
    expect(refusal(await harness.send('GET', await path('1'), { token: other }))).toEqual([403, 50001])
    expect((await harness.send('GET', '~sandbox/state')).text).not.toContain('join-the-crew')
  })
})
