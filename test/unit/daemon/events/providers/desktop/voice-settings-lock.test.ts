import { beforeEach, describe, expect, test } from 'vitest'
import { BridgeError } from '@sallyport/core/errors'
import { VoiceSettingsLock } from '#daemon/src/events/providers/desktop/voice-settings-lock.ts'

describe('the lock on voice settings', () => {
  let hold: VoiceSettingsLock
  beforeEach(() => {
    hold = new VoiceSettingsLock()
  })
  const set = (application: string, args: object, answer: Promise<unknown> = Promise.resolve(null)) =>
    hold.change(application, 'SET_VOICE_SETTINGS', { ...args }, () => answer)

  test('belongs to the first application, and is reported to others until it is released', async () => {
    await set('1', { mute: true })
    await expect(set('2', { mute: false })).rejects.toMatchObject({
      error: 'INVALID_PERMISSIONS',
      message: expect.stringContaining('application 1'),
    })
    const ofUser = hold.change('2', 'SET_USER_VOICE_SETTINGS', { user_id: '7' }, async () => null)
    await expect(ofUser).rejects.toMatchObject({ error: 'INVALID_PERMISSIONS' })
    hold.release('2')
    expect(hold.isHeldBy('1')).toBe(true)
    hold.release('1')
    await set('2', { mute: false })
    expect(hold.isHeldBy('2')).toBe(true)
    expect(hold.replay('1')).toEqual([])
  })

  test('is not acquired by a change that the client refuses', async () => {
    const refused = set('1', { mute: true }, Promise.reject(new BridgeError('INVALID_PERMISSIONS', 'no')))
    await expect(set('2', {})).rejects.toMatchObject({ error: 'INVALID_PERMISSIONS' })
    await expect(refused).rejects.toMatchObject({ message: 'no' })
    expect(hold.isHeldBy('1')).toBe(false)
    await set('2', { deaf: true })
    expect(hold.isHeldBy('2')).toBe(true)
  })

  test('restores the last value of every setting', async () => {
    await set('1', { input: { volume: 10, device_id: 'a' }, mute: true })
    await set('1', { input: { volume: 20 }, deaf: true })
    await set('1', { mode: { shortcut: [1] } }, Promise.reject(new BridgeError('INVALID_PAYLOAD', 'no'))).catch(() => {})
    await hold.change('1', 'SET_USER_VOICE_SETTINGS', { user_id: '7', volume: 5 }, async () => null)
    await hold.change('1', 'SET_USER_VOICE_SETTINGS', { user_id: '7', mute: true }, async () => null)
    expect(hold.replay('1')).toEqual([
      { cmd: 'SET_VOICE_SETTINGS', args: { input: { volume: 20, device_id: 'a' }, mute: true, deaf: true } },
      { cmd: 'SET_USER_VOICE_SETTINGS', args: { user_id: '7', volume: 5, mute: true } },
    ])
  })

  test('stores a limited number of users', async () => {
    for (let user = 0; user < 300; user++) await hold.change('1', 'SET_USER_VOICE_SETTINGS', { user_id: String(user) }, async () => null)
    expect(hold.replay('1')).toHaveLength(256)
    expect(hold.replay('1')[0]?.args).toEqual({ user_id: '44' })
  })
})
