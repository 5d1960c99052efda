import { allOf, anyOf, COMMANDS, type CommandRow, EVENTS, type EventRow, NO_SCOPE, type Requirement } from '@sallyport/protocol'
import { describe, expect, test } from 'vitest'
import { BridgeError } from '@sallyport/core/errors'
import { requireScopes, AUTHENTICATED_SCOPE, unauthenticatedScopes } from '#daemon/src/sessions/required-scopes.ts'

function refusal(requirement: Requirement, held: Iterable<string>, denied: Iterable<string> = []): BridgeError | undefined {
  try {
    requireScopes('THE_COMMAND', requirement, { scopes: new Set(held), deniedScopes: new Set(denied) })
    return undefined
  } catch (failure) {
    if (failure instanceof BridgeError) return failure
    throw failure
  }
}

describe('admits', () => {
  test.each([
    ['every session when no scope is required', NO_SCOPE, []],
    ['who holds the scope', anyOf('rpc'), ['rpc']],
    ['who holds one of several', anyOf('rpc', 'guilds'), ['guilds']],
    ['who holds all of a set', allOf('rpc', 'rpc.voice.write'), ['rpc.voice.write', 'rpc']],
  ])('%s', (_, requirement, held) => expect(refusal(requirement, held)).toBeUndefined())
})

describe('refuses', () => {
  test.each([
    ['who holds nothing', anyOf('rpc'), []],
    ['who holds something else', anyOf('rpc', 'guilds'), ['identify']],
    ['who holds part of a set', allOf('rpc', 'rpc.voice.write'), ['rpc']],
    ['every session when no set is sufficient', [], ['rpc', 'rpc.local']],
    ['a scope by the beginning of its name', anyOf('rpc.voice.read'), ['rpc']],
  ])('%s', (_, requirement, held) => expect(refusal(requirement, held)?.error).toBe('INVALID_PERMISSIONS'))

  test('what the user took from the program, and says so', () => {
    const requirement = [['rpc', 'guilds', 'email'], ['connections']] as const
    expect(refusal(requirement, ['rpc', AUTHENTICATED_SCOPE], ['guilds', 'email'])?.message).toBe(
      'THE_COMMAND needs the scope guilds + email, which the user does not allow this program; `sallyport grants narrow` changes that.',
    )
    expect(refusal(requirement, ['rpc', AUTHENTICATED_SCOPE], ['guilds'])?.message).toContain('authorize again')
    expect(refusal(requirement, ['rpc', 'connections'], ['guilds', 'email'])).toBeUndefined()
  })

  test('with the missing scopes and the remedy', () => {
    const requirement = [['rpc', 'rpc.voice.write'], ['identify']] as const
    expect(refusal(requirement, ['rpc.local'])?.message).toBe(
      'THE_COMMAND needs the scope rpc + rpc.voice.write or identify; sign in with AUTHORIZE and AUTHENTICATE first.',
    )
    expect(refusal(requirement, ['rpc.local', AUTHENTICATED_SCOPE])?.message).toContain('authorize again')
  })
})

describe('says who alone may use what no sign-in makes available', () => {
  test.each([[[]], [['rpc', AUTHENTICATED_SCOPE]]])('to a session with %j', (held) => {
    expect(refusal(COMMANDS.SHARE_LINK.requires, ['rpc.local', ...held])?.message).toBe(
      'THE_COMMAND is only for activities that run inside an iframe of the platform; no sign-in makes it available on this connection.',
    )
    expect(refusal(COMMANDS.INVITE_BROWSER.requires, ['rpc.local', ...held])?.message).toBe(
      "THE_COMMAND is only for the platform's own pages in its desktop client; no sign-in makes it available on this connection.",
    )
  })

  test('to a page that names a row of local programs', () => {
    expect(refusal(COMMANDS.GET_TOKEN.requires, [])?.message).toContain('is only for programs that connect over a local socket or pipe;')
  })

  test('not beside a scope that the session can request', () => {
    expect(refusal(anyOf('identify', 'rpc.embedded_app'), [])?.message).toBe(
      'THE_COMMAND needs the scope identify; sign in with AUTHORIZE and AUTHENTICATE first.',
    )
  })
})

describe('over all rows', () => {
  const rows: (CommandRow | EventRow)[] = [...Object.values<CommandRow>(COMMANDS), ...Object.values<EventRow>(EVENTS)]
  const admitted = (held: ReadonlySet<string>) =>
    rows.filter(({ requires }) => refusal(requires, held) === undefined).map(({ name }) => name)

  test('no local socket has commands of the iframe or the platform', { tags: ['1-19'] }, () => {
    const everything = new Set([
      ...unauthenticatedScopes({ trust: 'kernel' }),
      AUTHENTICATED_SCOPE,
      ...rows.flatMap(({ requires }) => requires.flat()).filter((scope) => !/^rpc\.(?:private|embedded_app)/.test(scope)),
    ])
    const reached = admitted(everything)
    for (const name of ['OPEN_INVITE_DIALOG', 'INVITE_BROWSER', 'OVERLAY', 'BROWSER_HANDOFF', 'ORIENTATION_UPDATE'])
      expect(reached).not.toContain(name)
    expect(reached.length).toBeGreaterThan(80)
  })
  test('before a sign-in there are no guild, voice or message commands, and no API commands with the token of a user', () => {
    const reached = admitted(unauthenticatedScopes({ trust: 'kernel' }))
    for (const name of [
      'GET_GUILD',
      'GET_CHANNEL',
      'GET_VOICE_SETTINGS',
      'GET_CURRENT_USER_CONNECTIONS',
      'SEND_LOBBY_MESSAGE',
      'MESSAGE_CREATE',
      'RELATIONSHIP_UPDATE',
    ]) {
      expect(reached).not.toContain(name)
    }
    for (const name of ['SET_ACTIVITY', 'SUBSCRIBE', 'AUTHORIZE', 'AUTHENTICATE', 'ACTIVITY_JOIN']) expect(reached).toContain(name)
  })
  test('before a sign-in a local program reaches the commands of the bot, a page does not', () => {
    expect(admitted(unauthenticatedScopes({ trust: 'kernel' }))).toContain('SET_VOICE_CHANNEL_STATUS')
    expect(admitted(unauthenticatedScopes({ trust: 'origin' }))).not.toContain('SET_VOICE_CHANNEL_STATUS')
  })
})
