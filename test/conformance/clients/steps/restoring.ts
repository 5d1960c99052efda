/** Steps of reconnecting, and of what is restored in which order. */
import { frame, OP } from '#test/support/frames.ts'
import { errorFor, type Peer, responseTo } from '#test/support/scripted-server.ts'
import { must, type Play, type Step } from '../play.ts'

const REFUSALS = 5
/** Five attempts with growing waits take at least this long; without waits they take a few milliseconds. */
const LEAST_MS = 600
const LEAST_FIRST_MS = 40

/** Signs in with the grant of the program, subscribes and sets a presence, each answered. */
async function inhabit(play: Play, peer: Peer): Promise<void> {
  await play.subscribed(peer, 'ACTIVITY_JOIN')
  await play.subscribed(peer, 'GUILD_STATUS', { guild_id: '5' })
  await play.subscribed(peer, 'AUTHORIZE_REQUEST')
  play.adapter.do({ do: 'sign_in_silently', id: 900 })
  await peer.answer({ user: { id: '77', username: 'ada' } })
  await play.adapter.result(900)
  await show(play, peer, 'first')
}

async function show(play: Play, peer: Peer, state: string): Promise<void> {
  const id = play.adapter.activity({ state })
  await peer.answer({ state })
  await play.adapter.result(id)
}

/** Times at which the client came again, after connections that `refuse` ended. Milliseconds from the first refusal. */
async function attempts(play: Play, refuse: (peer: Peer) => void): Promise<readonly number[]> {
  const { server, peer } = await play.met()
  const from = performance.now()
  refuse(peer)
  const times: number[] = []
  while (times.length < REFUSALS) {
    const next = await server.peer()
    times.push(performance.now() - from)
    refuse(next)
  }
  return times
}

const patience = (id: string, title: string, refuse: (peer: Peer) => void): Step => ({
  id: `reconnect/${id}`,
  title,
  async run(play) {
    const times = await attempts(play, refuse)
    const shown = times.map((ms) => Math.round(ms)).join(', ')
    must((times[0] ?? 0) >= LEAST_FIRST_MS, `the first attempt must wait ${LEAST_FIRST_MS} ms; attempts came after ${shown} ms`)
    must((times.at(-1) ?? 0) >= LEAST_MS, `${REFUSALS} attempts must take ${LEAST_MS} ms; they came after ${shown} ms`)
  },
})

export const RESTORING: readonly Step[] = [
  {
    id: 'reconnect/restart',
    title: 'comes back after a restart of the server, in the middle of a frame',
    async run(play) {
      const { server, peer } = await play.connected()
      const id = play.adapter.call('X')
      const bytes = responseTo(await peer.message(), 'cut')
      await new Promise((done) => peer.socket.write(bytes.subarray(0, 12), done))
      const from = play.adapter.lines.length
      await server.close()
      must((await play.adapter.result(id)).error?.kind === 'lost', 'the pending call must be lost')
      const again = await (await play.listen()).peer()
      await again.ready()
      await play.adapter.state('ready', from)
      await play.works(again)
    },
  },
  {
    id: 'reconnect/nonces',
    title: 'uses no nonce again on the next connection',
    async run(play) {
      const { server, peer } = await play.connected()
      play.adapter.call('X')
      const { nonce } = await peer.message()
      const from = play.adapter.lines.length
      peer.socket.destroy()
      const again = await server.peer()
      await again.ready()
      await play.adapter.state('ready', from)
      const id = play.adapter.call('Y')
      const call = await again.message()
      must(call.nonce !== nonce, `the nonce ${nonce} was used on both connections`)
      again.write(responseTo({ ...call, nonce }, 'of the earlier call'), responseTo(call, 'right'))
      must((await play.adapter.result(id)).data === 'right', 'the call must get its own response')
    },
  },
  patience('ends-at-once', 'waits longer between attempts at a server that ends every connection', (peer) => peer.socket.end()),
  patience('close', 'waits between attempts at a server that refuses with CLOSE', (peer) => {
    peer.write(frame(OP.CLOSE, { code: 4000, message: 'Invalid Client ID' }))
    peer.socket.end()
  }),
  patience('refuses-after-ready', 'waits between attempts at a server that crashes after READY', (peer) => {
    void peer.ready().then(
      () => peer.socket.end(),
      () => {},
    )
  }),
  {
    id: 'restore/order',
    title: 'restores AUTHORIZE_REQUEST, the sign-in, the subscriptions and the presence, in this order',
    async run(play) {
      const { server, peer } = await play.connected()
      await inhabit(play, peer)
      const from = play.adapter.lines.length
      peer.socket.destroy()
      const again = await server.peer()
      await again.ready()
      const first = await again.answer()
      must(first.evt === 'AUTHORIZE_REQUEST', `AUTHORIZE_REQUEST must come first; it was ${first.cmd} ${first.evt}`)
      const signIn = await again.message()
      must(signIn.cmd === 'AUTHENTICATE', `the sign-in must come second; it was ${signIn.cmd} ${signIn.evt}`)
      await play.settled()
      must(again.waiting === 0, 'nothing may be sent before the response to AUTHENTICATE')
      again.write(responseTo(signIn, { user: { id: '77', username: 'ada' } }))
      const rest = [await again.answer(), await again.answer(), await again.answer()]
      const names = rest.map(({ cmd, evt }) => evt ?? cmd).join(', ')
      must(names === 'ACTIVITY_JOIN, GUILD_STATUS, SET_ACTIVITY', `subscriptions and presence must follow; it was ${names}`)
      must(rest[2]?.args?.activity?.state === 'first', 'the presence must be the last one')
      await play.adapter.state('ready', from)
      await play.mark(again, 'ACTIVITY_JOIN')
    },
  },
  {
    id: 'restore/arguments',
    title: 'keeps the arguments of a subscription',
    async run(play) {
      const { server, peer } = await play.connected()
      await play.subscribed(peer, 'GUILD_STATUS', { guild_id: '5' })
      peer.socket.destroy()
      const again = await server.peer()
      await again.ready()
      const { args } = await again.answer()
      must(args?.guild_id === '5', `the subscription must keep its arguments; they are ${JSON.stringify(args)}`)
    },
  },
  {
    id: 'restore/newest-presence',
    title: 'shows the presence that the game set without a connection',
    async run(play) {
      const { server, peer } = await play.connected()
      await show(play, peer, 'old')
      await server.close()
      await play.adapter.down()
      play.adapter.activity({ state: 'newer' })
      const id = play.adapter.activity({ state: 'newest' })
      // A client that keeps the presence for a report ends the call with that.
      if (!play.has('offline-presence')) must((await play.adapter.result(id)).error !== undefined, 'a call without a connection must fail')
      const again = await (await play.listen()).peer()
      await again.ready()
      const { args } = await again.answer()
      must(args.activity?.state === 'newest', `the presence must be the newest; it is ${JSON.stringify(args.activity)}`)
    },
  },
  {
    id: 'restore/unanswered-presence',
    title: 'shows the presence whose response was lost with the connection',
    async run(play) {
      const { server, peer } = await play.connected()
      await show(play, peer, 'old')
      const id = play.adapter.activity({ state: 'unanswered' })
      await peer.message()
      peer.socket.destroy()
      must((await play.adapter.result(id)).error?.kind === 'lost', 'the call must be reported as lost')
      const again = await server.peer()
      await again.ready()
      const { args } = await again.answer()
      must(args.activity?.state === 'unanswered', `the presence must be the newest; it is ${JSON.stringify(args.activity)}`)
    },
  },
  {
    id: 'restore/refused-presence',
    title: 'does not repeat a presence that the server refused',
    async run(play) {
      const { server, peer } = await play.connected()
      await show(play, peer, 'good')
      const id = play.adapter.activity({ state: 'bad' })
      peer.write(errorFor(await peer.message(), { code: 4000, message: 'Bad.' }))
      await play.adapter.result(id)
      peer.socket.destroy()
      const again = await server.peer()
      await again.ready()
      const { args } = await again.answer()
      must(args.activity?.state === 'good', `the presence must be the good one; it is ${JSON.stringify(args.activity)}`)
    },
  },
  {
    id: 'restore/cleared-presence',
    title: 'does not show a presence again that the game cleared',
    async run(play) {
      const { server, peer } = await play.connected()
      await show(play, peer, 'shown')
      const id = play.adapter.activity(null)
      await peer.answer(null)
      await play.adapter.result(id)
      const from = play.adapter.lines.length
      peer.socket.destroy()
      const again = await server.peer()
      await again.ready()
      await play.adapter.state('ready', from)
      await play.works(again)
    },
  },
  {
    id: 'restore/unsubscribed',
    title: 'subscribes no event again that the game has unsubscribed',
    async run(play) {
      const { server, peer } = await play.connected()
      await play.subscribed(peer, 'ACTIVITY_JOIN')
      await play.subscribed(peer, 'GUILD_STATUS', { guild_id: '5' })
      play.adapter.do({ do: 'unsubscribe', name: 'ACTIVITY_JOIN' })
      await peer.answer({ evt: 'ACTIVITY_JOIN' })
      await play.settled()
      const from = play.adapter.lines.length
      peer.socket.destroy()
      const again = await server.peer()
      await again.ready()
      const { evt } = await again.answer({ evt: 'GUILD_STATUS' })
      must(evt === 'GUILD_STATUS', `the first subscription must be GUILD_STATUS; it was ${evt}`)
      await play.adapter.state('ready', from)
      await play.works(again)
    },
  },
  {
    id: 'restore/refused-sign-in',
    title: 'restores the rest when the sign-in is refused, and does not sign in again on the next connection',
    async run(play) {
      const { server, peer } = await play.connected()
      await inhabit(play, peer)
      let last = peer
      for (const commands of ['SUBSCRIBE AUTHENTICATE SUBSCRIBE SUBSCRIBE SET_ACTIVITY', 'SUBSCRIBE SUBSCRIBE SUBSCRIBE SET_ACTIVITY']) {
        const from = play.adapter.lines.length
        last.socket.destroy()
        last = await server.peer()
        await last.ready()
        const sent: string[] = []
        while (!sent.includes('SET_ACTIVITY')) {
          const call = await last.message()
          sent.push(call.cmd)
          last.write(call.cmd === 'AUTHENTICATE' ? errorFor(call, { code: 4009, message: 'No grant.' }) : responseTo(call, {}))
        }
        must(sent.join(' ') === commands, `the calls must be ${commands}; they were ${sent.join(' ')}`)
        await play.adapter.state('ready', from)
      }
    },
  },
  {
    id: 'restore/silent-server',
    title: 'is ready soon although the server answers no subscription and no presence',
    needs: ['clock'],
    async run(play) {
      const { server, peer } = await play.connected()
      await play.subscribed(peer, 'ACTIVITY_JOIN')
      await show(play, peer, 'shown')
      const from = play.adapter.lines.length
      peer.socket.destroy()
      const again = await server.peer()
      await again.ready()
      await again.message()
      await again.message()
      await play.advance(3000)
      await play.adapter.state('ready', from)
      await play.works(again)
    },
  },
  {
    id: 'restore/revoked',
    title: 'does not sign in again after CLOSE 4003, because the permission was revoked',
    async run(play) {
      const { server, peer } = await play.connected()
      await inhabit(play, peer)
      peer.write(frame(OP.CLOSE, { code: 4003, message: 'Revoked.' }))
      const again = await server.peer()
      await again.ready()
      const sent: string[] = []
      while (!sent.includes('SET_ACTIVITY')) sent.push((await again.answer()).cmd)
      must(!sent.includes('AUTHENTICATE'), 'the client signed in with a permission that was revoked')
    },
  },
]
