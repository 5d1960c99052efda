import { COMMANDS, customSchemeRedirect, defaultCustomScheme, isCustomScheme, schemeOfRedirect } from '@sallyport/protocol'
import { describe, expect, test } from 'vitest'

test.each(['mygame', 'com.example.my-game', 'g+1', 'X', 'discord-123'])('%s is a valid custom scheme', { tags: ['2.1-18'] }, (scheme) => {
  expect(isCustomScheme(scheme)).toBe(true)
  expect(schemeOfRedirect(customSchemeRedirect(scheme))).toBe(scheme.toLowerCase())
  expect(COMMANDS.AUTHORIZE.args.safeParse({ custom_scheme: scheme }).success).toBe(true)
})

test.each([
  'about',
  '1game',
  '-game',
  'my game',
  'my_game',
  'mygame:',
  'http',
  'HTTPS',
  'file',
  'javascript',
  'Data',
  'mailto',
  'a'.repeat(65),
])('%s is not a valid custom scheme', { tags: ['2.1-18'] }, (scheme) => {
  expect(isCustomScheme(scheme)).toBe(false)
  expect(schemeOfRedirect(`${scheme}:/authorize/callback`)).toBeUndefined()
  expect(COMMANDS.AUTHORIZE.args.safeParse({ custom_scheme: scheme }).success).toBe(false)
})

test('the default scheme contains platform and application', { tags: ['2.1-17'] }, () => {
  expect(customSchemeRedirect(defaultCustomScheme('discord', '42'))).toBe('discord-42:/authorize/callback')
})

describe('a redirect URI', () => {
  test.each([
    'mygame:/authorize/callback/more',
    'mygame:authorize/callback',
    'mygame://host/authorize/callback',
    '/authorize/callback',
    '',
  ])('%j is not a redirect to a game', (address) => expect(schemeOfRedirect(address)).toBeUndefined())
})
