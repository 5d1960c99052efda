import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { describeSettings } from '#daemon/src/config/describe.ts'
import { loadSettings } from '#daemon/src/config/load.ts'
import type { Machine } from '#daemon/src/config/paths.ts'
import { loadPlatform } from '#daemon/src/config/platforms.ts'

const folder = mkdtempSync(join(tmpdir(), 'settings-'))
afterAll(() => rmSync(folder, { recursive: true }))

const write = (name: string, content: unknown): string => {
  const file = join(folder, name)
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}
const large = (): string => {
  const file = write('large.json', '')
  truncateSync(file, 8_388_608)
  return file
}
const machine = (env: Machine['env'] = {}): Machine => ({
  platform: 'linux',
  env: { XDG_RUNTIME_DIR: '/run/x', ...env },
  home: join(folder, 'no-settings'),
})
const load = (flags: Parameters<typeof loadSettings>[0] = {}, env: Machine['env'] = {}) => loadSettings(flags, machine(env))

const PROFILE = { ...loadPlatform('discord').profile, name: 'own', baseUrl: 'https://api.example/v10', settings: { logLevel: 'debug' } }

describe('precedence', () => {
  const profile = write('profile.json', PROFILE)
  const config = write('config.json', { logLevel: 'info', dashboardPort: 4000 })

  test('flag over environment over file over profile over default, each with its origin', { tags: ['9.1-16', '9.1-17'] }, () => {
    const level = (flags: object, env: Machine['env']) => {
      const { settings, origins } = load({ platform: profile, ...flags }, env)
      return [settings.logLevel, origins.logLevel]
    }
    expect(level({ logLevel: 'error', config }, { SALLYPORT_LOG_LEVEL: 'silent' })).toEqual(['error', 'flag'])
    expect(level({ config }, { SALLYPORT_LOG_LEVEL: 'silent' })).toEqual(['silent', 'env'])
    expect(level({ config }, {})).toEqual(['info', 'file'])
    expect(level({}, {})).toEqual(['debug', 'profile'])
    expect(load().settings.logLevel).toBe('warn')
    expect(load().origins.logLevel).toBe('default')
  })

  test('a layer without a setting leaves it to the next', () => {
    const { settings, origins } = load({ config }, { SALLYPORT_SANDBOX_PORT: '5' })
    expect(settings).toMatchObject({ dashboardPort: 4000, sandboxPort: 5, bridgePort: 'off', config })
    expect(origins).toMatchObject({ dashboardPort: 'file', sandboxPort: 'env', bridgePort: 'default' })
  })

  test('the default file is read if it exists', () => {
    const home = join(folder, 'with-settings')
    mkdirSync(join(home, '.config', 'sallyport'), { recursive: true })
    writeFileSync(join(home, '.config', 'sallyport', 'config.json'), '{"consent":"deny"}')
    expect(loadSettings({}, { platform: 'linux', env: {}, home }).settings.consent).toBe('deny')
    expect(load().settings.config).toBeUndefined()
  })

  test('a platform is a file only by the form of its word, and the file that was read is recorded', () => {
    expect(load({ platform: profile }).settings.profileFile).toBe(profile)
    expect(load({ platform: relative('', profile) }).settings.profileFile).toBe(profile)
    expect(load({ platform: 'discord' }).settings.profileFile).toBeUndefined()
    expect(load({ platform: 'sandbox' }).settings.profileFile).toBeUndefined()
    // The working folder of the tests has these; neither is a platform.
    for (const name of ['unit', 'package', '..']) expect(() => load({ platform: name })).toThrow('Unknown platform')
  })

  test('an empty variable is ignored', () => expect(load({}, { SALLYPORT_CONSENT: '' }).origins.consent).toBe('default'))
})

test('the defaults: the sandbox, the default runtime folder, free ports', () => {
  const { settings } = load()
  expect(settings).toMatchObject({
    platform: 'sandbox',
    profile: undefined,
    runtimeDir: '/run/x',
    dashboardPort: 0,
    sandboxPort: 0,
    sandboxActivityPort: 0,
    consent: 'prompt',
    json: false,
    botToken: undefined,
  })
})

test('values are typed: numbers, off, and booleans come out of text', () => {
  const { settings } = load({ dashboardPort: 'off', bridgePort: '65535', json: true, sandboxSeed: '7' })
  expect(settings).toMatchObject({ dashboardPort: 'off', bridgePort: 65_535, json: true, sandboxSeed: '7' })
  expect(load({}, { SALLYPORT_JSON: '1' }).settings.json).toBe(true)
  expect(load({}, { SALLYPORT_NON_INTERACTIVE: '1', SALLYPORT_YES: '1' }).settings).toMatchObject({ nonInteractive: true, yes: false })
})

describe('an invalid value is rejected with its location', () => {
  test.each([
    ['a port that is too high', () => load({ dashboardPort: '65536' }), /--dashboard-port does not accept "65536"/],
    ['a port that is not a number', () => load({}, { SALLYPORT_SANDBOX_PORT: '-1' }), /SALLYPORT_SANDBOX_PORT does not accept/],
    [
      'an unknown value',
      () => load({ config: write('c1.json', { consent: 'maybe' }) }),
      /consent in the settings file .*c1\.json does not accept "maybe"/,
    ],
    [
      'an unknown key, with the nearest',
      () => load({ config: write('c2.json', { logLvel: 'info' }) }),
      /Unknown setting logLvel .*Did you mean logLevel\?/,
    ],
    ['nonInteractive in a file', () => load({ config: write('c6.json', { nonInteractive: true }) }), /Unknown setting nonInteractive/],
    ['yes in a file', () => load({ config: write('c7.json', { yes: true }) }), /Unknown setting yes/],
    ['config inside config', () => load({ config: write('c3.json', { config: 'x' }) }), /Unknown setting config/],
    [
      'platform inside a profile',
      () => load({ platform: write('p3.json', { ...PROFILE, settings: { platform: 'discord' } }) }),
      /Unknown setting platform/,
    ],
    ['a file that is not an object', () => load({ config: write('c4.json', '[]') }), /a JSON object/],
    ['a file that is not JSON', () => load({ config: write('c5.json', '{"botToken": "planted') }), /is not JSON\.$/],
    ['a missing file', () => load({ config: join(folder, 'none.json') }), /cannot be read/],
    ['a file that is too large', () => load({ config: large() }), /cannot be read: it has more than \d+ bytes\. Name another file/],
    ['a profile that is too large', () => load({ platform: large() }), /cannot be read: it has more than \d+ bytes\. Name another file/],
    ['an unknown platform, with the nearest', () => load({ platform: 'discrod' }), /Unknown platform discrod\. Did you mean discord\?/],
    ['a profile with a part missing', () => load({ platform: write('p1.json', { ...PROFILE, tokenUrl: undefined }) }), /tokenUrl/],
    ['a profile with a part too many', () => load({ platform: write('p2.json', { ...PROFILE, colour: 'red' }) }), /colour/],
    ['consent allow on a real platform', () => load({ consent: 'allow', platform: 'discord' }), /consent allow is for the sandbox only/],
    [
      'consent of a user on a real platform',
      () => load({ consent: 'allow:grace', platform: 'discord' }),
      /consent allow:grace is for the sandbox only/,
    ],
    [
      'consent of a user whom the sandbox does not have',
      () => load({ consent: 'allow:grce' }),
      /does not accept "allow:grce"\. Did you mean allow:grace\?/,
    ],
    ['webhooks of a real platform without a key', () => load({ webhookPort: '0', platform: 'discord' }), /requires webhook-public-keys/],
  ])('%s', (_, attempt, sentence) => expect(attempt).toThrow(sentence))

  test.each(['allow', 'allow:grace'])('consent %s is valid for the sandbox', (consent) =>
    expect(load({ consent }).settings.consent).toBe(consent),
  )
})

describe('platforms', () => {
  test('discord is built in', () => {
    const { profile } = load({ platform: 'discord' }).settings
    expect(profile).toMatchObject({ name: 'discord', ipcPrefix: 'discord-ipc', customSchemePrefix: 'discord' })
    expect(profile?.baseUrl).toMatch(/^https:\/\/.*\/api\/v10$/)
  })
  test('another comes from a file, without its settings part', { tags: ['1-12'] }, () => {
    const { profile } = load({ platform: write('own.json', PROFILE) }).settings
    expect(profile).toMatchObject({ name: 'own', baseUrl: 'https://api.example/v10' })
    expect(profile).not.toHaveProperty('settings')
  })
})

describe('the bot token', () => {
  test('comes from environment or file and is never printed', () => {
    const loaded = load({}, { SALLYPORT_BOT_TOKEN: 'planted-value' })
    expect(loaded.settings.botToken?.reveal()).toBe('planted-value')
    expect(JSON.stringify(loaded)).not.toContain('planted-value')
    const line = describeSettings(loaded).find(({ key }) => key === 'botToken')
    expect(line).toEqual({ key: 'botToken', value: '[redacted]', origin: 'env', flag: null, env: 'SALLYPORT_BOT_TOKEN' })
    expect(load({ config: write('b.json', { botToken: 'planted-value' }) }).settings.botToken?.reveal()).toBe('planted-value')
  })
  test('is not quoted if it is invalid', () => {
    const attempt = () => load({ config: write('b2.json', { botToken: ['planted-value'] }) })
    expect(attempt).toThrow(/botToken .* does not accept the given value/)
    expect(attempt).not.toThrow(/planted-value/)
  })
})
