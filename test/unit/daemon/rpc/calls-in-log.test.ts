/** The log names the call of a game also in the lines of work that the call does not wait for, or that fails beside it. */
import { BridgeError } from '@sallyport/core/errors'
import type { LogEvent } from '@sallyport/core/log-events'
import { Secret } from '@sallyport/core/secret'
import { describe, expect, test } from 'vitest'
import { Game, KNOWN_PROGRAM, testBridge, type TestBridge } from '#test/support/bridge.ts'
import { CODE, REFRESH_TOKEN, tokenOf } from '#test/support/tokens.ts'

const PROOF = 'ab'.repeat(16)
const GET_TOKEN = { code: CODE, code_verifier: 'v'.repeat(43), redirect_uri: 'http://127.0.0.1:9/' }
const ACCOUNT = { applicationId: '1234567890', userId: '80351110224678912' }
const away = () => Promise.reject(new BridgeError('SERVICE_UNAVAILABLE', 'It is away.'))

/** The calls that lines of this event name. */
const callsIn = ({ log }: TestBridge, event: LogEvent): readonly unknown[] =>
  log.lines.filter((line) => line.event === event).map(({ fields }) => (fields as { call?: string }).call)

async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
}

describe('the log names the call', () => {
  test('whose tokens were not stored', async () => {
    const bridge = testBridge()
    bridge.tokenStore.store = away
    await Game.connected(bridge).ask('GET_TOKEN', GET_TOKEN)
    expect(callsIn(bridge, 'tokens-not-stored')).toEqual(['c1-1'])
  })

  test('whose tokens were not revoked at the platform', async () => {
    const bridge = testBridge()
    const game = Game.connected(bridge)
    await game.ask('GET_TOKEN', GET_TOKEN)
    bridge.tokenEndpoint.isDown = true
    await game.ask('FORGET_TOKENS')
    expect(callsIn(bridge, 'revocation-failed')).toEqual(['c1-2'])
  })

  test('after which a token was not checked', async () => {
    const bridge = testBridge()
    const game = Game.connected(bridge)
    await game.ask('GET_TOKEN', GET_TOKEN)
    bridge.platform.replies.set('GET_CURRENT_AUTHORIZATION_INFORMATION', away)
    expect(await game.ask('REFRESH_TOKEN', { refresh_token: `no-${REFRESH_TOKEN}` })).toMatchObject({ evt: 'ERROR' })
    expect(callsIn(bridge, 'token-not-checked')).toEqual(['c1-2'])
  })

  test('of an operator who revokes a grant, in every line', async () => {
    const bridge = testBridge({ uid: 1000 })
    const peer = { ...KNOWN_PROGRAM, trust: 'kernel', uid: 1000, pid: 1 } as const
    await Game.connected(bridge, {}, peer).ask('GET_TOKEN', GET_TOKEN)
    bridge.tokenEndpoint.isDown = true
    bridge.proofs.add(PROOF)
    const [grant] = bridge.grants.live()
    const operator = Game.connected(bridge, { client_id: '99' }, peer)
    expect(await operator.ask('OPERATE_BRIDGE', { action: 'revoke', id: grant?.id, operator_proof: PROOF })).toMatchObject({
      data: { done: true },
    })
    expect(callsIn(bridge, 'tokens-revoked')).toEqual(['c2-1'])
    expect(callsIn(bridge, 'revocation-failed')).toEqual(['c2-1'])
  })

  test('whose token the platform refused, in lines after its response', async () => {
    const bridge = testBridge()
    const call = { id: 'c7-7', steps: undefined }
    bridge.tokenStore.list = away
    bridge.lifecycle.emit('tokenRejected', { ...ACCOUNT, token: new Secret(tokenOf(['identify'])), call })
    bridge.lifecycle.emit('tokenRejected', { ...ACCOUNT, token: new Secret(tokenOf(['identify'])) })
    await settled()
    expect(callsIn(bridge, 'revocation-failed')).toEqual(['c7-7', undefined])
  })
})
