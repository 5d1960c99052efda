/** Commands of embedded activities that the bridge serves. */
import { describe, expect, test } from 'vitest'
import type { PeerIdentity } from '#daemon/src/ipc/transport/transport.ts'
import { Game, testBridge } from '#test/support/bridge.ts'

const ACTIVITY: PeerIdentity = { trust: 'origin', origin: 'http://1234567890.localhost:5000', isActivity: true }

function start() {
  const bridge = testBridge()
  return { ...bridge, activity: Game.connected(bridge, {}, ACTIVITY) }
}

describe('CAPTURE_LOG', () => {
  const logged = (message: string) => {
    const { activity, log } = start()
    expect(activity.call('CAPTURE_LOG', { level: 'warn', message })).toMatchObject({ evt: null, data: null })
    return log.lines.filter(({ event }) => event === 'activity-log').map(({ level, fields }) => ({ level, fields: { ...fields } }))
  }

  test('writes the message to the log, with its level', () => {
    expect(logged('the net broke')).toEqual([
      { level: 'debug', fields: { call: 'c1-1', session: 1, severity: 'warn', message: 'the net broke' } },
    ])
  })

  test('leaves out long words, which may be secrets, and cuts long messages', () => {
    expect(logged('code=MTIzNDU2Nzg5MDEyMzQ1Njc4OTA. end')[0]?.fields).toMatchObject({ message: '[long word] end' })
    expect(logged('it is '.repeat(5000))[0]?.fields).toMatchObject({ message: 'it is '.repeat(1000).slice(0, 1024) })
  })
})

describe('INVITE_USER_EMBEDDED', () => {
  test('does what ACTIVITY_INVITE_USER does: without a user, it asks for a sign-in', async () => {
    const { activity } = start()
    expect(await activity.ask('INVITE_USER_EMBEDDED', { user_id: '7' })).toMatchObject({
      evt: 'ERROR',
      data: { code: 4006, message: expect.stringContaining('sign in with AUTHORIZE') },
    })
  })

  test('a connected desktop client receives it as ACTIVITY_INVITE_USER', async () => {
    const { activity, desktopClient } = start()
    desktopClient.linked.add('1234567890')
    desktopClient.answer = async () => null
    expect(await activity.ask('INVITE_USER_EMBEDDED', { user_id: '7', content: 'Come aboard' })).toMatchObject({ evt: null, data: null })
    expect(desktopClient.calls).toEqual([
      { applicationId: '1234567890', cmd: 'ACTIVITY_INVITE_USER', args: { user_id: '7', content: 'Come aboard', type: 1, pid: 0 } },
    ])
  })
})

describe('AUTHORIZE of an activity', () => {
  const REQUEST = { client_id: '1234567890', response_type: 'code', state: '', scope: ['identify'] }

  test('that requests no page gets one where consent is missing, and an empty state is none', async () => {
    const { activity, authorizer, consent } = start()
    consent.decide = async () => {}
    const answer = await activity.ask('AUTHORIZE', { ...REQUEST, prompt: 'none' })
    expect(answer).toMatchObject({ evt: null, data: { code: expect.any(String) } })
    expect(answer.data).not.toHaveProperty('state')
    expect(authorizer.requests.at(-1)).not.toHaveProperty('platformPage')
  })

  test('a program that requests no page gets none', async () => {
    const bridge = testBridge()
    bridge.consent.decide = async () => {}
    await Game.connected(bridge).ask('AUTHORIZE', { ...REQUEST, prompt: 'none' })
    expect(bridge.authorizer.requests.at(-1)).toMatchObject({ platformPage: 'never' })
  })
})
