/** Steps of calls with a key: a write is sent again after a broken connection, and the bridge makes it once. */
import { errorFor, type Call, type Peer, responseTo, type ScriptedServer } from '#test/support/scripted-server.ts'
import { must, type Play, type Step } from '../play.ts'

const KEY = /^[0-9a-f]{32}$/
const OWN_KEY = '0123456789abcdef0123456789abcdef'
/** What READY has where the bridge honours keys. */
const KEYS = { call_keys: true }
const UNKNOWN_OUTCOME = 6001
const USER = { user: { id: '77', username: 'ada' } }
/** A key is repeated for five minutes; the bridge keeps it for ten. */
const TOO_OLD_MS = 301_000
const LONG_MS = 3_600_000
const SHORT_MS = 200
/** SERVICE_UNAVAILABLE, which passes, and more than a client waits until it signs in again. */
const UNAVAILABLE = 1001
const SIGN_IN_MS = 10_000

interface Written {
  readonly id: number
  readonly call: Call
}

/** Makes a call that takes a key, and takes its frame. */
async function written(play: Play, peer: Peer, content = 'hello', more: { readonly timeout_ms?: number } = {}): Promise<Written> {
  const id = play.adapter.call('SEND_LOBBY_MESSAGE', { lobby_id: '7', content }, more)
  return { id, call: await peer.message() }
}

interface Next {
  readonly peer: Peer
  /** Resolves when the client has restored its state there. */
  isReady(): Promise<unknown>
}

/** Ends the connection, and greets the client on the next one. */
async function again(play: Play, server: ScriptedServer, peer: Peer, ready: object = KEYS): Promise<Next> {
  const from = play.adapter.lines.length
  peer.socket.destroy()
  const next = await server.peer()
  await next.ready(ready)
  return { peer: next, isReady: () => play.adapter.state('ready', from) }
}

function mustRepeat(first: Call, repeat: Call): void {
  must(typeof first.key === 'string' && KEY.test(first.key), `the call must have a key; it has ${JSON.stringify(first.key)}`)
  must(repeat.cmd === first.cmd, `the call must be sent again; ${JSON.stringify(repeat)} came`)
  must(repeat.key === first.key, `the key must stay ${first.key}; it is ${JSON.stringify(repeat.key)}`)
  must(repeat.nonce !== first.nonce, `the repeat must have a nonce of its own; it has ${JSON.stringify(repeat.nonce)} again`)
  const [before, after] = [JSON.stringify(first.args), JSON.stringify(repeat.args)]
  must(before === after, `the arguments must stay ${before}; they are ${after}`)
}

/** The call has ended as lost, and nothing but a new call comes on the connection. */
async function mustBeLost(play: Play, { peer, isReady }: Next, id: number): Promise<void> {
  await isReady()
  const { error } = await play.adapter.result(id)
  must(error?.kind === 'lost', `the call must be reported as lost; it is ${JSON.stringify(error)}`)
  await mustBeQuiet(play, peer)
}

/** The next frame of the client is the next call of the game. */
async function mustBeQuiet(play: Play, peer: Peer): Promise<void> {
  const id = play.adapter.call('GET_LOBBY', { lobby_id: '7' })
  const { cmd } = await peer.answer({})
  must(cmd === 'GET_LOBBY', `the client must not send ${cmd} again`)
  await play.adapter.result(id)
}

async function signedIn(play: Play, peer: Peer): Promise<void> {
  play.adapter.do({ do: 'sign_in_silently', id: 900 })
  await peer.answer(USER)
  await play.adapter.result(900)
}

/** The game gives a key of its own, and nothing is sent. */
const refusedKey = (name: string, title: string, command: string, key: string, ready: object = KEYS): Step => ({
  id: `keys/${name}`,
  title,
  async run(play) {
    const { peer } = await play.connected(ready)
    const id = play.adapter.call(command, { lobby_id: '7', content: 'hello' }, { key })
    const { error } = await play.adapter.result(id)
    const isRefused = error?.kind === 'not-sent' || error?.kind === 'refused'
    must(isRefused, `the call must be refused before it is sent; it is ${JSON.stringify(error)}`)
    await mustBeQuiet(play, peer)
  },
})

const repeated: readonly Step[] = [
  {
    id: 'keys/made',
    title: 'puts a new key of 32 hexadecimal digits on each call that takes one, and none on another call',
    async run(play) {
      const { peer } = await play.connected(KEYS)
      const keys = new Set<unknown>()
      for (const command of ['SEND_LOBBY_MESSAGE', 'CREATE_MESSAGE', 'SEND_LOBBY_MESSAGE']) {
        play.adapter.call(command, { content: 'hello' })
        const { key } = await peer.answer({})
        must(typeof key === 'string' && KEY.test(key), `"key" of ${command} must have 32 hexadecimal digits; it is ${JSON.stringify(key)}`)
        keys.add(key)
      }
      must(keys.size === 3, 'each call must have a key of its own')
      play.adapter.call('GET_LOBBY', { lobby_id: '7' })
      must((await peer.answer({})).key === undefined, 'GET_LOBBY takes no key')
    },
  },
  {
    id: 'keys/own',
    title: 'uses the key that the game gives, and repeats it too',
    needs: ['reconnect'],
    async run(play) {
      const { server, peer } = await play.connected(KEYS)
      const id = play.adapter.call('SEND_LOBBY_MESSAGE', { lobby_id: '7', content: 'stored' }, { key: OWN_KEY })
      const call = await peer.message()
      must(call.key === OWN_KEY, `"key" must be that of the game; it is ${JSON.stringify(call.key)}`)
      const next = await again(play, server, peer)
      mustRepeat(call, await next.peer.answer('done'))
      must((await play.adapter.result(id)).data === 'done', 'the call must get the response to its repeat')
    },
  },
  {
    id: 'keys/repeats',
    title: 'sends a call with its key and another nonce again after a broken connection, and ends it once',
    needs: ['reconnect'],
    async run(play) {
      const { server, peer } = await play.connected(KEYS)
      const { id, call } = await written(play, peer)
      const next = await again(play, server, peer)
      const repeat = await next.peer.message()
      mustRepeat(call, repeat)
      next.peer.write(responseTo(call, 'to the first'), responseTo(repeat, 'to the repeat'), responseTo(repeat, 'late'))
      must((await play.adapter.result(id)).data === 'to the repeat', 'the call must get the response to its repeat')
      await next.isReady()
      await mustBeQuiet(play, next.peer)
      const ends = play.adapter.lines.filter((line) => line.event === 'result' && line.id === id)
      must(ends.length === 1, `the call must end once; it ended ${ends.length} times`)
    },
  },
  {
    id: 'keys/each-connection',
    title: 'keeps a call over several broken connections, and sends it once on each',
    needs: ['reconnect'],
    async run(play) {
      const { server, peer } = await play.connected(KEYS)
      const { id, call } = await written(play, peer)
      peer.socket.destroy()
      const unready = await server.peer()
      await unready.handshake()
      const second = await again(play, server, unready)
      mustRepeat(call, await second.peer.message())
      await play.settled()
      must(second.peer.waiting === 0, 'the call must be sent once on a connection')
      const third = await again(play, server, second.peer)
      mustRepeat(call, await third.peer.answer('done'))
      must((await play.adapter.result(id)).data === 'done', 'the call must get the response to its last repeat')
    },
  },
  {
    id: 'keys/restored',
    title: 'sends such calls again in their order, once the sign-in and the subscriptions are restored',
    needs: ['reconnect', 'restore'],
    async run(play) {
      const { server, peer } = await play.connected(KEYS)
      await play.subscribed(peer, 'ACTIVITY_JOIN')
      await signedIn(play, peer)
      const calls = [await written(play, peer, 'first'), await written(play, peer, 'second'), await written(play, peer, 'third')]
      const next = await again(play, server, peer)
      const signIn = await next.peer.message()
      must(signIn.cmd === 'AUTHENTICATE', `the sign-in must come first; it was ${signIn.cmd}`)
      await play.settled()
      must(next.peer.waiting === 0, 'nothing may be sent before the response to AUTHENTICATE')
      next.peer.write(responseTo(signIn, USER))
      const { evt } = await next.peer.answer({ evt: 'ACTIVITY_JOIN' })
      must(evt === 'ACTIVITY_JOIN', `the subscription must come before the calls; it was ${evt}`)
      for (const { call, id } of calls) {
        mustRepeat(call, await next.peer.answer(id))
        must((await play.adapter.result(id)).data === id, `call ${id} must get its own response`)
      }
    },
  },
  {
    id: 'keys/late-sign-in',
    title: 'keeps the call of a user whose sign-in the platform refuses for a moment, and sends it again once the user is signed in',
    needs: ['reconnect', 'restore', 'clock'],
    async run(play) {
      const { server, peer } = await play.connected(KEYS)
      await signedIn(play, peer)
      const { id, call } = await written(play, peer)
      const next = await again(play, server, peer)
      next.peer.write(errorFor(await next.peer.message(), { code: UNAVAILABLE, message: 'The platform does not answer.' }))
      await next.isReady()
      await play.settled()
      must(next.peer.waiting === 0, 'the call may not be sent without its user')
      await play.advance(SIGN_IN_MS)
      const { cmd } = await next.peer.answer(USER)
      must(cmd === 'AUTHENTICATE', `the client must sign in again; it sent ${cmd}`)
      mustRepeat(call, await next.peer.answer('done'))
      must((await play.adapter.result(id)).data === 'done', 'the call must get the response to its repeat')
    },
  },
  {
    id: 'keys/uncertain-user',
    title: 'sends no such call again while a sign-in has no response, which may name another user',
    needs: ['reconnect', 'restore', 'clock'],
    async run(play) {
      const { server, peer } = await play.connected(KEYS)
      await signedIn(play, peer)
      const { id, call } = await written(play, peer)
      const next = await again(play, server, peer)
      next.peer.write(errorFor(await next.peer.message(), { code: UNAVAILABLE, message: 'The platform does not answer.' }))
      await next.isReady()
      for (const signInId of [901, 902]) play.adapter.do({ do: 'sign_in_silently', id: signInId })
      const first = await next.peer.message()
      const second = await next.peer.message()
      next.peer.write(responseTo(first, USER))
      await play.adapter.result(901)
      await play.settled()
      must(next.peer.waiting === 0, 'nothing may be sent again before the response to the second AUTHENTICATE')
      next.peer.write(responseTo(second, USER))
      await play.adapter.result(902)
      await play.settled()
      // A client may also give the call up, as it does with one that it cannot send again.
      if (next.peer.waiting === 0) return mustBeLost(play, next, id)
      mustRepeat(call, await next.peer.answer('done'))
      must((await play.adapter.result(id)).data === 'done', 'the call must get the response to its repeat')
    },
  },
  {
    id: 'keys/others-lost',
    title: 'ends a call without a key when the connection breaks, and keeps the one with a key',
    needs: ['reconnect'],
    async run(play) {
      const { server, peer } = await play.connected(KEYS)
      const { id, call } = await written(play, peer)
      const other = play.adapter.call('GET_LOBBY', { lobby_id: '7' })
      await peer.message()
      const next = await again(play, server, peer)
      must((await play.adapter.result(other)).error?.kind === 'lost', 'GET_LOBBY must be reported as lost')
      mustRepeat(call, await next.peer.answer('done'))
      must((await play.adapter.result(id)).data === 'done', 'the call must get the response to its repeat')
      await next.isReady()
      await mustBeQuiet(play, next.peer)
    },
  },
]

const notRepeated: readonly Step[] = [
  {
    id: 'keys/none',
    title: 'makes no key and repeats nothing where READY has no `call_keys`',
    needs: ['reconnect'],
    async run(play) {
      const { server, peer } = await play.connected()
      const { id, call } = await written(play, peer)
      must(call.key === undefined, `there must be no "key"; it is ${JSON.stringify(call.key)}`)
      await mustBeLost(play, await again(play, server, peer), id)
    },
  },
  {
    id: 'keys/other-server',
    title: 'ends the call as lost where the next READY has no `call_keys`',
    needs: ['reconnect'],
    async run(play) {
      const { server, peer } = await play.connected(KEYS)
      const { id } = await written(play, peer)
      await mustBeLost(play, await again(play, server, peer, {}), id)
    },
  },
  {
    id: 'keys/unknown-outcome',
    title: 'ends the call with UNKNOWN_OUTCOME, and never sends it again',
    needs: ['reconnect'],
    async run(play) {
      const { server, peer } = await play.connected(KEYS)
      const { id, call } = await written(play, peer)
      const next = await again(play, server, peer)
      const repeat = await next.peer.message()
      mustRepeat(call, repeat)
      next.peer.write(errorFor(repeat, { code: UNKNOWN_OUTCOME, message: 'The bridge ended before the answer came.' }))
      const { error } = await play.adapter.result(id)
      const isRight = error?.kind === 'refused' && error.code === UNKNOWN_OUTCOME
      must(
        isRight && error.message === 'The bridge ended before the answer came.',
        `the error must be that of the bridge; it is ${JSON.stringify(error)}`,
      )
      await next.isReady()
      await mustBeQuiet(play, next.peer)
      const last = await again(play, server, next.peer)
      await last.isReady()
      await mustBeQuiet(play, last.peer)
    },
  },
  {
    id: 'keys/refused-sign-in',
    title: 'does not send the call again where the user cannot be signed in again',
    needs: ['reconnect', 'restore'],
    async run(play) {
      const { server, peer } = await play.connected(KEYS)
      await signedIn(play, peer)
      const { id } = await written(play, peer)
      const next = await again(play, server, peer)
      next.peer.write(errorFor(await next.peer.message(), { code: 4009, message: 'No grant.' }))
      await mustBeLost(play, next, id)
    },
  },
  {
    id: 'keys/unanswered-sign-in',
    title: 'does not send a call again that was made after a sign-in without a response, which may have changed the user',
    needs: ['reconnect', 'restore', 'call-timeout'],
    async run(play) {
      const { server, peer } = await play.connected(KEYS)
      await signedIn(play, peer)
      const signIn = play.adapter.call('AUTHENTICATE', {}, { timeout_ms: SHORT_MS })
      await peer.message()
      await play.adapter.result(signIn)
      const { id } = await written(play, peer)
      const next = await again(play, server, peer)
      await next.peer.answer(USER)
      await mustBeLost(play, next, id)
    },
  },
  {
    id: 'keys/signed-out',
    title: 'does not send the call of a user again who has signed out since',
    needs: ['reconnect', 'restore'],
    async run(play) {
      const { server, peer } = await play.connected(KEYS)
      await signedIn(play, peer)
      const { id } = await written(play, peer)
      const signOut = play.adapter.signOut()
      await peer.answer(null)
      await play.adapter.result(signOut)
      await mustBeLost(play, await again(play, server, peer), id)
    },
  },
  {
    id: 'keys/signed-in',
    title: 'does not send a call made without a user again after a user has signed in',
    needs: ['reconnect', 'restore'],
    async run(play) {
      const { server, peer } = await play.connected(KEYS)
      const { id } = await written(play, peer)
      await signedIn(play, peer)
      const next = await again(play, server, peer)
      await next.peer.answer(USER)
      await mustBeLost(play, next, id)
    },
  },
  {
    id: 'keys/timeout',
    title: 'ends the call after its time while there is no connection, and does not send it again',
    needs: ['reconnect', 'call-timeout'],
    async run(play) {
      const { server, peer } = await play.connected(KEYS)
      const { id } = await written(play, peer, 'late', { timeout_ms: SHORT_MS })
      await server.close()
      const { error } = await play.adapter.result(id)
      must(error?.kind === 'timeout', `the call must be reported as timed out; it is ${JSON.stringify(error)}`)
      const next = await (await play.listen()).peer()
      const from = play.adapter.lines.length
      await next.ready(KEYS)
      await play.adapter.state('ready', from)
      await mustBeQuiet(play, next)
    },
  },
  {
    id: 'keys/old',
    title: 'does not send a call again whose key is older than five minutes',
    needs: ['reconnect', 'call-timeout', 'clock'],
    async run(play) {
      const { server, peer } = await play.connected(KEYS)
      const { id } = await written(play, peer, 'old', { timeout_ms: LONG_MS })
      await play.advance(TOO_OLD_MS)
      await mustBeLost(play, await again(play, server, peer), id)
    },
  },
  {
    id: 'keys/closed',
    title: 'ends the call when the game closes the client without a connection',
    needs: ['reconnect'],
    async run(play) {
      const { server, peer } = await play.connected(KEYS)
      const { id } = await written(play, peer)
      await server.close()
      await play.adapter.down()
      play.adapter.do({ do: 'close' })
      const { error } = await play.adapter.result(id)
      must(error?.kind === 'closed', `the call must be reported as closed; it is ${JSON.stringify(error)}`)
    },
  },
  refusedKey('malformed', 'sends no call whose key of the game has another form', 'SEND_LOBBY_MESSAGE', OWN_KEY.toUpperCase()),
  refusedKey('without-effect', 'sends no call with a key of the game if the command takes none', 'GET_LOBBY', OWN_KEY),
  refusedKey('not-kept', 'sends no call with a key of the game where READY has no `call_keys`', 'SEND_LOBBY_MESSAGE', OWN_KEY, {}),
]

export const KEYED: readonly Step[] = [...repeated, ...notRepeated]
