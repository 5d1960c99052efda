/** URL mappings: which are accepted, and where a path leads. */
import { describe, expect, test } from 'vitest'
import { Mappings, mapPath, mappingsOfText } from '@sallyport/sandbox/embedded/mappings'

const MAPPINGS = [
  { prefix: '/api', target: '127.0.0.1:3001/backend' },
  { prefix: '/six', target: '[::1]:3002' },
  { prefix: '/', target: 'localhost:3000' },
]
const mapped = (path: string, mappings = MAPPINGS) => {
  const found = mapPath(path, mappings)
  return 'url' in found ? found.url.href : found.problem
}

describe('a path leads', () => {
  test.each([
    ['/', 'http://localhost:3000/'],
    ['/.proxy/', 'http://localhost:3000/'],
    ['/game.js?v=2&x=%20', 'http://localhost:3000/game.js?v=2&x=%20'],
    ['/api/token', 'http://127.0.0.1:3001/backend/token'],
    ['/.proxy/api/token?a=1', 'http://127.0.0.1:3001/backend/token?a=1'],
    ['/api', 'http://127.0.0.1:3001/backend'],
    ['/apiary', 'http://localhost:3000/apiary'],
    ['/six/live', 'http://[::1]:3002/live'],
  ])('%s to %s', { tags: ['9.2-18'] }, (path, expected) => expect(mapped(path)).toBe(expected))

  test.each([
    ['/api/../../etc/passwd', 'http://localhost:3000/etc/passwd'],
    ['/api/%2e%2e/secret', 'http://localhost:3000/secret'],
    ['/api/..%2fsecret', 'http://127.0.0.1:3001/backend/..%2fsecret'],
    ['/api//evil.example/x', 'http://127.0.0.1:3001/backend//evil.example/x'],
    ['//evil.example/x', 'http://localhost:3000//evil.example/x'],
    ['/@evil.example/x', 'http://localhost:3000/@evil.example/x'],
    ['/\\evil.example/x', 'http://localhost:3000//evil.example/x'],
  ])('%s never out of its target: %s', (path, expected) => {
    const url = mapped(path)
    expect(['127.0.0.1:3001', 'localhost:3000']).toContain(new URL(url).host)
    expect(url).toBe(expected)
  })

  test('nowhere without a mapping, and nowhere if it is no path', () => {
    expect(mapped('/scores', MAPPINGS.slice(0, 2))).toBe('unmapped')
    expect(mapped('http://evil.example/')).toBe('not-a-path')
    expect(mapped('*')).toBe('not-a-path')
  })
})

describe('a mapping', () => {
  const isAccepted = (prefix: string, target: string): boolean => Mappings().safeParse([{ prefix, target }]).success

  test.each(['127.0.0.1:3000', 'localhost:1', '[::1]:65535/game/v2'])('may lead to %s', (target) =>
    expect(isAccepted('/', target)).toBe(true),
  )
  test.each([
    'game.example',
    'game.example:443',
    '192.168.0.1:80',
    '169.254.169.254:80',
    '127.0.0.1',
    '127.0.0.1:0',
    '127.0.0.1:70000',
    'http://127.0.0.1:3000',
    'localhost:3000?x=1',
    'user@localhost:3000',
    'localhost:3000@evil.example:80',
    'localhost.evil.example:80',
    '{port}:3000',
  ])('may not lead to %s', (target) => expect(isAccepted('/', target)).toBe(false))
  test.each(['api', '/{name}', '/.proxy', '/.proxy/x', '/.activity', '/a b', ''])('may not have the prefix %j', (prefix) =>
    expect(isAccepted(prefix, 'localhost:3000')).toBe(false),
  )
  test('is one of at most 32', () => {
    const many = (count: number) => Array.from({ length: count }, (_, n) => ({ prefix: `/${n}`, target: 'localhost:3000' }))
    expect(Mappings().safeParse(many(32)).success).toBe(true)
    expect(Mappings().safeParse(many(33)).success).toBe(false)
  })
})

test('lines of a form are mappings', () => {
  expect(mappingsOfText('/api  localhost:3001 \r\n\n/ localhost:3000')).toEqual([
    { prefix: '/api', target: 'localhost:3001' },
    { prefix: '/', target: 'localhost:3000' },
  ])
  expect(mappingsOfText(' \n')).toEqual([])
})
