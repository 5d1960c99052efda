import { describe, expect, test } from 'vitest'
import { loadSettings } from '#daemon/src/config/load.ts'
import { SettingsError } from '#daemon/src/config/settings-error.ts'
import { activityOriginRules, rpcOriginRules } from '#daemon/src/config/web-origins.ts'

const load = (flags: Parameters<typeof loadSettings>[0]) =>
  loadSettings(flags, { platform: 'linux', env: { XDG_RUNTIME_DIR: '/run/x' }, home: '/nowhere' })

describe('--bridge-origins', () => {
  test('accepts text, and a list in a file', () => {
    const origins = ['https://a.example', 'http://localhost:*']
    expect(load({ bridgeOrigins: 'https://A.example, http://localhost:*' }).settings.bridgeOrigins).toEqual(origins)
    expect(load({ bridgeOrigins: origins }).settings.bridgeOrigins).toEqual(origins)
    expect(load({}).settings.bridgeOrigins).toBeUndefined()
  })
  test('omits the default port, as browsers do', () => {
    const given = ['https://a.example:443', 'http://[::1]:80', 'https://b.example:80', 'http://c.example:443']
    const origins = ['https://a.example', 'http://[::1]', 'https://b.example:80', 'http://c.example:443']
    expect(load({ bridgeOrigins: given }).settings.bridgeOrigins).toEqual(origins)
  })
  test.each(['', '*', 'a.example', 'https://a.example/', 'https://a.example,'])('rejects %j, with the expected form', (given) => {
    expect(() => load({ bridgeOrigins: given })).toThrow(SettingsError)
    expect(() => load({ bridgeOrigins: given })).toThrow(/--bridge-origins.*scheme:\/\/host\[:port\]/)
  })
})

describe('--rpc-origins', () => {
  const pairs = ['42=https://a.example', '42=https://b.example:8443', '43=https://c.example']

  test('accepts text, and an object in a file', () => {
    expect(load({ rpcOrigins: pairs.join(', ') }).settings.rpcOrigins).toEqual(pairs)
    const object = { 42: ['https://a.example', 'https://b.example:8443'], 43: 'https://c.example' }
    expect(load({ rpcOrigins: object }).settings.rpcOrigins).toEqual(pairs)
  })
  test.each(['https://a.example', '42', '42=', 'x=https://a.example', '42=https://a.example=1'])('refuses %j', (given) =>
    expect(() => load({ rpcOrigins: given })).toThrow(SettingsError),
  )
  test('allows pages of an application only for it, and pages of the platform for all', () => {
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

describe('an embedded activity', () => {
  test('of a proxy on this machine may connect as its own application only', () => {
    const { isActivity, isAllowed } = activityOriginRules({ activityProxyHost: 'localhost:5000' })
    expect(isActivity('http://42.localhost:5000')).toBe(true)
    expect(isAllowed('http://42.localhost:5000', '42')).toBe(true)
    expect(isAllowed('http://42.localhost:5000', '43')).toBe(false)
    expect(isAllowed('http://42.localhost:5000', null)).toBe(false)
    for (const origin of ['http://42.localhost:5001', 'http://localhost:5000', 'http://evil.localhost:5000', 'null']) {
      expect(isActivity(origin), origin).toBe(false)
      expect(isAllowed(origin, '42'), origin).toBe(false)
    }
  })
  test('of the real platform is known as one, and needs a rule to connect', () => {
    const { isActivity, isAllowed } = activityOriginRules({ activityProxyHost: 'proxy.example' })
    expect(isActivity('https://42.proxy.example')).toBe(true)
    expect(isAllowed('https://42.proxy.example', '42')).toBe(false)
  })
})

test('the real platform has the presence websocket on its default port; the sandbox has none by default', () => {
  const { settings, origins } = load({ platform: 'discord' })
  expect([settings.bridgePort, origins.bridgePort]).toEqual([1337, 'profile'])
  expect(settings.profile?.presenceOrigins).toContain('https://discord.com')
  expect(load({ platform: 'discord', bridgePort: 'off' }).settings.bridgePort).toBe('off')
  expect(load({}).settings.bridgePort).toBe('off')
})
