/** What an invite shows of the game of its sender, who is another user. */
import { describe, expect, it } from 'vitest'
import { activityMessage } from '#test/support/activity-messages.ts'
import { Game, testBridge } from '#test/support/bridge.ts'
import { FakeClock, settled } from '#test/support/fake-clock.ts'
import { tokenOf } from '#test/support/tokens.ts'

const ANN = '80351110224678912'
const BOB = '197038439483310086'
const APPLICATION = '1234567890'

async function shownIn(message: object): Promise<unknown> {
  const clock = new FakeClock()
  const bridge = testBridge({ clock })
  const game = Game.connected(bridge, { contract: '1.0', streams: true })
  await game.ask('AUTHENTICATE', { access_token: tokenOf(['identify', 'sdk.social_layer']) })
  game.call('SUBSCRIBE', {}, 'ACTIVITY_INVITE')
  bridge.invites.onMessage({ applicationId: APPLICATION, userId: ANN }, activityMessage(1, { at: clock.now(), from: BOB, ...message }))
  await settled()
  const [event] = game.received()
  return (event?.data as { readonly activity?: unknown } | undefined)?.activity
}

describe('ACTIVITY_INVITE shows', () => {
  const SHOWN = { name: 'Night fishing', type: 5, details: 'On the pier', assets: { large_image: 'pier', invite_cover_image: 'a-cover' } }
  const activity = (shown: unknown) => ({ activity: { type: 1, party_id: 'pier', session_id: 'session-of-the-host', shown } })
  it('the name, type, details and cover that the inviting game set', { tags: ['2.2-49', '2.2-51', '2.2-50'] }, async () => {
    // Also where the application has a name and a cover.
    for (const application of [undefined, { id: APPLICATION, name: 'Harbour', cover_image: 'c0ffee' }]) {
      const sent = activity({ ...SHOWN, party: { id: 'other', size: [1, 4] }, secrets: { join: 'hush' } })
      expect(await shownIn({ ...sent, ...(application === undefined ? {} : { application }) })).toEqual({
        ...SHOWN,
        application_id: APPLICATION,
        party: { id: 'pier', size: [1, 4] },
      })
    }
  })

  it('the cover and the name of the application where the game set none', { tags: ['2.2-50'] }, async () => {
    const application = { id: APPLICATION, name: 'Harbour', cover_image: 'c0ffee' }
    expect(await shownIn({ ...activity({ details: 'On the pier' }), application })).toEqual({
      name: 'Harbour',
      details: 'On the pier',
      application_id: APPLICATION,
      assets: { invite_cover_image: `https://cdn.example.test/app-icons/${APPLICATION}/c0ffee.png` },
      party: { id: 'pier' },
    })
  })

  it('neither unknown nor overlong fields of the other user', async () => {
    const shown = {
      name: 'n'.repeat(129),
      details: 7,
      type: '5',
      assets: { large_image: 'i'.repeat(5_000) },
      buttons: ['Go'],
      party: { size: [1] },
    }
    expect(await shownIn(activity(shown))).toEqual({ application_id: APPLICATION, party: { id: 'pier' } })
  })
})
