import { describe, expect, test } from 'vitest'
import { isLoopbackHost, isOriginAllowed, LOOPBACK_ORIGINS, ORIGIN_RULE } from '@sallyport/core/origins'

describe('an origin', () => {
  test.each([
    ['https://a.example', ['https://a.example'], true],
    ['https://a.example', ['https://b.example', 'https://a.example'], true],
    ['https://a.example', [], false],
    ['http://a.example', ['https://a.example'], false],
    ['https://a.example:8443', ['https://a.example'], false],
    ['https://a.example.evil.test', ['https://a.example'], false],
    ['https://evil-a.example', ['https://a.example'], false],
    ['null', ['https://a.example'], false],
    ['http://a.example:3000', ['http://a.example:*'], true],
    ['http://a.example', ['http://a.example:*'], true],
    ['http://a.example.evil.test:3000', ['http://a.example:*'], false],
    ['http://a.example:3000.evil.test', ['http://a.example:*'], false],
    ['http://a.example:*', ['http://a.example:*'], false],
  ])('%s by %j: %s', (origin, rules, isAllowed) => expect(isOriginAllowed(origin, rules)).toBe(isAllowed))

  test.each(['http://127.0.0.1:3000', 'https://localhost', 'http://[::1]:1'])('of this machine: %s', (origin) =>
    expect(isOriginAllowed(origin, LOOPBACK_ORIGINS)).toBe(true),
  )
  test.each(['http://localhost.evil.test', 'http://127.0.0.1.evil.test:80', 'http://128.0.0.1'])('of another: %s', (origin) =>
    expect(isOriginAllowed(origin, LOOPBACK_ORIGINS)).toBe(false),
  )
})

test.each([
  ['https://a.example', true],
  ['http://[::1]:*', true],
  ['vscode-file://vscode-app', true],
  ['https://a.example/', false],
  ['https://a.example/path', false],
  ['https://*', false],
  ['a.example', false],
  ['*', false],
])('%s as a rule: %s', (rule, isOne) => expect(ORIGIN_RULE.test(rule)).toBe(isOne))

test.each([
  ['127.0.0.1:6463', true],
  ['LOCALHOST:1', true],
  ['[::1]', true],
  [undefined, false],
  ['evil.test:6463', false],
  ['127.0.0.1.evil.test', false],
  ['localhost@evil.test', false],
])('the host %s leads here by its own name: %s', (host, isOurs) => expect(isLoopbackHost(host)).toBe(isOurs))
