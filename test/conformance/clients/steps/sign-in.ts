/** Steps of the sign-in with a proof key (RFC 7636). */
import { createHash } from 'node:crypto'
import { errorFor, type Peer } from '#test/support/scripted-server.ts'
import { APPLICATION } from '../adapter.ts'
import { must, type Play, type Step } from '../play.ts'

const SCOPES = ['openid', 'sdk.social_layer_presence']
const REDIRECT = 'http://127.0.0.1/callback'
const s256 = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url')

/** Plays a sign-in to its end. Returns the verifier. */
async function signIn(play: Play, peer: Peer): Promise<string> {
  const id = play.adapter.signIn(SCOPES)
  const authorize = await peer.answer({ code: 'cöde', redirect_uri: REDIRECT })
  must(authorize.cmd === 'AUTHORIZE', `the first call must be AUTHORIZE; it is ${authorize.cmd}`)
  const { client_id: client, scopes, response_type: type, code_challenge: challenge, code_challenge_method: method } = authorize.args
  must(client === APPLICATION, `"client_id" must be the application; it is ${JSON.stringify(client)}`)
  must(JSON.stringify(scopes) === JSON.stringify(SCOPES), `"scopes" must be as given; they are ${JSON.stringify(scopes)}`)
  must(type === undefined || type === 'code', `"response_type" must be code; it is ${JSON.stringify(type)}`)
  must(method === 'S256', `"code_challenge_method" must be S256; it is ${JSON.stringify(method)}`)
  const exchange = await peer.answer({ access_token: 'secret' })
  must(exchange.cmd === 'GET_TOKEN', `the second call must be GET_TOKEN; it is ${exchange.cmd}`)
  const { code, redirect_uri: redirect, code_verifier: verifier } = exchange.args
  must(code === 'cöde' && redirect === REDIRECT, `code and redirect_uri must be those of the response; they are ${code} and ${redirect}`)
  must(/^[\w.~-]{43,128}$/.test(verifier), '"code_verifier" must have 43 to 128 characters of RFC 7636')
  must(challenge === s256(verifier as string), '"code_challenge" must be the SHA-256 of the verifier, in base64url without padding')
  const authenticate = await peer.answer({ user: { id: '77', username: 'ada' } })
  const { cmd, args } = authenticate
  must(cmd === 'AUTHENTICATE' || cmd === 'UPDATE_TOKEN', `the third call must be AUTHENTICATE or UPDATE_TOKEN; it is ${cmd}`)
  // The interface of the platform's SDK gives the token to the game, which signs in with it.
  if (cmd === 'UPDATE_TOKEN') must(args?.access_token === 'secret', 'UPDATE_TOKEN must carry the token')
  else must(args?.access_token === undefined, 'a token that the bridge keeps must not be sent back')
  const { data } = await play.adapter.result(id)
  must(data?.user?.id === '77', `the sign-in must end with the user; it ended with ${JSON.stringify(data)}`)
  return verifier as string
}

/** The answer of a bridge that must not lead to a question: the player did nothing wrong, and can do nothing. */
const quiet = (name: string, why: string, error: { readonly code: number; readonly message: string }): Step => ({
  id: `one-sign-in/${name}`,
  title: `does not ask the player ${why}`,
  async run(play) {
    const { peer } = await play.connected()
    const id = play.adapter.signInIfNeeded(SCOPES)
    peer.write(errorFor(await peer.message(), error))
    const { error: failure } = await play.adapter.result(id)
    must(failure?.code === error.code, `the sign-in must end with ${error.code}; it ended with ${JSON.stringify(failure)}`)
    await play.works(peer)
  },
})

export const SIGN_IN: readonly Step[] = [
  {
    id: 'one-sign-in/silent',
    title: 'signs in without a question where a grant is stored',
    async run(play) {
      const { peer } = await play.connected()
      const id = play.adapter.signInIfNeeded(SCOPES)
      const call = await peer.answer({ user: { id: '77', username: 'ada' } })
      must(call.cmd === 'AUTHENTICATE' && call.args?.access_token === undefined, `the first call must be AUTHENTICATE; it is ${call.cmd}`)
      must((await play.adapter.result(id)).error === undefined, 'the sign-in must succeed')
      await play.works(peer)
    },
  },
  {
    id: 'one-sign-in/asks',
    title: 'asks the player for INVALID_TOKEN',
    async run(play) {
      const { peer } = await play.connected()
      const id = play.adapter.signInIfNeeded(SCOPES)
      peer.write(errorFor(await peer.message(), { code: 4009, message: 'No grant.' }))
      must((await peer.answer({ code: 'code', redirect_uri: REDIRECT })).cmd === 'AUTHORIZE', 'the second call must be AUTHORIZE')
      must((await peer.answer({ access_token: 'secret' })).cmd === 'GET_TOKEN', 'the third call must be GET_TOKEN')
      must((await peer.answer({ user: { id: '77' } })).cmd === 'AUTHENTICATE', 'the last call must be AUTHENTICATE')
      must((await play.adapter.result(id)).error === undefined, 'the sign-in must succeed')
    },
  },
  quiet('rate-limit', 'for a rate limit', { code: 5011, message: 'Too many requests.' }),
  quiet('unreachable', 'for an unreachable platform', { code: 1001, message: 'The platform is not available.' }),
  quiet('refused', 'for a refusal', { code: 4006, message: 'The user does not allow this program.' }),
  {
    id: 'one-sign-in/out',
    title: 'signs out, and is not signed in again after a reconnect',
    needs: ['reconnect'],
    async run(play) {
      const { server, peer } = await play.connected()
      const id = play.adapter.signInIfNeeded(SCOPES)
      await peer.answer({ user: { id: '77' } })
      await play.adapter.result(id)
      const out = play.adapter.signOut()
      must((await peer.answer(null)).cmd === 'FORGET_TOKENS', 'signing out must be FORGET_TOKENS')
      must((await play.adapter.result(out)).error === undefined, 'signing out must succeed')
      const from = play.adapter.lines.length
      peer.socket.destroy()
      const again = await server.peer()
      await again.ready()
      await play.adapter.state('ready', from)
      await play.works(again)
    },
  },
  {
    id: 'pkce/flow',
    title: 'authorizes with the challenge, exchanges with the verifier, authenticates',
    async run(play) {
      const { peer } = await play.connected()
      await signIn(play, peer)
    },
  },
  {
    id: 'pkce/fresh',
    title: 'uses another verifier for each sign-in',
    async run(play) {
      const { peer } = await play.connected()
      const first = await signIn(play, peer)
      must(first !== (await signIn(play, peer)), 'the second sign-in has the verifier of the first')
    },
  },
  {
    id: 'pkce/declined',
    title: 'ends the sign-in when the player declines, and exchanges nothing',
    async run(play) {
      const { peer } = await play.connected()
      const id = play.adapter.signIn(SCOPES)
      peer.write(errorFor(await peer.message(), { code: 5000, message: 'OAuth2 Error: access_denied' }))
      const { error } = await play.adapter.result(id)
      must(error?.code === 5000, `the error must have the code 5000; it is ${JSON.stringify(error)}`)
      await play.works(peer)
    },
  },
  {
    id: 'pkce/not-kept',
    title: 'authenticates with the token if the bridge could not keep it',
    async run(play) {
      const { peer } = await play.connected()
      const id = play.adapter.signIn(SCOPES)
      await peer.answer({ code: 'code', redirect_uri: REDIRECT })
      await peer.answer({ access_token: 'secret', kept: false })
      const authenticate = await peer.answer({ user: { id: '77' } })
      must(authenticate.args?.access_token === 'secret', 'AUTHENTICATE must carry the token')
      must((await play.adapter.result(id)).error === undefined, 'the sign-in must succeed')
    },
  },
  {
    id: 'pkce/lost',
    title: 'ends the sign-in when the connection ends, and can sign in again',
    needs: ['reconnect'],
    async run(play) {
      const { server, peer } = await play.connected()
      const id = play.adapter.signIn(SCOPES)
      await peer.answer({ code: 'code', redirect_uri: REDIRECT })
      await peer.message()
      const from = play.adapter.lines.length
      peer.socket.destroy()
      must((await play.adapter.result(id)).error?.kind === 'lost', 'the sign-in must be reported as lost')
      const again = await server.peer()
      await again.ready()
      await play.adapter.state('ready', from)
      await signIn(play, again)
    },
  },
  {
    id: 'pkce/incomplete',
    title: 'ends the sign-in when the response to AUTHORIZE has no code',
    async run(play) {
      const { peer } = await play.connected()
      const id = play.adapter.signIn(SCOPES)
      await peer.answer({})
      must((await play.adapter.result(id)).error !== undefined, 'the sign-in must fail')
      await play.works(peer)
    },
  },
]
