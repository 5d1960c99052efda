/** Steps of PING, CLOSE, closing the client, events and the presence. */
import { frame, OP } from '#test/support/frames.ts'
import { errorFor, event, responseTo } from '#test/support/scripted-server.ts'
import type { AdapterLine } from '../adapter.ts'
import { must, type Step } from '../play.ts'

const ping = (id: string, title: string, payloads: readonly Buffer[]): Step => ({
  id: `ping/${id}`,
  title,
  async run(play) {
    const { peer } = await play.connected()
    peer.write(...payloads.map((payload) => frame(OP.PING, payload)))
    for (const payload of payloads) {
      const answer = await peer.expect(OP.PONG)
      must(answer.equals(payload), `PONG must have the bytes of PING ${payload.toString('hex')}; it has ${answer.toString('hex')}`)
    }
    await play.works(peer)
  },
})

const strangeClose = (id: string, title: string, payload: string): Step => ({
  id: `close/${id}`,
  title,
  async run(play) {
    const { peer } = await play.connected()
    const from = play.adapter.lines.length
    peer.write(frame(OP.CLOSE, payload))
    await play.adapter.down(from)
    await peer.ended()
  },
})

/** The end of a presence that was set without a connection: its call ends with that, or ended when it was kept, and an event reports it. */
const isReportOf =
  (id: number) =>
  ({ event: name, id: of, error }: AdapterLine): boolean =>
    name === 'presence' || (name === 'result' && of === id && error?.kind !== 'not-sent')

export const LINES: readonly Step[] = [
  ping('json', 'returns a PING with JSON', [Buffer.from('{"a":1}'), Buffer.from('"nonce"')]),
  ping('bytes', 'returns a PING with the same bytes, JSON or not', [
    Buffer.from([0, 255, 1, 2]),
    Buffer.from('{ "a" :1}'),
    Buffer.alloc(0),
  ]),
  {
    id: 'ping/pong',
    title: 'ignores a PONG that it did not ask for',
    async run(play) {
      const { peer } = await play.connected()
      peer.write(frame(OP.PONG, '"7"'), frame(OP.PONG, '{'), frame(OP.PONG, ''))
      await play.works(peer)
    },
  },
  {
    id: 'close/reason',
    title: 'reports code and reason of CLOSE, and ends its side',
    async run(play) {
      const { peer } = await play.connected()
      peer.write(frame(OP.CLOSE, { code: 4003, message: 'The player revoked it.' }))
      const state = await play.adapter.down()
      must(state.close_code === 4003, `the code must be 4003; it is ${state.close_code}`)
      must(state.message?.includes('The player revoked it.') === true, `the reason must be in the message; it is ${state.message}`)
      await peer.ended()
    },
  },
  {
    id: 'close/pending',
    title: 'ends pending calls at CLOSE',
    async run(play) {
      const { peer } = await play.connected()
      const id = play.adapter.call('X')
      await peer.message()
      peer.write(frame(OP.CLOSE, { code: 1000, message: 'The bridge stops.' }))
      must((await play.adapter.result(id)).error !== undefined, 'the call must fail')
    },
  },
  strangeClose('bare', 'survives a CLOSE without a payload', ''),
  strangeClose('not-json', 'survives a CLOSE whose payload is not JSON', 'closed'),
  {
    id: 'close/nothing-after',
    title: 'ignores what follows CLOSE in the same write',
    needs: ['events'],
    async run(play) {
      const { peer } = await play.connected()
      await play.subscribed(peer, 'ACTIVITY_JOIN')
      const id = play.adapter.call('X')
      const call = await peer.message()
      const close = frame(OP.CLOSE, { code: 1000, message: 'The bridge stops.' })
      peer.write(close, event('ACTIVITY_JOIN', { secret: 'late' }), responseTo(call, 'late'))
      must((await play.adapter.result(id)).error !== undefined, 'the call must fail')
      await play.settled()
      must(play.adapter.dispatched('ACTIVITY_JOIN').length === 0, 'an event that follows CLOSE was delivered')
    },
  },
  {
    id: 'close/handshake',
    title: 'reports a CLOSE that answers the handshake',
    async run(play) {
      const { peer } = await play.met({ timeout_ms: 0 })
      await peer.handshake()
      peer.write(frame(OP.CLOSE, { code: 4000, message: 'Invalid Client ID' }))
      peer.socket.end()
      const state = await play.adapter.down()
      must(state.close_code === 4000, `the code must be 4000; it is ${state.close_code}`)
      must(state.message?.includes('Invalid Client ID') === true, `the reason must be in the message; it is ${state.message}`)
    },
  },
  {
    id: 'leaving/farewell',
    title: 'sends CLOSE when the game closes it, and ends the connection',
    async run(play) {
      const { peer } = await play.connected()
      play.adapter.do({ do: 'close' })
      const last = (await peer.ended()).at(-1)
      must(last?.opcode === OP.CLOSE, 'the last frame must be CLOSE')
      await play.adapter.wait('the end of close', (line) => line.event === 'closed')
    },
  },
  {
    id: 'leaving/pending',
    title: 'ends pending calls when the game closes it',
    async run(play) {
      const { peer } = await play.connected()
      const ids = [play.adapter.call('X'), play.adapter.call('Y')]
      await peer.message()
      await peer.message()
      play.adapter.do({ do: 'close' })
      await play.adapter.wait('the end of close', (line) => line.event === 'closed')
      // A promise may settle a moment after another one.
      await play.adapter.echo()
      for (const id of ids) {
        const end = play.adapter.lines.find((line) => line.event === 'result' && line.id === id)
        must(end?.error !== undefined, `call ${id} must have failed when close returned`)
      }
    },
  },
  {
    id: 'leaving/silence',
    title: 'makes no callback after close',
    needs: ['events'],
    async run(play) {
      const { peer } = await play.connected()
      await play.subscribed(peer, 'ACTIVITY_JOIN')
      const id = play.adapter.call('X')
      const call = await peer.message()
      play.adapter.do({ do: 'close' })
      peer.write(responseTo(call, 'late'), event('ACTIVITY_JOIN', { secret: 'late' }))
      await play.adapter.wait('the end of close', (line) => line.event === 'closed')
      await peer.ended()
      const from = play.adapter.lines.findIndex((line) => line.event === 'closed') + 1
      play.adapter.do({ do: 'close' })
      await play.settled()
      // The pending call may be reported a moment later, once.
      const isExpected = (line: AdapterLine): boolean => line.event === 'echo' || line.event === 'closed' || line.error?.kind === 'closed'
      const late = play.adapter.lines.slice(from).filter((line) => !isExpected(line))
      must(late.length === 0, `after close came ${JSON.stringify(late[0])}`)
      must(play.adapter.lines.filter((line) => line.event === 'result' && line.id === id).length === 1, 'the call must end once')
    },
  },
  {
    id: 'events/subscribe',
    title: 'sends SUBSCRIBE with the event beside the command',
    async run(play) {
      const { peer } = await play.connected()
      const plain = await play.subscribed(peer, 'ACTIVITY_JOIN')
      must(plain.cmd === 'SUBSCRIBE' && plain.evt === 'ACTIVITY_JOIN', `"evt" must name the event; the call is ${JSON.stringify(plain)}`)
    },
  },
  {
    id: 'events/arguments',
    title: 'sends the arguments of a subscription',
    async run(play) {
      const { peer } = await play.connected()
      const guild = await play.subscribed(peer, 'GUILD_STATUS', { guild_id: '5' })
      must(guild.evt === 'GUILD_STATUS' && guild.args?.guild_id === '5', `"args" must be as given; the call is ${JSON.stringify(guild)}`)
    },
  },
  {
    id: 'events/dispatch',
    title: 'delivers events with their data in order',
    async run(play) {
      const { peer } = await play.connected()
      await play.subscribed(peer, 'ACTIVITY_JOIN')
      const texts = ['first', 'é😀', '']
      peer.write(...texts.map((secret) => event('ACTIVITY_JOIN', { secret })))
      await play.adapter.wait('three events', () => play.adapter.dispatched('ACTIVITY_JOIN').length >= texts.length)
      const got = play.adapter.dispatched('ACTIVITY_JOIN').map(({ data }) => data?.secret as unknown)
      must(JSON.stringify(got) === JSON.stringify(texts), `the events must be ${JSON.stringify(texts)}; they are ${JSON.stringify(got)}`)
    },
  },
  {
    id: 'events/unsubscribe',
    title: 'sends UNSUBSCRIBE',
    async run(play) {
      const { peer } = await play.connected()
      await play.subscribed(peer, 'ACTIVITY_JOIN')
      await play.settled()
      play.adapter.do({ do: 'unsubscribe', name: 'ACTIVITY_JOIN' })
      const call = await peer.answer({ evt: 'ACTIVITY_JOIN' })
      must(call.cmd === 'UNSUBSCRIBE' && call.evt === 'ACTIVITY_JOIN', `the call must be UNSUBSCRIBE; it is ${JSON.stringify(call)}`)
    },
  },
  {
    id: 'events/refused',
    title: 'works after a refused subscription, and after events that it did not ask for',
    async run(play) {
      const { peer } = await play.connected()
      play.adapter.do({ do: 'subscribe', name: 'NO_SUCH_EVENT' })
      peer.write(errorFor(await peer.message(), { code: 4004, message: 'No such event.' }))
      const id = play.adapter.call('X')
      const call = await peer.message()
      peer.write(event('NOISE', { n: 1 }), event('ACTIVITY_SPECTATE', null), responseTo(call, 'right'))
      must((await play.adapter.result(id)).data === 'right', 'the call must get its response')
    },
  },
  {
    id: 'presence/set',
    title: 'sends the presence with the id of its process',
    async run(play) {
      const { peer } = await play.connected()
      const activity = { details: 'Unloading the Copper Wren', state: '12 crates ashore' }
      const id = play.adapter.activity(activity)
      const call = await peer.answer(activity)
      must(call.cmd === 'SET_ACTIVITY', `the call must be SET_ACTIVITY; it is ${JSON.stringify(call.cmd)}`)
      must(Number.isInteger(call.args?.pid) && call.args.pid > 0, `"pid" must be the process; it is ${JSON.stringify(call.args?.pid)}`)
      const { details, state } = call.args.activity ?? {}
      must(details === activity.details && state === activity.state, `the activity is ${JSON.stringify(call.args.activity)}`)
      must((await play.adapter.result(id)).error === undefined, 'the call must succeed')
    },
  },
  {
    id: 'offline-presence/once',
    title: 'keeps a presence without a connection, shows it once, and reports it once',
    needs: ['reconnect'],
    async run(play) {
      play.adapter.connect()
      await play.adapter.state('waiting')
      const replaced = play.adapter.activity({ state: 'early' })
      const id = play.adapter.activity({ state: 'late' })
      must((await play.adapter.result(replaced)).error !== undefined, 'the presence that was replaced must end with an error')
      const peer = await (await play.listen()).peer()
      await peer.ready()
      const call = await peer.answer({ state: 'late' })
      must(
        call.cmd === 'SET_ACTIVITY' && call.args?.activity?.state === 'late',
        `the newest presence must be shown; it is ${JSON.stringify(call)}`,
      )
      await play.adapter.state('ready')
      const report = await play.adapter.wait('the report of the presence', isReportOf(id))
      must(report.error === undefined, 'the presence must be reported as shown')
      await play.works(peer)
      const reports = play.adapter.lines.filter(isReportOf(id))
      must(reports.length === 1, `the presence must be reported once; it was reported ${reports.length} times`)
    },
  },
  {
    id: 'offline-presence/refused',
    title: 'reports a presence that is refused when it is shown later, once, and does not send it again',
    needs: ['reconnect'],
    async run(play) {
      play.adapter.connect()
      await play.adapter.state('waiting')
      const id = play.adapter.activity({ state: 'bad' })
      const server = await play.listen()
      const peer = await server.peer()
      await peer.ready()
      peer.write(errorFor(await peer.message(), { code: 4000, message: 'Bad.' }))
      const { error } = await play.adapter.wait('the report of the presence', isReportOf(id))
      must(
        error?.kind === 'refused' && error.code === 4000,
        `the presence must be reported as refused; the report is ${JSON.stringify(error)}`,
      )
      await play.adapter.state('ready')
      const from = play.adapter.lines.length
      peer.socket.destroy()
      const again = await server.peer()
      await again.ready()
      await play.adapter.state('ready', from)
      await play.works(again)
      const reports = play.adapter.lines.filter(isReportOf(id))
      must(reports.length === 1, `the presence must be reported once; it was reported ${reports.length} times`)
    },
  },
  {
    id: 'presence/clear',
    title: 'clears the presence with an activity that is absent or null',
    async run(play) {
      const { peer } = await play.connected()
      const id = play.adapter.activity(null)
      const call = await peer.answer(null)
      must(call.args?.activity == null, `the activity must be absent or null; it is ${JSON.stringify(call.args?.activity)}`)
      must((await play.adapter.result(id)).error === undefined, 'the call must succeed')
    },
  },
]
