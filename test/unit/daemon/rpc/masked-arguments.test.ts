/** What operators see of the arguments of a game: no value below a name that no table knows, also if the call is wrong in another way. */
import { COMMANDS } from '@sallyport/protocol'
import { UNKNOWN } from '@sallyport/core/redacted'
import { describe, expect, test } from 'vitest'
import { masked } from '#daemon/src/rpc/masked-arguments.ts'

const PLANTED = 'planted'
const argsOf = (cmd: string, args: unknown, evt?: string): unknown =>
  (masked({ cmd, nonce: '1', args, ...(evt === undefined ? {} : { evt }) }) as { args: unknown }).args

describe('a value is replaced below an unknown name', () => {
  test.each<[string, string, object, object]>([
    ['of a valid call', 'SET_ACTIVITY', { pid: 1, more: PLANTED }, { pid: 1, more: UNKNOWN }],
    [
      'beside an argument that breaks a rule',
      'SET_ACTIVITY',
      { activity: { state: 'x' }, more: PLANTED },
      { activity: { state: 'x' }, more: UNKNOWN },
    ],
    [
      'deep in an argument, beside one that breaks a rule',
      'SET_ACTIVITY',
      { pid: 1, activity: { state: 7, party: { id: 'p', inner: { more: PLANTED } } } },
      { pid: 1, activity: { state: 7, party: { id: 'p', inner: UNKNOWN } } },
    ],
    [
      'in a list',
      'SET_ACTIVITY',
      { pid: 'x', activity: { buttons: [{ label: 'Go', url: 'https://a.test', more: PLANTED }] } },
      { pid: 'x', activity: { buttons: [{ label: 'Go', url: 'https://a.test', more: UNKNOWN }] } },
    ],
    [
      'of what may be one of several',
      'CREATE_FOLLOWUP_MESSAGE',
      { components: [{ type: 17, components: [{ type: 10, content: 'x', more: PLANTED }] }] },
      { components: [{ type: 17, components: [{ type: 10, content: 'x', more: UNKNOWN }] }] },
    ],
    ['that every object has', 'SET_ACTIVITY', { pid: 'x', constructor: PLANTED }, { pid: 'x', constructor: UNKNOWN }],
    ['where a text is expected', 'SET_ACTIVITY', { activity: { state: { more: PLANTED } } }, { activity: { state: { more: UNKNOWN } } }],
    ['of a command that no table has', 'NO_SUCH_COMMAND', { more: PLANTED }, { more: UNKNOWN }],
  ])('%s', (_, cmd, given, shown) => expect(argsOf(cmd, given)).toEqual(shown))

  test('of an event, and of none', () => {
    const given = { guild_id: '5', more: PLANTED }
    expect(argsOf('SUBSCRIBE', given, 'GUILD_STATUS')).toEqual({ guild_id: '5', more: UNKNOWN })
    expect(argsOf('SUBSCRIBE', given, 'NO_SUCH_EVENT')).toEqual({ guild_id: UNKNOWN, more: UNKNOWN })
  })

  test('of the message', () =>
    expect(masked({ cmd: 'GET_GUILDS', more: PLANTED, evt: { more: PLANTED } })).toEqual({
      cmd: 'GET_GUILDS',
      more: UNKNOWN,
      evt: UNKNOWN,
    }))
})

test('a value below an unknown name is replaced in a handshake, a close, and a frame without a command', () => {
  const hello = { v: 1, client_id: '5', encoding: 'json', contract: '1.0', sdk_version: 'x/1', max_frame_bytes: 1, streams: true }
  expect(masked({ ...hello, more: PLANTED, constructor: PLANTED }, 'HANDSHAKE')).toEqual({ ...hello, more: UNKNOWN, constructor: UNKNOWN })
  expect(masked({ v: { more: PLANTED } }, 'HANDSHAKE')).toEqual({ v: UNKNOWN })
  expect(masked({ code: 1000, message: 'bye', more: PLANTED }, 'CLOSE')).toEqual({ code: 1000, message: 'bye', more: UNKNOWN })
  expect(masked({ nonce: '1', args: { more: PLANTED }, more: PLANTED })).toEqual({ nonce: '1', args: { more: UNKNOWN }, more: UNKNOWN })
  for (const other of [PLANTED, [PLANTED], null]) expect(masked(other, 'HANDSHAKE')).toBe(UNKNOWN)
})

test.each(Object.keys(COMMANDS))('%s shows no value below an unknown name unless it takes all names', (cmd) => {
  const probe = (COMMANDS as Readonly<Record<string, { args: { safeParse(value: unknown): { success: boolean; data?: unknown } } }>>)[cmd]
  const takesAll = JSON.stringify(probe?.args.safeParse({ some_unknown_name: PLANTED }).data ?? {}).includes(PLANTED)
  expect(JSON.stringify(argsOf(cmd, { some_unknown_name: PLANTED })).includes(PLANTED)).toBe(takesAll && !cmd.endsWith('SUBSCRIBE'))
})
