import { describe, expect, test } from 'vitest'
import { loadSettings } from '../../../../daemon/src/config/load.ts'
import { SettingsError } from '../../../../daemon/src/config/settings-error.ts'
import { rpcOriginRules } from '../../../../daemon/src/config/web-origins.ts'

const load = (flags: Parameters<typeof loadSettings>[0]) =>
  loadSettings(flags, { platform: 'linux', env: { XDG_RUNTIME_DIR: '/run/x' }, home: '/nowhere' })

describe('--bridge-origins', () => {
  test('takes text, and a list as a file has it', () => {
    const origins = ['https://a.example', 'http://localhost:*']
    expect(load({ bridgeOrigins: 'https://A.example, http://localhost:*' }).settings.bridgeOrigins).toEqual(origins)
    expect(load({ bridgeOrigins: origins }).settings.bridgeOrigins).toEqual(origins)
    expect(load({}).settings.bridgeOrigins).toBeUndefined()
  })
  test('is as browsers say origins: without the port that goes without saying', () => {
    const given = ['https://a.example:443', 'http://[::1]:80', 'https://b.example:80', 'http://c.example:443']
    const origins = ['https://a.example', 'http://[::1]', 'https://b.example:80', 'http://c.example:443']
    expect(load({ bridgeOrigins: given }).settings.bridgeOrigins).toEqual(origins)
  })
  test.each(['', '*', 'a.example', 'https://a.example/', 'https://a.example,'])('refuses %j, and says what it takes', (given) => {
    expect(() => load({ bridgeOrigins: given })).toThrow(SettingsError)
    expect(() => load({ bridgeOrigins: given })).toThrow(/--bridge-origins.*scheme:\/\/host\[:port\]/)
  })
})

describe('--rpc-origins', () => {
  const pairs = ['42=https://a.example', '42=https://b.example:8443', '43=https://c.example']

  test('takes text, and an object as a file has it', () => {
    expect(load({ rpcOrigins: pairs.join(', ') }).settings.rpcOrigins).toEqual(pairs)
    const object = { 42: ['https://a.example', 'https://b.example:8443'], 43: 'https://c.example' }
    expect(load({ rpcOrigins: object }).settings.rpcOrigins).toEqual(pairs)
  })
  test.each(['https://a.example', '42', '42=', 'x=https://a.example', '42=https://a.example=1'])('refuses %j', (given) =>
    expect(() => load({ rpcOrigins: given })).toThrow(SettingsError),
  )
  test('lets the pages of an application speak for it alone, and those of the platform for all', () => {
    const admits = rpcOriginRules(['http://localhost:*'], pairs)
    expect(admits('https://a.example', '42')).toBe(true)
    expect(admits('https://b.example:8443', '42')).toBe(true)
    expect(admits('https://a.example', '43')).toBe(false)
    expect(admits('https://a.example', null)).toBe(true)
    expect(admits('https://d.example', null)).toBe(false)
    expect(admits('http://localhost:3000', '99')).toBe(true)
    expect(rpcOriginRules([])('http://localhost:3000', '99')).toBe(false)
  })
})

test('web clients of the real platform find the presence websocket where they look; the sandbox opens none unasked', () => {
  const { settings, origins } = load({ platform: 'discord' })
  expect([settings.bridgePort, origins.bridgePort]).toEqual([1337, 'profile'])
  expect(settings.profile?.bridgeOrigins).toContain('https://discord.com')
  expect(load({ platform: 'discord', bridgePort: 'off' }).settings.bridgePort).toBe('off')
  expect(load({}).settings.bridgePort).toBe('off')
})
