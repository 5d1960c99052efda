/** Properties of every event that a game can subscribe to: who receives it, when, and with which data. Arguments and data are generated from the row. */
import { EVENTS, type EventRow, ERRORS, isOAuthScope, type ScopeName, satisfies } from '@sallyport/protocol'
import { describe, expect, it } from 'vitest'
import { Game, type TestBridge, testBridge } from '#test/support/bridge.ts'
import { settled } from '#test/support/fake-clock.ts'
import { valuesOf } from '#test/support/row-samples.ts'
import { tokenOf } from '#test/support/tokens.ts'
import { isSubscribable } from './covered.ts'

type Args = Readonly<Record<string, unknown>>

const HELLO = { contract: '1.0', streams: true, max_frame_bytes: 4 * 1024 * 1024 }
/** Scopes of a local game before its sign-in, and of one whose token only names the user. */
const LOCAL: readonly ScopeName[] = ['rpc.local']
const NAMED: readonly ScopeName[] = [...LOCAL, 'rpc.authenticated', 'identify']

const rows = Object.values<EventRow>(EVENTS).filter(isSubscribable)
const isOpenTo = (scopes: readonly ScopeName[]) => (row: EventRow) => satisfies(row.requires, new Set(scopes))

/** The arguments of a subscription with all arguments; undefined for an event without arguments. */
const fullArgsOf = ({ args }: EventRow): Args | undefined => {
  const full = valuesOf(args).findLast((value) => typeof value === 'object' && value !== null && Object.keys(value).length > 0)
  return full as Args | undefined
}
/** Arguments of another subscription to the same event. */
const otherArgsOf = (args: Args): Args =>
  Object.fromEntries(Object.entries(args).map(([name, value]) => [name, typeof value === 'number' ? 7 : '7']))

const withArgs = rows.filter((row) => fullArgsOf(row) !== undefined)
const optional = withArgs.filter(({ args }) => args.safeParse(undefined).success || args.safeParse({}).success)
const mandatory = withArgs.filter((row) => !optional.includes(row))

const dispatch = ({ name }: EventRow, data: unknown) => ({ cmd: 'DISPATCH', evt: name, data, nonce: null })
const dataOf = ({ data }: EventRow): unknown => valuesOf(data).at(-1)

/** A token of these scopes that also names the user. */
const tokenFor = (scopes: readonly ScopeName[]): string => tokenOf([...new Set(['identify', ...scopes.filter(isOAuthScope)])])

/** A game with exactly the scopes of one alternative of the requirement; not signed in if the event needs no sign-in. */
async function gameFor(bridge: TestBridge, { requires: [first = []] }: EventRow, alternative = first): Promise<Game> {
  const game = Game.connected(bridge, HELLO)
  if (satisfies([alternative], new Set(LOCAL))) return game
  expect(await game.ask('AUTHENTICATE', { access_token: tokenFor(alternative) })).toMatchObject({ evt: null })
  return game
}

async function subscribed(game: Game, { name }: EventRow, args?: Args): Promise<void> {
  expect(await game.ask('SUBSCRIBE', args, name)).toMatchObject({ cmd: 'SUBSCRIBE', evt: null, data: { evt: name } })
  // A retained event is held until the turn after the response.
  await settled()
}

describe('SUBSCRIBE', () => {
  it.each(rows.filter((row) => !isOpenTo(LOCAL)(row)))('to $name is refused without its scopes', async (row) => {
    const bridge = testBridge()
    const game = Game.connected(bridge, HELLO)
    const answer = await game.ask('SUBSCRIBE', fullArgsOf(row), row.name)
    expect(answer).toMatchObject({ evt: 'ERROR', data: { code: ERRORS.INVALID_PERMISSIONS.code } })
    for (const scope of row.requires.flat()) expect(answer.data.message).toContain(scope)
    expect(bridge.hub.selectors()).toEqual([])
  })

  it.each(mandatory)('to $name is refused without its arguments, by their path', async (row) => {
    const bridge = testBridge()
    const game = await gameFor(bridge, row)
    const [name = ''] = Object.keys(fullArgsOf(row) ?? {})
    expect(await game.ask('SUBSCRIBE', {}, row.name)).toMatchObject({
      evt: 'ERROR',
      data: { code: ERRORS.INVALID_PAYLOAD.code, path: name },
    })
    expect(bridge.hub.selectors()).toEqual([])
  })

  it.each(rows)('to $name is refused with an unknown argument', async (row) => {
    const bridge = testBridge()
    const game = await gameFor(bridge, row)
    const answer = await game.ask('SUBSCRIBE', { ...fullArgsOf(row), not_an_argument: 1 }, row.name)
    expect(answer).toMatchObject({ evt: 'ERROR', data: { code: ERRORS.INVALID_PAYLOAD.code, path: 'not_an_argument' } })
    expect(bridge.hub.selectors()).toEqual([])
  })
})

describe('an event', () => {
  it.each(rows)(
    '$name arrives as published, only from SUBSCRIBE until UNSUBSCRIBE',
    { tags: ['4.3-11', '4.3-12', '5-25', '9.1-23'] },
    async (row) => {
      for (const alternative of row.requires) {
        const bridge = testBridge()
        const game = await gameFor(bridge, row, alternative)
        const args = fullArgsOf(row)
        const event = { name: row.name, args: args ?? {} }
        bridge.hub.publish(event, dataOf(row))
        expect(game.received()).toEqual([])
        await subscribed(game, row, args)
        for (const data of valuesOf(row.data)) {
          // A retained event is sent only when it differs.
          bridge.hub.forget(event, () => true)
          bridge.hub.publish(event, data)
          expect(game.received()).toEqual([dispatch(row, data)])
        }
        expect(await game.ask('UNSUBSCRIBE', args, row.name)).toMatchObject({ evt: null, data: { evt: row.name } })
        bridge.hub.publish(event, dataOf(row))
        expect(game.received()).toEqual([])
      }
    },
  )

  it.each(rows)('$name follows the response to its SUBSCRIBE', async (row) => {
    const bridge = testBridge()
    const game = await gameFor(bridge, row)
    const args = fullArgsOf(row)
    const nonce = game.begin('SUBSCRIBE', args, row.name)
    bridge.hub.publish({ name: row.name, args: args ?? {} }, dataOf(row))
    expect(game.received().map((message) => [message.cmd, message.nonce])).toEqual([
      ['SUBSCRIBE', nonce],
      ['DISPATCH', null],
    ])
  })

  it.each(rows)('$name arrives once after a repeated SUBSCRIBE, and only at its subscribers', async (row) => {
    const bridge = testBridge()
    const game = await gameFor(bridge, row)
    const other = await gameFor(bridge, row)
    const args = fullArgsOf(row)
    for (let time = 0; time < 2; time++) await subscribed(game, row, args)
    bridge.hub.publish({ name: row.name, args: args ?? {} }, dataOf(row))
    expect(game.received()).toEqual([dispatch(row, dataOf(row))])
    expect(other.received()).toEqual([])
  })

  it.each(withArgs)('$name does not arrive for other arguments', async (row) => {
    const bridge = testBridge()
    const game = await gameFor(bridge, row)
    const args = fullArgsOf(row) ?? {}
    await subscribed(game, row, args)
    bridge.hub.publish({ name: row.name, args: otherArgsOf(args) }, dataOf(row))
    expect(game.received()).toEqual([])
  })

  it.each(optional)('$name arrives once at a subscriber of its arguments and of all', async (row) => {
    const bridge = testBridge()
    const game = await gameFor(bridge, row)
    const args = fullArgsOf(row) ?? {}
    await subscribed(game, row, args)
    await subscribed(game, row)
    for (const published of [args, otherArgsOf(args)]) {
      bridge.hub.publish({ name: row.name, args: published }, dataOf(row))
      expect(game.received()).toEqual([dispatch(row, dataOf(row))])
    }
    await game.ask('UNSUBSCRIBE', undefined, row.name)
    for (const [published, arriving] of [
      [otherArgsOf(args), 0],
      [args, 1],
    ] as const) {
      bridge.hub.publish({ name: row.name, args: published }, dataOf(row))
      expect(game.received()).toHaveLength(arriving)
    }
  })

  it.each(rows.filter((row) => !isOpenTo(NAMED)(row)))('$name ends with its scopes, and continues with them', async (row) => {
    const bridge = testBridge()
    const game = await gameFor(bridge, row)
    const event = { name: row.name, args: fullArgsOf(row) ?? {} }
    await subscribed(game, row, fullArgsOf(row))
    await game.ask('UPDATE_TOKEN', { access_token: tokenFor([]) })
    bridge.hub.publish(event, dataOf(row))
    expect(game.received()).toEqual([])
    await game.ask('UPDATE_TOKEN', { access_token: tokenFor(row.requires[0] ?? []) })
    bridge.hub.publish(event, dataOf(row))
    expect(game.received()).toEqual([dispatch(row, dataOf(row))])
  })

  it.each(rows.filter(({ retained }) => retained !== undefined))('$name is not repeated while its value stays the same', async (row) => {
    const bridge = testBridge()
    const game = await gameFor(bridge, row)
    const event = { name: row.name, args: fullArgsOf(row) ?? {} }
    await subscribed(game, row, fullArgsOf(row))
    for (let time = 0; time < 2; time++) bridge.hub.publish(event, dataOf(row))
    expect(game.received()).toEqual([dispatch(row, dataOf(row))])
  })
})
