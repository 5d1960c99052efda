import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { loadSettings } from '#daemon/src/config/load.ts'
import { proxiesOf } from '#daemon/src/config/proxies.ts'
import { Secret } from '@sallyport/core/secret'

const revealed = (setting: string | undefined, env: Record<string, string>) => {
  const { http, https, except } = proxiesOf(setting === undefined ? undefined : new Secret(setting), env)
  return [http?.reveal(), https?.reveal(), except]
}

describe('proxiesOf', () => {
  it.each([
    ['nothing', {}, [undefined, undefined, '']],
    ['both', { HTTP_PROXY: 'http://a:1', HTTPS_PROXY: 'http://b:2', NO_PROXY: 'c' }, ['http://a:1', 'http://b:2', 'c']],
    [
      'the small name counts',
      { https_proxy: 'http://a:1', HTTPS_PROXY: 'http://b:2', no_proxy: 'x', NO_PROXY: 'y' },
      [undefined, 'http://a:1', 'x'],
    ],
    ['an empty one is ignored', { https_proxy: '', HTTPS_PROXY: 'http://b:2' }, [undefined, 'http://b:2', '']],
    ['one for http serves both', { HTTP_PROXY: 'http://a:1' }, ['http://a:1', 'http://a:1', '']],
    ['without a scheme', { HTTPS_PROXY: 'proxy.test:3128' }, [undefined, 'http://proxy.test:3128', '']],
  ])('%s', (_, env, expected) => expect(revealed(undefined, env)).toEqual(expected))

  it('the setting takes precedence over the environment, except for NO_PROXY', () => {
    expect(revealed('http://s:9', { HTTPS_PROXY: 'http://b:2', NO_PROXY: 'c' })).toEqual(['http://s:9', 'http://s:9', 'c'])
    expect(revealed('off', { HTTPS_PROXY: 'http://b:2' })).toEqual([undefined, undefined, ''])
  })

  it('rejects an unsupported value, with the variable but not its value', () => {
    const use = () => revealed(undefined, { https_proxy: 'socks5://user:pass-word@h:1' })
    expect(use).toThrow(/https_proxy/)
    expect(use).not.toThrow(/pass-word/)
  })
})

describe('the setting', () => {
  const load = (flags: object, env: Record<string, string> = {}) =>
    loadSettings(flags, { platform: 'linux', env: { XDG_CONFIG_HOME: '/nonexistent', ...env }, home: '/nonexistent' })

  it('is a secret from every origin', () => {
    const { settings } = load({ platform: 'discord', proxy: 'http://user:pass-word@proxy.test:1' })
    expect(settings.proxies.https?.reveal()).toBe('http://user:pass-word@proxy.test:1')
    expect(inspect(settings, { depth: 9 }) + JSON.stringify(settings)).not.toContain('pass-word')
    expect(() => load({ proxy: 'ftp://user:pass-word@proxy.test' })).toThrow(/--proxy does not accept the given value/)
  })

  it('and the environment are ignored for the sandbox, which is local', () => {
    expect(load({}, { HTTPS_PROXY: 'socks5://h:1' }).settings.proxies).toEqual({ http: undefined, https: undefined, except: '' })
  })
})
