/** Cases that a vector cannot express: chunked reads, peers that stop reading or sending, and a thousand connections. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { FakeClock, settled } from '#test/support/fake-clock.ts'
import { frame, handshake, OP, split } from '#test/support/frames.ts'
import { serveBridge, type ServedBridge } from '#test/support/served-bridge.ts'
import { SocketGame } from '#test/support/socket-game.ts'

let bridge: ServedBridge
let games: SocketGame[]
beforeEach(async () => {
  bridge = await serveBridge()
  games = []
})
afterEach(async () => {
  for (const game of games) game.vanish()
  await bridge.stop()
})

async function join(fields: object = {}): Promise<SocketGame> {
  const game = await SocketGame.connected(bridge.path, fields)
  games.push(game)
  return game
}

const setActivity = (nonce: string) =>
  frame(OP.FRAME, { cmd: 'SET_ACTIVITY', nonce, args: { pid: 1, activity: { details: 'In the docks' } } })

/** The bridge sends another frame after this time. */
const PACE_MS = 3

/** Returns the number of frames per read, until `count` frames have arrived. Time passes only after a read. */
async function reads(bytes: Buffer, count: number, fields: object = {}): Promise<number[]> {
  const clock = new FakeClock()
  const paced = await serveBridge({ clock })
  const socket = connect(paced.path)
  try {
    await once(socket, 'connect')
    socket.write(handshake(fields))
    await once(socket, 'data')
    const framesPerRead: number[] = []
    const chunks: Buffer[] = []
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.write(bytes)
    let hasRead = false
    for (let seen = 0; seen < count; ) {
      const chunk = chunks.shift()
      if (chunk !== undefined) {
        const { frames, rest } = split(chunk)
        expect(rest, 'a frame arrived in pieces').toHaveLength(0)
        framesPerRead.push(frames.length)
        seen += frames.length
        hasRead = true
      } else if (hasRead && clock.nextAt === clock.now() + PACE_MS) {
        clock.advance(PACE_MS)
        hasRead = false
      } else await settled()
    }
    return framesPerRead
  } finally {
    socket.destroy()
    await paced.stop()
  }
}

/** Waits until the bridge has this number of connections. */
async function expectConnections(count: number): Promise<void> {
  for (let turn = 0; turn < 20_000 && bridge.registry.all().length !== count; turn++) await new Promise((resolve) => setImmediate(resolve))
  expect(bridge.registry.all()).toHaveLength(count)
}

async function expectStillServed(): Promise<void> {
  expect(await (await join()).call('SET_ACTIVITY', { pid: 1, activity: { details: 'Still here' } })).toMatchObject({ evt: null })
  expect(bridge.log.problems).toEqual([])
}

describe('rules 3 and 4: frames and reads', () => {
  const some = (count: number) => Buffer.concat(Array.from({ length: count }, (_, index) => setActivity(String(index))))
  test('an old client with a few pipelined calls gets one frame per read', async () => {
    expect(await reads(some(5), 5)).toEqual([1, 1, 1, 1, 1])
  })
  test('a client that supports streams gets several frames per read', async () => {
    expect(await reads(some(5), 5, { streams: true })).toEqual([5])
  })
  test('a client with many pipelined calls is not delayed', async () => {
    expect((await reads(some(8), 8)).length).toBeLessThan(8)
  })
  test('no response is larger than an old client can receive', async () => {
    const game = await join()
    game.send(frame(OP.FRAME, { cmd: 'GET_BRIDGE_STATUS', nonce: 'x'.repeat(1024) }))
    expect((await game.next()).payload.length).toBeLessThanOrEqual(65_528)
    game.send(frame(OP.FRAME, { cmd: 'SET_ACTIVITY', nonce: 'n', args: { pid: 1, ['k'.repeat(65_000)]: 1 } }))
    expect((await game.next()).payload.length).toBeLessThan(1000)
  })
})

describe('rule 2 and hostile peers', () => {
  test('a thousand handshakes at once all get READY', async () => {
    const answers = await Promise.all(Array.from({ length: 1000 }, () => join()))
    expect(answers).toHaveLength(1000)
    await expectConnections(1000)
    await expectStillServed()
  })

  test('a hundred clients that disconnect at any byte leave no connections', async () => {
    const first = handshake()
    await Promise.all(
      Array.from({ length: 100 }, async (_, index) => {
        const game = await SocketGame.connect(bridge.path)
        game.send(Buffer.concat([first, setActivity('n')]).subarray(0, index))
        game.vanish()
      }),
    )
    await expectStillServed()
    await expectConnections(1)
  })

  test('a peer that never reads is closed with bounded memory, while others are served', async () => {
    const silent = await join({ streams: true })
    silent.socket.pause()
    const other = await join()
    const gone = once(silent.socket, 'close')
    const pings = Buffer.concat(Array.from({ length: 500 }, () => frame(OP.PING, 'p'.repeat(1000))))
    let sent = 0
    // Either the bridge stops reading, which stops the writes, or it closes the connection.
    while (silent.socket.writableLength < 1_000_000 && !silent.socket.destroyed && sent < 200) {
      silent.socket.write(pings)
      sent++
      if (sent % 20 === 0) expect(await other.call('GET_BRIDGE_STATUS')).toMatchObject({ evt: null })
    }
    expect(silent.socket.writableLength).toBeGreaterThan(0)
    await other.call('SUBSCRIBE', {}, 'ACTIVITY_JOIN')
    silent.vanish()
    await gone
    await expectStillServed()
  })

  test('a subscriber that never reads is closed when too many events are waiting', async () => {
    const silent = await join({ streams: true })
    await silent.call('SUBSCRIBE', {}, 'ACTIVITY_JOIN')
    silent.socket.pause()
    for (let count = 0; count < 400; count++) bridge.hub.publish({ name: 'ACTIVITY_JOIN', args: {} }, { secret: 's'.repeat(50_000) })
    await expectStillServed()
    expect(bridge.hub.selectors()).toEqual([])
    expect(bridge.log.text).toContain('stopped reading')
  })

  test('half a header does not block other connections', async () => {
    const half = await SocketGame.connect(bridge.path)
    games.push(half)
    half.send(Buffer.from([0, 0, 0]))
    await expectStillServed()
  })

  test('a client that disconnects with unread responses is removed', async () => {
    const game = await join()
    game.socket.pause()
    game.send(Buffer.concat(Array.from({ length: 1000 }, (_, index) => setActivity(String(index)))))
    game.vanish()
    await expectStillServed()
    await expectConnections(1)
  })
})
