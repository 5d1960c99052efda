/** First inputs and words for the fuzz targets, so that they begin inside the protocol. */
import { event, readyFrame } from '#test/support/scripted-server.ts'
import { frame, OP } from '#test/support/frames.ts'

const text = (value: string): Buffer => Buffer.from(value)

/** Actions of bindings/c/tests/fuzz_client.c. */
const SERVER = { ready: 0, bytes: 1, frame: 2, response: 3, error: 4, dispatch: 5, call: 6, authorized: 7, end: 8, revoked: 9 } as const
const GAME = {
  call: 10,
  activity: 11,
  clear: 12,
  signIn: 13,
  silent: 14,
  ping: 15,
  subscribe: 16,
  unsubscribe: 17,
  timeout: 18,
  write: 19,
  writeWithKey: 20,
  close: 21,
} as const
const CLOCK = 22
const MEMORY = 23

type Action = number | readonly [action: number, text: string]
const script = (...actions: readonly Action[]): Buffer =>
  Buffer.concat(
    actions.map((action) => {
      if (typeof action === 'number') return Buffer.from([action])
      return Buffer.concat([Buffer.from([action[0], Buffer.byteLength(action[1])]), text(action[1])])
    }),
  )

/** Actions of bindings/cpp/tests/fuzz.cpp: a text has its length before it in two bytes. */
const SDK = { ready: 0, response: 1, error: 2, dispatch: 3, ok: 4, end: 5 } as const
const SDK_GAME = {
  token: 6,
  connect: 7,
  join: 8,
  send: 9,
  presence: 10,
  silent: 11,
  history: 12,
  guilds: 13,
  signOut: 14,
  read: 15,
} as const
const long = (value: string): Buffer => Buffer.concat([Buffer.from([value.length >> 8, value.length & 255]), text(value)])
const response = (data: object): Buffer => Buffer.concat([Buffer.from([SDK.response]), long(JSON.stringify(data))])
const dispatch = (kind: number, data: object): Buffer => Buffer.concat([Buffer.from([SDK.dispatch, kind]), long(JSON.stringify(data))])
const bytes = (...actions: readonly number[]): Buffer => Buffer.from(actions)

const USER = { id: '9', username: 'ada', global_name: 'Ada' }
const LOBBY = {
  id: '7',
  application_id: '42',
  members: [{ id: '9', metadata: { a: 'b' }, user: USER }],
  linked_channel: { id: '5', name: 'c' },
}
const MESSAGE = { id: '8', content: 'x', lobby_id: '7', channel_id: '7', author: USER, timestamp: '2026-01-01T00:00:00Z' }
const SIGNED_IN = [bytes(SDK.ready, SDK_GAME.token), response({ user: USER }), bytes(SDK_GAME.connect)] as const

const PREPARED = [SERVER.ready, [SERVER.response, '{}'], [SERVER.response, '{}']] as const
const LATER = [CLOCK, 200] as const

export const SEEDS = {
  json: [
    text(
      '{"cmd":"DISPATCH","evt":"READY","data":{"v":1,"user":{"id":"1","name":"\\u00e9\\ud83d\\ude00"},"list":[1,2.5,-3e2,null,true,[[]]]}}',
    ),
    text('[[[[["\\"",{"a":{"b":"c"}}]]]]]'),
    text('-0.5e-300'),
  ],
  frames: [
    Buffer.concat([Buffer.from([7]), readyFrame(), event('A', 1), frame(OP.PING, 'x')]),
    Buffer.concat([Buffer.from([255]), frame(OP.CLOSE, { code: 4003, message: 'Revoked.' })]),
    Buffer.concat([Buffer.from([0]), frame(OP.PONG, Buffer.alloc(300))]),
  ],
  client: [
    script(...PREPARED, GAME.call, [SERVER.response, '{"id":"7"}'], GAME.close),
    script(
      ...PREPARED,
      GAME.signIn,
      [SERVER.authorized, ''],
      [SERVER.authorized, ''],
      [SERVER.response, '{"user":{"id":"9"}}'],
      SERVER.end,
      ...LATER,
      ...PREPARED,
    ),
    script(...PREPARED, [GAME.activity, '{"state":"a"}'], [SERVER.error, '{"code":4000,"message":"No."}'], SERVER.revoked, ...LATER),
    script(...PREPARED, SERVER.call, GAME.ping, [SERVER.frame, '{"code":4003}'], ...LATER, ...PREPARED),
    script(...PREPARED, GAME.subscribe, [SERVER.error, '{"code":5011,"retry_after":1.5}'], GAME.timeout, 9, ...LATER, GAME.unsubscribe),
    script(
      ...PREPARED,
      [SERVER.dispatch, '"evt":"GUILD_STATUS","data":{"guild":{"id":"5"}}'],
      MEMORY,
      GAME.call,
      [SERVER.bytes, 'xxxxxxxxx'],
      MEMORY,
    ),
    script(...PREPARED, GAME.write, [GAME.writeWithKey, '0123456789abcdef0123456789abcdef'], SERVER.end, ...LATER, ...PREPARED, [
      SERVER.error,
      '{"code":6001,"message":"It is not known."}',
    ]),
    script([SERVER.frame, 'x'], ...LATER, SERVER.end, ...LATER, SERVER.ready, GAME.silent, GAME.clear),
  ],
  cpp: [
    Buffer.concat([
      ...SIGNED_IN,
      ...Array.from({ length: 4 }, () =>
        response({ relationships: [{ type: 1, user: USER, presence: { status: 'online', activities: [] } }] }),
      ),
      bytes(SDK_GAME.read, SDK_GAME.join),
      response(LOBBY),
      dispatch(1, LOBBY),
      dispatch(6, MESSAGE),
      bytes(SDK_GAME.send, SDK.ok, SDK_GAME.history),
      response({ messages: [MESSAGE] }),
      bytes(SDK_GAME.read, SDK_GAME.signOut, SDK.ok),
    ]),
    Buffer.concat([
      ...SIGNED_IN,
      dispatch(11, { user: USER, activity: { party: { id: 'p' } }, type: 1, message_id: '3', channel_id: '4' }),
      bytes(SDK.ok),
    ]),
    Buffer.concat([
      bytes(SDK.ready, SDK_GAME.presence, SDK_GAME.guilds, SDK.end, SDK_GAME.silent),
      response({ guilds: [{ id: '1', name: 'g' }] }),
    ]),
  ],
} as const

export const DICTIONARY = [
  ...['{', '}', '[', ']', '"', '\\', 'null', 'true', 'false', '1e9', '\\u0000'],
  ...['"cmd":', '"evt":', '"nonce":', '"data":', '"code":', '"message":', '"DISPATCH"', '"READY"', '"ERROR"', '"user":{"id":"1"}'],
]
