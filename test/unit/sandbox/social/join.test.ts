/** Joining in the sandbox: invites, join requests, join secrets, and the page for them. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { refusal } from '../answers.ts'
import { type Answer, APPLICATION, type Harness, OTHER_APPLICATION, startHarness } from '../harness.ts'

const SCOPES = 'identify activities.read activities.write activities.invites.write'
const SECRET = 'join-the-crew'

let harness: Harness
let ada: string
let grace: string
let token: Record<'ada' | 'grace' | 'linus', string>
beforeEach(async () => {
  harness = await startHarness()
  ;[ada, grace] = [await harness.idOf('ada'), await harness.idOf('grace')]
  const sign = async (user: string) => (await harness.signIn(SCOPES, { user })).access_token
  token = { ada: await sign('ada'), grace: await sign('grace'), linus: await sign('linus') }
})
afterEach(() => harness.close())

async function shown(more: object = {}): Promise<{ readonly id: string; readonly token: unknown }> {
  const activity = {
    type: 0,
    name: 'Harbour',
    application_id: APPLICATION,
    platform: 'desktop',
    party: { id: 'pier' },
    secrets: { join: SECRET },
    ...more,
  }
  const { json } = await harness.send('POST', '/users/@me/headless-sessions', { token: token.ada, json: { activities: [activity] } })
  const [first] = json['activities'] as { session_id: string }[]
  return { id: first?.session_id ?? '', token: json['token'] }
}
const message = (from: 'ada' | 'grace', to: string, activity: object) =>
  harness.send('POST', `/users/${to}/messages`, { token: token[from], json: { activity } })
/** A field that is text. */
const of = ({ json }: Answer, name: string): string => String(json[name])
const secret = (who: 'ada' | 'grace' | 'linus', session: string, query = '', application = APPLICATION) =>
  harness.send('GET', `/users/${ada}/sessions/${session}/activities/${application}/1${query}`, { token: token[who] })
const join = (json: object) =>
  harness.send('POST', '~sandbox/join', { json: { user: 'grace', target: 'ada', application_id: APPLICATION, ...json } })

describe('an invite', () => {
  it('shows what the inviting game set, without its secret, and the name and cover of the application', { tags: ['2.2-50'] }, async () => {
    const assets = { large_image: 'pier', invite_cover_image: 'a-cover' }
    const session = await shown({ name: 'Night fishing', type: 5, details: 'On the pier', assets })
    const image = `data:image/png;base64,${Buffer.from('a cover').toString('base64')}`
    expect(
      (await harness.send('PATCH', '/applications/@me', { token: `Bot sandbox-bot-${APPLICATION}`, json: { cover_image: image } })).status,
    ).toBe(200)
    const sent = await message('ada', grace, { type: 1, session_id: session.id, party_id: 'pier' })
    expect(sent.json).toMatchObject({
      activity: { type: 1, shown: { name: 'Night fishing', type: 5, details: 'On the pier', assets } },
      application: { id: APPLICATION, name: `Application ${APPLICATION}`, cover_image: expect.stringMatching(/^[0-9a-f]+$/) },
    })
    expect(sent.text).not.toContain(SECRET)
  })

  it('is a message with an activity that gives the secret to its recipient only', async () => {
    const session = await shown()
    const sent = await message('ada', grace, { type: 1, session_id: session.id, party_id: 'pier' })
    expect(sent.json).toMatchObject({
      content: '',
      application_id: APPLICATION,
      activity: { type: 1, party_id: 'pier', session_id: session.id },
    })
    const query = `?channel_id=${of(sent, 'channel_id')}&message_id=${of(sent, 'id')}`
    expect((await secret('grace', session.id, query)).json).toEqual({ secret: SECRET })
    expect(refusal(await secret('linus', session.id, query))).toEqual([403, 50001])
    expect(refusal(await secret('grace', session.id))).toEqual([403, 50001])
    expect(refusal(await secret('grace', session.id, query.replace('channel_id=', 'channel_id=1')))).toEqual([403, 50001])
    expect(refusal(await secret('grace', session.id, query, OTHER_APPLICATION))).toEqual([403, 20012])
    const settings = (json: object) => harness.send('POST', '~sandbox/applications', { json })
    await settings({ application_id: '5', publisher_linking: true })
    await settings({ application_id: APPLICATION, parent_application_id: '5' })
    await settings({ application_id: OTHER_APPLICATION, parent_application_id: '5' })
    // Of one publisher, but the session is not of that application.
    expect(refusal(await secret('grace', session.id, query, OTHER_APPLICATION))).toEqual([403, 50001])
  })

  it('ends after six hours, and with the session', async () => {
    const session = await shown()
    const sent = await message('ada', grace, { type: 1, session_id: session.id })
    const query = `?message_id=${of(sent, 'id')}`
    await harness.send('POST', '/users/@me/headless-sessions/delete', { token: token.ada, json: { token: session.token } })
    expect(refusal(await secret('grace', session.id, query))).toEqual([403, 50001])
    const next = await shown()
    const late = await message('ada', grace, { type: 1, session_id: next.id })
    for (let minutes = 0; minutes < 360; minutes += 15) {
      harness.clock.advance(15 * 60_000)
      const activity = { type: 0, name: 'Harbour', application_id: APPLICATION, platform: 'desktop', secrets: { join: SECRET } }
      await harness.send('POST', '/users/@me/headless-sessions', { token: token.ada, json: { activities: [activity], token: next.token } })
    }
    expect(refusal(await secret('grace', next.id, `?message_id=${of(late, 'id')}`))).toEqual([403, 50001])
    expect((await secret('ada', next.id)).json).toEqual({ secret: SECRET })
  })

  it('needs a joinable session of its author', async () => {
    const closed = await shown({ secrets: null })
    expect(refusal(await message('ada', grace, { type: 1, session_id: closed.id }))).toEqual([400, 50035])
    expect(refusal(await message('grace', ada, { type: 1, session_id: (await shown()).id }))).toEqual([400, 50035])
  })

  it('needs the scope to invite, and never contains the secret', async () => {
    const { access_token: plain } = await harness.signIn('identify dm_channels.messages.write', { user: 'grace' })
    expect(refusal(await harness.send('POST', `/users/${ada}/messages`, { token: plain, json: { activity: { type: 5 } } }))).toEqual([
      403, 50026,
    ])
    await shown()
    await join({ action: 'ask' })
    await join({ user: 'ada', target: 'grace', action: 'accept' })
    for (const path of ['~', '~sandbox/state', '~sandbox/page/join']) expect((await harness.send('GET', path)).text).not.toContain(SECRET)
    expect(harness.log.join('\n')).not.toContain(SECRET)
  })
})

describe('an open party', () => {
  it('needs no invite for an acquaintance of its host', async () => {
    const session = await shown({ flags: (1 << 1) | (1 << 6) })
    expect((await secret('grace', session.id)).json).toEqual({ secret: SECRET })
  })
})

describe('the page and its control', () => {
  it('let a user ask, and another let them join, once', async () => {
    expect(refusal(await join({ user: 'ada', target: 'grace', action: 'accept' }))).toEqual([404, 10008])
    expect((await join({ action: 'ask' })).json).toMatchObject({ recipient_id: ada, activity: { type: 5 } })
    expect(refusal(await join({ user: 'ada', target: 'grace', action: 'accept' }))).toEqual([400, 50035])
    const session = await shown()
    const admitted = await join({ user: 'ada', target: 'grace', action: 'accept' })
    expect(admitted.json).toMatchObject({ recipient_id: grace, activity: { type: 1, session_id: session.id } })
    expect((await secret('grace', session.id, `?message_id=${of(admitted, 'id')}`)).json).toEqual({ secret: SECRET })
    expect(refusal(await join({ user: 'ada', target: 'grace', action: 'accept' }))).toEqual([404, 10008])
  })

  it.each([
    ['unknown', { user: 'unknown', action: 'ask' }, [404, 10013]],
    ['themselves', { target: 'grace', action: 'ask' }, [404, 10013]],
    ['a stranger', { user: 'ada', target: 'mary', action: 'ask' }, [403, 50007]],
    ['what is no action', { action: 'steal' }, [400, 50035]],
  ])('refuse %s', async (_, input, expected) => {
    expect(refusal(await join(input))).toEqual(expected)
  })

  it('show the result on the page', async () => {
    const fields = { user: grace, target: ada, application_id: APPLICATION }
    expect(await harness.form('/sandbox/page/join', { ...fields, action: 'ask' })).toMatchObject({
      status: 200,
      text: expect.stringContaining('join request was sent'),
    })
    const refused = await harness.form('/sandbox/page/join', { ...fields, user: ada, target: grace, action: 'invite' })
    expect(refused).toMatchObject({ status: 400, text: expect.stringContaining('can be joined') })
    expect((await harness.send('GET', '~')).text).toContain('/sandbox/page/join')
  })
})
