/** INSPECT_FRAMES: the operator sees the frames of games without secrets, and at its own pace. */
import { BUDGETS } from '@sallyport/core/budgets'
import { describe, expect, test } from 'vitest'
import type { InspectedFrame } from '#daemon/src/rpc/frame-inspector.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { Game, testBridge, type TestBridge } from '#test/support/bridge.ts'
import { frame, handshake, OP } from '#test/support/frames.ts'

const PROOF = 'ab'.repeat(16)
const ACTIVITY = { pid: 5, activity: { state: 'At the pier' } }

interface Read {
  readonly frames: readonly InspectedFrame[]
  readonly dropped: number
}

async function operatorOf(bridge: TestBridge, selection: object = {}, hello: object = {}) {
  const operator = Game.connected(bridge, { client_id: '99', ...hello })
  bridge.proofs.add(PROOF)
  await operator.ask('INSPECT_FRAMES', { operator_proof: PROOF, ...selection })
  return { operator, read: async () => (await operator.ask('INSPECT_FRAMES')).data as Read }
}
const briefly = ({ frames }: Read) =>
  frames.map(({ direction, opcode, message }) => [direction, opcode, (message as { cmd?: string } | undefined)?.cmd])

describe('an operator', () => {
  test('sees handshake, READY, calls, responses, events, pings and closes of a game in their order', async () => {
    const bridge = testBridge()
    const { read } = await operatorOf(bridge)
    const game = new Game(bridge, { trust: 'kernel', pid: 77, executable: '/games/one' })
    game.send(handshake())
    game.send(frame(OP.PING, 'x'))
    game.channel.take()
    game.call('SET_ACTIVITY', ACTIVITY)
    game.call('NO_SUCH_COMMAND')
    game.send(frame(OP.CLOSE, {}))
    const seen = await read()
    expect(briefly(seen)).toEqual([
      ['in', 'HANDSHAKE', undefined],
      ['out', 'FRAME', 'DISPATCH'],
      ['in', 'PING', undefined],
      ['out', 'PONG', undefined],
      ['in', 'FRAME', 'SET_ACTIVITY'],
      ['out', 'FRAME', 'SET_ACTIVITY'],
      ['in', 'FRAME', 'NO_SUCH_COMMAND'],
      ['out', 'FRAME', 'NO_SUCH_COMMAND'],
      ['in', 'CLOSE', undefined],
    ])
    expect(seen.frames.map(({ application_id: application, pid }) => [application, pid])).toEqual(
      Array.from({ length: 9 }, () => ['1234567890', 77]),
    )
    expect(seen.frames[4]?.message).toMatchObject({ cmd: 'SET_ACTIVITY', args: ACTIVITY })
    expect(seen.frames[5]?.message).toMatchObject({ data: { state: 'At the pier' }, evt: null })
    expect((await read()).frames).toEqual([])
  })

  test('sees the PING by which the daemon checks a program', async () => {
    const bridge = testBridge()
    const { read } = await operatorOf(bridge)
    const game = Game.connected(bridge, { contract: '1.0', streams: true }, { trust: 'kernel', pid: 77, executable: '/games/one' })
    Object.assign(game.channel, { watchSenders: () => ({ hadUnread: false, stop: () => {} }) })
    game.begin('AUTHORIZE', { scopes: ['identify'] })
    expect(briefly(await read())).toContainEqual(['out', 'PING', undefined])
  })

  test('sees the selected application, commands, events and direction only', async () => {
    const bridge = testBridge()
    const of = async (selection: object) => (await operatorOf(bridge, selection)).read
    const [application, commands, direction] = await Promise.all([
      of({ application_id: '7' }),
      of({ commands: ['SET_ACTIVITY', 'READY'] }),
      of({ direction: 'in' }),
    ])
    for (const id of ['7', '8']) Game.connected(bridge, { client_id: id }).call('GET_BRIDGE_STATUS')
    Game.connected(bridge, { client_id: '7' }).call('SET_ACTIVITY', ACTIVITY)
    expect(new Set((await application()).frames.map(({ application_id: id }) => id))).toEqual(new Set(['7']))
    expect(new Set(briefly(await commands()).map(([, , cmd]) => cmd))).toEqual(new Set(['DISPATCH', 'SET_ACTIVITY']))
    expect(new Set((await direction()).frames.map((one) => one.direction))).toEqual(new Set(['in']))
  })

  test('reads messages in MessagePack like those in JSON', async () => {
    const bridge = testBridge()
    const { read } = await operatorOf(bridge)
    Game.connected(bridge, { encoding: 'msgpack' })
    expect((await read()).frames.map(({ message }) => message)).toMatchObject([{ encoding: 'msgpack' }, { evt: 'READY' }])
  })

  test('gets no secret of a game', async () => {
    const bridge = testBridge()
    const { read } = await operatorOf(bridge)
    const secrets = [
      'plant-join-1',
      'plant-token-2',
      'plant-code-3',
      'plant-verifier-4',
      'plant-unknown-5',
      'plant-hello-6',
      'plant-close-7',
    ]
    const [join, access_token, code, code_verifier, more, hello, farewell] = secrets
    const game = Game.connected(bridge, { more: hello })
    game.call('SET_ACTIVITY', { pid: 5, activity: { state: 'fine', secrets: { join }, party: { id: 'p', size: [1, 2] } } })
    game.begin('AUTHENTICATE', { access_token })
    game.begin('GET_TOKEN', { code, code_verifier })
    // Without the process id, which the command needs.
    game.begin('SET_ACTIVITY', { activity: { state: 'x' }, more })
    game.send(frame(OP.CLOSE, { more: farewell }))
    const text = JSON.stringify(await read())
    expect(text).toContain('AUTHENTICATE')
    for (const secret of secrets) expect(text).not.toContain(secret)
  })

  test('that waits gets the first frame at once, and an empty response when its time is over', async () => {
    const clock = new FakeClock()
    const bridge = testBridge({ clock })
    const { operator } = await operatorOf(bridge)
    operator.begin('INSPECT_FRAMES', { wait_ms: 5000 })
    await new Promise(setImmediate)
    expect(operator.received()).toEqual([])
    Game.connected(bridge)
    await new Promise(setImmediate)
    expect(operator.received()).toMatchObject([{ data: { frames: [{ opcode: 'HANDSHAKE' }, { opcode: 'FRAME' }] } }])
    operator.begin('INSPECT_FRAMES', { wait_ms: 5000 })
    clock.advance(5000)
    await new Promise(setImmediate)
    expect(operator.received()).toMatchObject([{ data: { frames: [], dropped: 0 } }])
  })

  test('that reads slowly loses the oldest frames, and is informed how many; the memory stays bounded', async () => {
    const bridge = testBridge()
    const { read } = await operatorOf(bridge, { direction: 'in' })
    const game = Game.connected(bridge)
    const filler = 'x'.repeat(30_000)
    const calls = 100
    for (let count = 0; count < calls; count++) game.begin('SET_ACTIVITY', { pid: count, activity: { state: filler } })
    let kept = 0
    let bytes = 0
    let dropped = 0
    for (let next = await read(); next.frames.length > 0; next = await read()) {
      kept += next.frames.length
      dropped += next.dropped
      bytes += JSON.stringify(next.frames).length
    }
    // With the handshake.
    expect(kept + dropped).toBe(calls + 1)
    expect(dropped).toBeGreaterThan(0)
    expect(bytes).toBeLessThanOrEqual(BUDGETS.inspectedBytes.value + kept)
  })

  test('gets a message that fits in no response without its content', async () => {
    const bridge = testBridge()
    const { read } = await operatorOf(bridge, { direction: 'in' })
    Game.connected(bridge, { contract: '1.0' }).begin('SET_ACTIVITY', { activity: { state: 'x'.repeat(80_000) } })
    const { frames } = await read()
    expect(frames.map(({ message }) => message !== undefined)).toEqual([true, false])
    expect(frames[1]?.bytes).toBeGreaterThan(80_000)
  })
})

test('frames are watched only while an operator inspects', async () => {
  const bridge = testBridge()
  expect(bridge.bridge.frameWatcher).toBeUndefined()
  const [first, second] = [await operatorOf(bridge), await operatorOf(bridge)]
  expect(bridge.bridge.frameWatcher).toBeDefined()
  first.operator.receiver.onClose()
  expect(bridge.bridge.frameWatcher).toBeDefined()
  second.operator.receiver.onClose()
  expect(bridge.bridge.frameWatcher).toBeUndefined()
})

test('a game without the proof inspects nothing, and a proof serves once', async () => {
  const bridge = testBridge()
  const game = Game.connected(bridge)
  expect((await game.ask('INSPECT_FRAMES')).data).toMatchObject({ code: 4006 })
  expect((await game.ask('INSPECT_FRAMES', { operator_proof: PROOF })).data).toMatchObject({ code: 4006 })
  await operatorOf(bridge)
  expect((await game.ask('INSPECT_FRAMES', { operator_proof: PROOF })).data).toMatchObject({ code: 4006 })
})
