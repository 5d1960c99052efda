/** Activity URLs: the proxy with and without its prefix, and the mapping of external URLs. */
import {
  activityApplicationOf,
  activityOrigin,
  canonicalActivityPath,
  findActivityMapping,
  isLocalActivityProxy,
  mapActivityUrl,
  writesProxyPrefix,
} from '@sallyport/protocol'
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

describe('a proxy on this machine', () => {
  it.each([
    ['localhost:5000', true],
    ['localhost', true],
    ['proxy.localhost:5000', true],
    ['proxy.example', false],
    ['localhost.example', false],
    ['localhost:5000.example', false],
  ])('%s: %s', (host, expected) => {
    expect(isLocalActivityProxy(host)).toBe(expected)
    expect(activityOrigin('123', host)).toBe(`${expected ? 'http' : 'https'}://123.${host}`)
  })

  it('has addresses without a certificate', () => {
    const local = { ...OPTIONS, proxyHost: 'localhost:5000' }
    expect(mapActivityUrl('https://game.example/scores', local)).toEqual({ url: 'http://123.localhost:5000/scores' })
    expect(mapActivityUrl('wss://live.example/socket', local)).toEqual({ url: 'ws://123.localhost:5000/live/socket' })
  })
})

describe('the application of an origin', () => {
  it.each([
    ['http://123.localhost:5000', '123'],
    ['https://123.localhost:5000', undefined],
    ['http://123.localhost:5001', undefined],
    ['http://localhost:5000', undefined],
    ['http://evil.localhost:5000', undefined],
    ['http://0123.localhost:5000', undefined],
    ['http://123.localhost:5000.evil.example', undefined],
    ['http://1.123.localhost:5000', undefined],
    ['null', undefined],
  ])('%s: %s', (origin, expected) => {
    expect(activityApplicationOf(origin, 'localhost:5000')).toBe(expected)
  })

  it('is that of a host of the platform, whose name may have capital letters', { tags: ['9.2-19'] }, () => {
    expect(activityApplicationOf('https://123.proxy.example', 'Proxy.Example')).toBe('123')
    expect(activityApplicationOf('http://123.proxy.example', 'proxy.example')).toBeUndefined()
  })
})

describe('the mapping of a path', () => {
  const mappings = ['/api/live', '/api/', 'pictures', '/'].map((prefix) => ({ prefix }))
  it.each([
    ['/api/live/1', '/api/live', '/1'],
    ['/.proxy/api/live', '/api/live', ''],
    ['/api/lively', '/api/', '/lively'],
    ['/api', '/api/', ''],
    ['/pictures/a.png', 'pictures', '/a.png'],
    ['/apiary', '/', '/apiary'],
    ['/', '/', '/'],
    ['/.proxy', '/', '/'],
  ])('%s: %s and %j', (path, prefix, rest) => {
    expect(findActivityMapping(path, mappings)).toEqual({ mapping: { prefix }, rest })
  })

  it('is the first that matches, so a short prefix hides the longer ones after it', () => {
    expect(findActivityMapping('/api/live/1', mappings.toReversed())?.mapping).toEqual({ prefix: '/' })
    expect(findActivityMapping('/scores', mappings.slice(0, 3))).toBeUndefined()
  })
})
