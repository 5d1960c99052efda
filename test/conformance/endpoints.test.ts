/** Properties of every endpoint that is a command: what each row says, on arguments and responses that are generated from the row. */
import {
  COMMANDS,
  type EndpointName,
  ENDPOINTS,
  type EndpointRow,
  ERRORS,
  type ScopeName,
  satisfies,
  selectToken,
} from '@sallyport/protocol'
import { Secret } from '@sallyport/core/secret'
import { describe, expect, it } from 'vitest'
import { Game, testBridge } from '#test/support/bridge.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { samplesOf, valuesOf } from '#test/support/row-samples.ts'
import { meaningOf, tokenOf } from '#test/support/tokens.ts'
import type { PlannedReply } from '#test/support/vectors.ts'
import { isForwarded } from './covered.ts'
import { compared, type ComparedRequest, expectedRequest } from './expected-request.ts'
import { SAMPLES, VALUES } from './openapi/differences.ts'
import { fakePlatform } from './platform.ts'

type Args = Readonly<Record<string, unknown>>

const BOT_TOKEN = 'bot-token'
/** Scopes of the token that only names the user. */
const NO_MORE = ['identify'] as const
const HELLO = { contract: '1.0', streams: true, max_frame_bytes: 4 * 1024 * 1024 }

const rows = Object.values<EndpointRow>(ENDPOINTS).filter(isForwarded)
const open = rows.filter(({ unavailable }) => unavailable === undefined)
const closed = rows.filter(({ unavailable }) => unavailable !== undefined)

/** The history asks for a whole page when the game names no size: user-messages.json. */
const PAGED: Partial<Record<string, Args>> = { GET_USER_MESSAGES: { limit: 1 } }

const argumentsOf = ({ name, ...row }: EndpointRow): readonly [Args, ...Args[]] => {
  const made = SAMPLES[name as EndpointName] ?? samplesOf({ name, ...row }, VALUES[name as EndpointName])
  return made.map((args) => ({ ...PAGED[name], ...args })) as [Args, ...Args[]]
}

/** Arguments that only percent-encoding keeps apart from the path, where the row accepts them. */
const awkwardArgumentsOf = (row: EndpointRow): readonly Args[] =>
  row.pathParameters.map((name) => ({ ...argumentsOf(row)[0], [name]: 'a b/c?d#é%2F' })).filter((args) => row.args.safeParse(args).success)

const requiredOf = (row: EndpointRow): readonly string[] => {
  const { shape } = row.args as unknown as { readonly shape: Readonly<Record<string, { isOptional(): boolean }>> }
  return Object.keys(shape).filter((name) => shape[name]?.isOptional() === false)
}

/** A game on a bridge whose platform is a fake; `reply` is the platform's next response. */
async function world(scopes: readonly ScopeName[] | undefined, isBotKnown = true, strictArguments = false) {
  const clock = new FakeClock()
  const state: { reply?: PlannedReply } = {}
  const { forwarder, seen } = fakePlatform(clock, () => state.reply)
  const bridge = testBridge({ clock, forwarder, strictArguments, ...(isBotKnown ? { botToken: new Secret(BOT_TOKEN) } : {}) })
  const game = Game.connected(bridge, HELLO)
  const token = tokenOf(scopes ?? [])
  if (scopes !== undefined) expect(await game.ask('AUTHENTICATE', { access_token: token })).toMatchObject({ evt: null })
  return { ...bridge, clock, state, seen, game, token, scopes: new Set<string>(scopes) }
}

/** Sign-ins with exactly the scopes of one alternative of the requirement. */
const signInsOf = ({ requires }: EndpointRow): readonly (readonly ScopeName[])[] =>
  requires.map((set) => [...new Set<ScopeName>([...NO_MORE, ...set])])
const signInOf = (row: EndpointRow): readonly ScopeName[] => signInsOf(row)[0] ?? NO_MORE

/** The bot's token for rows of bots, and for those of both where the arguments or the row prefer it. */
function authorizationOf(row: EndpointRow, args: Args, token: string): string | undefined {
  if (row.auth === 'interaction' || row.auth === 'none') return undefined
  return selectToken(row, args, meaningOf(token)?.userId) === 'user' ? `Bearer ${token}` : `Bot ${BOT_TOKEN}`
}

/** A response of the platform, and the value that a game gets when nothing shapes it. */
interface Sample {
  readonly reply: PlannedReply
  readonly data: unknown
}

function repliesOf({ response, success, csvReply }: EndpointRow): readonly Sample[] {
  return success.flatMap((status): readonly Sample[] => {
    if (status === 204) return [{ reply: { status }, data: null }]
    if (csvReply === undefined) return valuesOf(response).map((body) => ({ reply: { status, body: JSON.stringify(body) }, data: body }))
    const values = ['1', '18446744073709551615']
    return [{ reply: { status, body: [csvReply.header, ...values, ''].join('\r\n') }, data: { [csvReply.as]: values } }]
  })
}

/** Names of arguments that the bridge reads itself. */
const RESERVED = ['as_bot', 'audit_log_reason', 'attachment_size_limit', 'files', 'payload_json', '__proto__']

const isInQuery = ({ method, bodyArgument }: EndpointRow): boolean => method === 'GET' || method === 'DELETE' || bodyArgument !== undefined

/** Whether the request has a place for an unknown object. */
const takesObjects = (row: EndpointRow, args: Args): boolean =>
  !isInQuery(row) && !(row.upload?.asFields === true && args[row.upload.argument] !== undefined)

/** The request of the same call with one more argument. */
function withUnknown(row: EndpointRow, request: ComparedRequest, value: unknown): ComparedRequest {
  if (!isInQuery(row)) {
    const isText = request.files !== undefined && row.upload?.asFields === true
    return { ...request, body: { ...(request.body as object | undefined), not_an_argument: isText ? String(value) : value } }
  }
  const pairs = [value].flat().map((one) => `not_an_argument=${String(one)}`)
  return { ...request, query: [...request.query, ...pairs].toSorted() }
}

const responseOf = (row: EndpointRow): PlannedReply => repliesOf(row)[0]?.reply ?? { status: 204 }

describe('before it is sent', () => {
  it.each(open)('$name is refused without a sign-in', { tags: ['4.3-22'] }, async (row) => {
    const { game, seen } = await world(undefined)
    for (const args of argumentsOf(row)) {
      expect(await game.ask(row.name, args)).toMatchObject({ evt: 'ERROR', data: { code: ERRORS.INVALID_PERMISSIONS.code } })
    }
    expect(seen).toEqual([])
  })

  it.each(open.filter(({ requires }) => !satisfies(requires, new Set(NO_MORE))))('$name is refused without its scopes', async (row) => {
    const { game, seen } = await world(NO_MORE)
    const asUser = row.asBotArgument === undefined ? {} : { [row.asBotArgument]: false }
    const answer = await game.ask(row.name, { ...argumentsOf(row)[0], ...asUser })
    expect(answer).toMatchObject({ evt: 'ERROR', data: { code: ERRORS.INVALID_PERMISSIONS.code } })
    for (const scope of row.requires.flat()) expect(answer.data.message).toContain(scope)
    expect(seen).toEqual([])
  })

  it.each(open.filter(({ auth }) => auth === 'bot'))('$name is refused without the bot token', { tags: ['4.1-rules-22'] }, async (row) => {
    const { game, seen } = await world(signInOf(row), false)
    expect(await game.ask(row.name, argumentsOf(row)[0])).toMatchObject({ evt: 'ERROR', data: { code: ERRORS.INVALID_PERMISSIONS.code } })
    expect(seen).toEqual([])
  })

  it.each(open.filter((row) => requiredOf(row).length > 0))('$name is refused without a required argument, by its path', async (row) => {
    const { game, seen } = await world(signInOf(row))
    for (const name of requiredOf(row)) {
      const { [name]: _, ...args } = argumentsOf(row)[0]
      expect(await game.ask(row.name, args)).toMatchObject({ evt: 'ERROR', data: { code: ERRORS.INVALID_PAYLOAD.code, path: name } })
    }
    expect(seen).toEqual([])
  })

  it.each(open)('$name is refused with an unknown argument, by its path, where arguments are strict', async (row) => {
    const { game, seen } = await world(signInOf(row), true, true)
    const answer = await game.ask(row.name, { ...argumentsOf(row)[0], not_an_argument: 1 })
    expect(answer).toMatchObject({ evt: 'ERROR', data: { code: ERRORS.INVALID_PAYLOAD.code, path: 'not_an_argument' } })
    expect(seen).toEqual([])
  })

  it.each(open)('$name is refused with a name that the bridge reserves on other rows', async (row) => {
    const { shape } = row.args as unknown as { readonly shape: object }
    const { game, seen } = await world(signInOf(row))
    for (const name of RESERVED.filter((one) => !Object.hasOwn(shape, one))) {
      const answer = await game.ask(row.name, { ...argumentsOf(row)[0], [name]: true })
      expect(answer, name).toMatchObject({ evt: 'ERROR', data: { code: ERRORS.INVALID_PAYLOAD.code, path: name } })
    }
    expect(seen).toEqual([])
  })

  it.each(closed)('$name is refused with the reason for which no application can use it', { tags: ['4.1-16'] }, async (row) => {
    for (const scopes of [undefined, signInOf(row)]) {
      const { game, seen } = await world(scopes)
      const { code, message } = (await game.ask(row.name, argumentsOf(row)[0])).data
      expect(code).toBe(ERRORS.INVALID_COMMAND.code)
      expect(message).toContain(row.unavailable?.reason)
      expect(seen).toEqual([])
    }
  })
})

describe('a request', () => {
  it.each(open)(
    'of $name has the method, path, query, body, files, reason and token of its row',
    {
      tags: [
        '1-7',
        '1-11',
        '1-17',
        '2.2-43',
        '4.1-8',
        '4.1-9',
        '4.1-13',
        '4.1-19',
        '4.1-rules-7',
        '4.1-rules-18',
        '4.1-rules-19',
        '4.2-2',
        '4.2-3',
        '4.2-7',
        '4.2-8',
        '4.2-9',
        '4.2-10',
        '4.2-11',
        '4.3-20',
        '4.3-21',
        '9.1-22',
      ],
    },
    async (row) => {
      for (const scopes of signInsOf(row)) {
        const { game, seen, state, token } = await world(scopes)
        state.reply = responseOf(row)
        for (const args of [...argumentsOf(row), ...awkwardArgumentsOf(row)]) {
          seen.length = 0
          expect(await game.ask(row.name, args)).toMatchObject({ cmd: row.name, evt: null })
          expect(seen.map(compared)).toEqual([expectedRequest(row, args, authorizationOf(row, args, token))])
        }
      }
    },
  )
})

describe('an unknown argument', () => {
  it.each(open)('of $name reaches the platform in the query or the body, and is named in the response', async (row) => {
    const { game, seen, state, token } = await world(signInOf(row))
    state.reply = responseOf(row)
    for (const args of argumentsOf(row)) {
      for (const value of ['text', 7, true, ['a', 'b'], ...(takesObjects(row, args) ? [{ nested: { text: 'x' } }] : [])]) {
        if (row.upload?.asFields === true && Array.isArray(value)) continue
        seen.length = 0
        const answer = await game.ask(row.name, { ...args, not_an_argument: value })
        expect(answer).toMatchObject({ cmd: row.name, evt: null, warnings: [{ path: 'not_an_argument' }] })
        expect(seen.map(compared)).toEqual([withUnknown(row, expectedRequest(row, args, authorizationOf(row, args, token)), value)])
      }
      // Nothing is left of it for the next call.
      expect(await game.ask(row.name, args)).not.toHaveProperty('warnings')
    }
  })

  it.each(open.filter((row) => !takesObjects(row, argumentsOf(row)[0])))(
    'of $name is refused if it is an object, for which a query has no form',
    async (row) => {
      const { game, seen } = await world(signInOf(row))
      const answer = await game.ask(row.name, { ...argumentsOf(row)[0], not_an_argument: { a: 1 } })
      expect(answer).toMatchObject({ evt: 'ERROR', data: { code: ERRORS.INVALID_PAYLOAD.code, path: 'not_an_argument' } })
      expect(seen).toEqual([])
    },
  )
})

describe('a response', () => {
  it.each(open)(
    'of $name reaches the game as it came, or as the row shapes it',
    { tags: ['2.2-22', '4.1-1', '4.1-5', '4.2-1', '4.2-5', '4.2-6', '9.1-31'] },
    async (row) => {
      const { game, state, clock, scopes, removedConnections } = await world(signInOf(row))
      const context = { now: clock.now(), scopes, removedConnections }
      for (const { reply, data } of repliesOf(row)) {
        state.reply = reply
        const answer = await game.ask(row.name, argumentsOf(row)[0])
        expect(answer).toMatchObject({ cmd: row.name, evt: null })
        expect(answer.data).toEqual(row.shapeResponse === undefined ? data : row.shapeResponse(data, context))
      }
    },
  )

  it.each(open)(
    'of $name that is an error reaches the game with its status, code, message and fields',
    { tags: ['4.1-rules-20', '7-6'] },
    async (row) => {
      const { game, state, seen } = await world(signInOf(row))
      const known = new Set<number>(Object.values(ERRORS).map(({ code }) => code))
      for (const code of [50_035, ...row.platformErrors]) {
        seen.length = 0
        const fields = { content: { _errors: [{ code: 'BASE_TYPE_BAD_LENGTH', message: 'Must be shorter.' }] } }
        state.reply = { status: 400, body: { code, message: `Refused as ${code}`, ...(code === 50_035 ? { errors: fields } : {}) } }
        const { evt, data } = await game.ask(row.name, argumentsOf(row)[0])
        expect({ evt, http_status: data.http_status, platform_code: data.platform_code }).toEqual({
          evt: 'ERROR',
          http_status: 400,
          platform_code: code,
        })
        expect(known).toContain(data.code)
        expect(data.message).toContain(code === 50_035 ? 'content: Must be shorter.' : `Refused as ${code}`)
        if (code === 50_035) expect(data).toMatchObject({ path: 'content', errors: fields })
        expect(seen).toHaveLength(1)
      }
    },
  )
})

it('every forwarded row is a command, and every such command a forwarded row', () => {
  const commands = Object.values(COMMANDS).filter(({ handledBy }) => handledBy === 'api')
  expect(rows.map(({ name }) => name).toSorted()).toEqual(commands.map(({ name }) => name).toSorted())
})
