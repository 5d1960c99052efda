/** Activity URLs: the proxy with and without its prefix, and the mapping of external URLs. */
import { canonicalActivityPath, mapActivityUrl, writesProxyPrefix } from '@sallyport/protocol'
import { describe, expect, it } from 'vitest'

const OPTIONS = {
  applicationId: '123',
  proxyHost: 'proxy.example',
  mappings: [
    { prefix: '/', target: 'game.example' },
    { prefix: '/api', target: 'game.example/api/v2' },
    { prefix: '/live/', target: 'wss://live.example' },
    { prefix: 'pictures', target: 'cdn.example:8443/img/' },
  ],
}
const map = (url: string, embeddedSdkVersion?: string) => mapActivityUrl(url, { ...OPTIONS, embeddedSdkVersion })

it.each([
  ['/.proxy/api/scores', '/api/scores'],
  ['/api/scores', '/api/scores'],
  ['/.proxy', '/'],
  ['/.proxy/', '/'],
  ['/.proxyish/x', '/.proxyish/x'],
])('%s means %s', { tags: ['9.2-18'] }, (path, expected) => {
  expect(canonicalActivityPath(path)).toBe(expected)
})

it.each([
  ['1.9.0', true],
  ['2.0', true],
  ['2.1.3', true],
  ['2.2.0', false],
  ['2.10.0', false],
  ['3.0', false],
  [undefined, false],
  ['main', false],
])('the Embedded SDK %s writes the prefix: %s', { tags: ['9.2-21'] }, (version, expected) => {
  expect(writesProxyPrefix(version)).toBe(expected)
})

describe('an external URL', () => {
  it.each([
    ['https://game.example/scores?page=2#top', 'https://123.proxy.example/scores?page=2#top'],
    ['https://game.example', 'https://123.proxy.example/'],
    ['https://game.example/api/v2/me', 'https://123.proxy.example/api/me'],
    ['https://game.example/api/v2', 'https://123.proxy.example/api'],
    ['https://game.example/api/v22', 'https://123.proxy.example/api/v22'],
    ['HTTP://GAME.example/Scores', 'https://123.proxy.example/Scores'],
    ['wss://live.example/socket', 'wss://123.proxy.example/live/socket'],
    ['https://cdn.example:8443/img/a.png', 'https://123.proxy.example/pictures/a.png'],
  ])('%s', (url, expected) => {
    expect(map(url)).toEqual({ url: expected })
    expect(map(url, '2.1.0')).toEqual({ url: expected.replace('proxy.example/', 'proxy.example/.proxy/') })
  })

  it.each(['https://elsewhere.example/x', 'https://cdn.example/img/a.png', 'https://game.example.evil/x', 'https://notgame.example/'])(
    '%s matches no mapping',
    (url) => {
      expect(map(url)).toEqual({ problem: 'unmapped' })
    },
  )

  it.each(['/api/me', 'game.example/api', 'ftp://game.example/', 'javascript:alert(1)', 'https://', 'https://ada:pw@game.example/', ''])(
    '%j is invalid',
    (url) => {
      expect(map(url)).toEqual({ problem: 'not-an-address' })
    },
  )
})

it('a proxy URL is returned in the form of the SDK version', { tags: ['9.2-18'] }, () => {
  for (const path of ['/api/me', '/.proxy/api/me']) {
    expect(map(`https://123.proxy.example${path}`)).toEqual({ url: 'https://123.proxy.example/api/me' })
    expect(map(`https://123.proxy.example${path}`, '2.1')).toEqual({ url: 'https://123.proxy.example/.proxy/api/me' })
  }
})
