/** Steps of frames, calls, responses and errors. */
import { isDeepStrictEqual } from 'node:util'
import { event, errorFor, NO_BRIDGE, readyFrame, responseTo, type Call, type Peer } from '#test/support/scripted-server.ts'
import { frame, OP } from '#test/support/frames.ts'
import { must, type Play, type Step, writePieces } from '../play.ts'

const MEBIBYTE = 1_048_576
const MANY = 200

const bytesOf = (bytes: Buffer): readonly Buffer[] => Array.from(bytes, (byte) => Buffer.from([byte]))

/** Makes a call and takes its frame. */
async function called(
  play: Play,
  peer: Peer,
  command = 'GET_LOBBY',
  args: object = { lobby_id: '7' },
): Promise<{ id: number; call: Call }> {
  const id = play.adapter.call(command, args)
  return { id, call: await peer.message() }
}

export const CALLS: readonly Step[] = [
  {
    id: 'frames/bytes',
    title: 'reads frames that come a byte at a time',
    async run(play) {
      const { peer } = await play.met()
      await peer.handshake()
      await writePieces(play, peer, bytesOf(readyFrame()))
      await play.adapter.state('ready')
      const { id, call } = await called(play, peer)
      await writePieces(play, peer, bytesOf(responseTo(call, { text: 'é😀' })))
      must((await play.adapter.result(id)).data?.text === 'é😀', 'the text of the response must arrive unchanged')
    },
  },
  {
    id: 'frames/split',
    title: 'reads frames that are split anywhere',
    async run(play) {
      const { peer } = await play.connected()
      for (const cut of [1, 4, 7, 8, 9, 20, -1]) {
        const { id, call } = await called(play, peer)
        const bytes = responseTo(call, { cut })
        await writePieces(play, peer, [bytes.subarray(0, cut), bytes.subarray(cut)])
        must((await play.adapter.result(id)).data?.cut === cut, `the response that was split at ${cut} must arrive`)
      }
    },
  },
  {
    id: 'frames/together',
    title: 'reads several frames of one write, and a part of the next',
    async run(play) {
      const { peer } = await play.connected()
      const first = await called(play, peer)
      const second = await called(play, peer)
      const last = responseTo(second.call, 2)
      peer.write(event('NOISE', {}), responseTo(first.call, 1), event('NOISE', {}), last.subarray(0, 12))
      must((await play.adapter.result(first.id)).data === 1, 'the first response must arrive')
      peer.write(last.subarray(12))
      must((await play.adapter.result(second.id)).data === 2, 'the second response must arrive')
    },
  },
  {
    id: 'frames/after-ready',
    title: 'reads frames that come in one write with READY',
    async run(play) {
      const { peer } = await play.met()
      await peer.handshake()
      peer.write(readyFrame(), event('NOISE', 1), event('NOISE', 2))
      await play.adapter.state('ready')
      await play.works(peer)
    },
  },
  {
    id: 'frames/largest',
    title: 'reads a response of 1 MiB',
    async run(play) {
      const { peer } = await play.connected()
      const { id, call } = await called(play, peer)
      const text = 'x'.repeat(MEBIBYTE - (responseTo(call, '').length - 8))
      peer.write(responseTo(call, text))
      must((await play.adapter.result(id)).data === text, 'the text of the response must arrive unchanged')
    },
  },
  {
    id: 'calls/frame',
    title: 'sends one frame per call: command, arguments as given, a nonce of text',
    async run(play) {
      const { peer } = await play.connected()
      for (const args of [{ lobby_id: '7' }, { text: 'é"\\\n😀', list: [1, -2.5, null, true, { a: [] }] }]) {
        const { id, call } = await called(play, peer, 'GET_LOBBY', args)
        must(call.cmd === 'GET_LOBBY', `"cmd" must be the command; it is ${JSON.stringify(call.cmd)}`)
        must(isDeepStrictEqual(call.args, args), `"args" must be as given; they are ${JSON.stringify(call.args)}`)
        must(typeof call.nonce === 'string' && call.nonce !== '', `"nonce" must be a text; it is ${JSON.stringify(call.nonce)}`)
        peer.write(responseTo(call, null))
        await play.adapter.result(id)
      }
      await play.settled()
      must(peer.waiting === 0, `the client sent ${peer.waiting} frames more than it had calls`)
    },
  },
  {
    id: 'calls/nonces',
    title: 'gives each call its own nonce, and each response to its call in any order',
    async run(play) {
      const { peer } = await play.connected()
      const started: { id: number; call: Call }[] = []
      for (let count = 0; count < MANY; count += 1) {
        // Not more at once than a client with a table of calls allows.
        if (started.length === 40) await answerAll(play, peer, started.splice(0))
        started.push(await called(play, peer))
      }
      await answerAll(play, peer, started)
    },
  },
  {
    id: 'calls/unknown-nonces',
    title: 'ignores responses to calls that it did not make',
    async run(play) {
      const { peer } = await play.connected()
      const { id, call } = await called(play, peer)
      const unknown = ['', 'x', '0', '-1', `${call.nonce}0`, '99999999999999999999', 7, null, {}, []]
      const wrong = unknown.map((nonce) => frame(OP.FRAME, { cmd: call.cmd, evt: null, nonce, data: 'wrong' }))
      peer.write(...wrong, responseTo(call, 'right'))
      must((await play.adapter.result(id)).data === 'right', 'the call must get the response with its nonce')
    },
  },
  {
    id: 'calls/reserved-members',
    title: 'ignores members of a response and of an error that later versions of the contract may add',
    async run(play) {
      const { peer } = await play.connected()
      const first = await called(play, peer)
      const { cmd, nonce } = first.call
      const warnings = ['The command is deprecated.', { code: 1, text: 'Use another one.' }]
      peer.write(frame(OP.FRAME, { warnings, cmd, nonce, evt: null, data: { warnings: 'mine', n: 1 }, more: { data: 2, evt: 'ERROR' } }))
      const { data } = await play.adapter.result(first.id)
      must(isDeepStrictEqual(data, { warnings: 'mine', n: 1 }), `the data must arrive alone; it is ${JSON.stringify(data)}`)
      const second = await called(play, peer)
      peer.write(errorFor(second.call, { call_id: 'c-1', code: 4000, message: 'No.', more: { code: 1, message: 'x' } }))
      const { error } = await play.adapter.result(second.id)
      must(error?.kind === 'refused' && error.code === 4000, `the error must have its own code; it is ${JSON.stringify(error)}`)
      must(error.message === 'No.', `the error must have its own message; it is ${JSON.stringify(error)}`)
    },
  },
  {
    id: 'calls/once',
    title: 'ends each call once, also when its response is repeated',
    async run(play) {
      const { peer } = await play.connected()
      const { id, call } = await called(play, peer)
      const next = await called(play, peer)
      const repeated = [responseTo(call, 1), responseTo(call, 2), errorFor(call, { code: 4000, message: 'No.' })]
      peer.write(...repeated, responseTo(next.call, 'next'))
      must((await play.adapter.result(next.id)).data === 'next', 'the next call must get its own response')
      const ends = play.adapter.lines.filter((line) => line.event === 'result' && line.id === id)
      must(ends.length === 1 && ends[0]?.data === 1, `the call must end once, with the first response; it ended ${ends.length} times`)
    },
  },
  {
    id: 'calls/lost',
    title: 'ends pending calls when the connection ends',
    async run(play) {
      const { peer } = await play.connected()
      const { id } = await called(play, peer)
      peer.socket.destroy()
      const { error } = await play.adapter.result(id)
      must(error?.kind === 'lost', `the call must be reported as lost; it is ${JSON.stringify(error)}`)
    },
  },
  {
    id: 'calls/last-response',
    title: 'gets a response that the server sends before it ends the connection',
    async run(play) {
      const { peer } = await play.connected()
      const { id, call } = await called(play, peer)
      peer.socket.end(responseTo(call, 'last'))
      const { data } = await play.adapter.result(id)
      must(data === 'last', `the call must get its response; it got ${JSON.stringify(data)}`)
    },
  },
  {
    id: 'calls/not-connected',
    title: 'ends a call at once that it cannot send',
    async run(play) {
      const id = play.adapter.call('GET_LOBBY', { lobby_id: '7' })
      const { error } = await play.adapter.result(id)
      must(error !== undefined, 'a call without a connection must fail')
    },
  },
  {
    id: 'calls/slow',
    title: 'waits for a slow response, and handles others meanwhile',
    needs: ['clock'],
    async run(play) {
      const { peer } = await play.connected()
      const { id, call } = await called(play, peer, 'SLOW')
      await play.advance(20_000)
      await play.works(peer)
      peer.write(responseTo(call, 'slow'))
      must((await play.adapter.result(id)).data === 'slow', 'the slow response must arrive')
    },
  },
  {
    id: 'call-timeout/ends',
    title: 'ends a call after its time, and ignores the late response',
    async run(play) {
      const { peer } = await play.connected()
      const id = play.adapter.call('X', {}, { timeout_ms: 50 })
      const call = await peer.message()
      const { error } = await play.adapter.result(id)
      must(error?.kind === 'timeout', `the call must be reported as timed out; it is ${JSON.stringify(error)}`)
      peer.write(responseTo(call, 'late'))
      await play.works(peer)
      must(play.adapter.lines.filter((line) => line.id === id && line.event === 'result').length === 1, 'the call must end once')
    },
  },
  {
    id: 'call-timeout/default',
    title: 'ends a call that is never answered within a minute',
    needs: ['clock'],
    async run(play) {
      const { peer } = await play.connected()
      const { id } = await called(play, peer)
      await play.advance(60_000)
      must((await play.adapter.result(id)).error?.kind === 'timeout', 'the call must be reported as timed out')
    },
  },
  {
    id: 'send-limit/local',
    title: 'refuses a call over 1 MiB itself, because the server would end the connection',
    async run(play) {
      const { peer } = await play.connected()
      const id = play.adapter.call('X', { text: 'x'.repeat(MEBIBYTE) })
      must((await play.adapter.result(id)).error !== undefined, 'the call must fail')
      await play.works(peer)
    },
  },
  {
    id: 'send-limit/plain-server',
    title: 'refuses a call over 64 KiB at a server without the contract',
    async run(play) {
      const { peer } = await play.connected(NO_BRIDGE)
      const id = play.adapter.call('X', { text: 'x'.repeat(65_536) })
      must((await play.adapter.result(id)).error !== undefined, 'the call must fail')
      await play.works(peer)
    },
  },
  {
    id: 'errors/refused',
    title: 'reports code and sentence of an ERROR, and stays connected',
    async run(play) {
      const { peer } = await play.connected()
      const { id, call } = await called(play, peer)
      peer.write(errorFor(call, { code: 4006, message: 'Not allowed.' }))
      const { error } = await play.adapter.result(id)
      const isRight = error?.kind === 'refused' && error.code === 4006 && error.message === 'Not allowed.'
      must(isRight, `the error must have kind, code and sentence; it is ${JSON.stringify(error)}`)
      await play.works(peer)
    },
  },
  {
    id: 'errors/without-nonce',
    title: 'ends no call by an ERROR without a nonce',
    async run(play) {
      const { peer } = await play.connected()
      const { id, call } = await called(play, peer)
      const data = { code: 4000, message: 'Of none.' }
      const ofNone = [{ nonce: null }, {}].map((nonce) => frame(OP.FRAME, { cmd: call.cmd, evt: 'ERROR', ...nonce, data }))
      peer.write(...ofNone, responseTo(call, 'right'))
      must((await play.adapter.result(id)).data === 'right', 'the call must get its own response')
    },
  },
  {
    id: 'errors/odd-data',
    title: 'ends a call by an ERROR whose data has another shape',
    async run(play) {
      const { peer } = await play.connected()
      for (const data of [null, 'x', [], {}, { code: {}, message: 7 }]) {
        const { id, call } = await called(play, peer)
        peer.write(frame(OP.FRAME, { cmd: call.cmd, evt: 'ERROR', nonce: call.nonce, data }))
        must((await play.adapter.result(id)).error?.kind === 'refused', `data ${JSON.stringify(data)} must be reported as an error`)
      }
      await play.works(peer)
    },
  },
  {
    id: 'rate-limit/time',
    title: 'reports the time to wait of a rate limit',
    async run(play) {
      const { peer } = await play.connected()
      const { id, call } = await called(play, peer)
      peer.write(errorFor(call, { code: 5011, message: 'Too many requests.', retry_after: 1.5 }))
      const { error } = await play.adapter.result(id)
      must(error?.code === 5011 && error.retry_after_ms === 1500, `the error must name 1500 ms; it is ${JSON.stringify(error)}`)
    },
  },
]

async function answerAll(play: Play, peer: Peer, started: readonly { readonly id: number; readonly call: Call }[]): Promise<void> {
  const nonces = new Set(started.map(({ call }) => call.nonce))
  must(nonces.size === started.length, 'two calls have the same nonce')
  peer.write(...started.toReversed().map(({ id, call }) => responseTo(call, { id })))
  for (const { id } of started) must((await play.adapter.result(id)).data?.id === id, `call ${id} must get its own response`)
}
