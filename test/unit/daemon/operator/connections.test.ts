/** WATCH_BRIDGE and OPERATE_BRIDGE: an operator sees the state, waits for changes, and acts. */
import type { BridgeState } from '@sallyport/protocol'
import { describe, expect, test } from 'vitest'
import { programOf } from '#daemon/src/identity/program.ts'
import type { ConsentPrompt } from '#daemon/src/auth/consent/consent-prompts.ts'
import { requireUser } from '#daemon/src/operator/proof.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { Game, KNOWN_PROGRAM, testBridge, type TestBridge } from '#test/support/bridge.ts'

const PROOF = 'cd'.repeat(16)
const PACE_MS = 100

const PROMPT: ConsentPrompt = {
  id: 'ab12',
  askedAt: 0,
  program: programOf(KNOWN_PROGRAM),
  pid: undefined,
  connection: 1,
  applicationId: '42',
  applicationName: 'Tide\u202ePilot',
  userId: undefined,
  username: undefined,
  scopes: ['identify'],
  reason: 'new-program',
}

function started(): { bridge: TestBridge; clock: FakeClock; operator: Game } {
  const clock = new FakeClock()
  const bridge = testBridge({ clock })
  const operator = Game.connected(bridge, { client_id: '99' })
  return { bridge, clock, operator }
}
async function watching() {
  const { bridge, clock, operator } = started()
  bridge.proofs.add(PROOF)
  const first = (await operator.ask('WATCH_BRIDGE', { operator_proof: PROOF })).data as BridgeState
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  /** Responses of reads that waited, after the pace of changes. */
  const later = async (): Promise<readonly BridgeState[]> => {
    await turn()
    clock.advance(PACE_MS)
    await turn()
    return operator.received().map(({ data }) => data as BridgeState)
  }
  return { bridge, clock, operator, first, later, wait: () => operator.begin('WATCH_BRIDGE', { wait_ms: 20_000 }) }
}

describe('who may watch and operate', () => {
  test('a game may not, also with a proof that no file has', async () => {
    const { bridge, operator } = started()
    for (const [cmd, args] of [
      ['WATCH_BRIDGE', {}],
      ['WATCH_BRIDGE', { operator_proof: PROOF }],
      ['OPERATE_BRIDGE', { action: 'stop' }],
      ['OPERATE_BRIDGE', { action: 'stop', operator_proof: PROOF }],
    ] as const)
      expect(await operator.ask(cmd, args)).toMatchObject({ evt: 'ERROR', data: { code: 4006 } })
    expect(bridge.operated.stops).toBe(0)
  })
  test('one call of OPERATE_BRIDGE has its own proof, and gives no right to the next', async () => {
    const { bridge, operator } = started()
    bridge.proofs.add(PROOF)
    expect((await operator.ask('OPERATE_BRIDGE', { action: 'stop', operator_proof: PROOF })).data).toEqual({ done: true })
    expect(await operator.ask('OPERATE_BRIDGE', { action: 'stop' })).toMatchObject({ evt: 'ERROR', data: { code: 4006 } })
    expect(bridge.operated.stops).toBe(1)
  })
})

describe('the state', () => {
  test('of a bridge that found all ten ports for browsers taken says so, and what to do', async () => {
    const { first } = await watching()
    expect(first.websocket).toBeUndefined()
    expect(first.websocket_problem).toMatch(/ports 6463 to 6472\. End one of them, then start this bridge again\./)
  })
  test('lists games with their activity, without the operator, and texts without invisible characters', async () => {
    const { bridge, operator } = await watching()
    const game = Game.connected(bridge, { client_id: '42' }, { ...KNOWN_PROGRAM, pid: 7 })
    game.call('SET_ACTIVITY', { pid: 7, activity: { name: 'Dock\u202eside', details: 'Sorting', state: 'Solo' } })
    await game.ask('SUBSCRIBE', {}, 'AUTHORIZE_REQUEST')
    expect((await operator.ask('WATCH_BRIDGE')).data).toMatchObject({
      platform: 'test',
      presence_paused: false,
      omitted: {},
      games: [
        {
          application_id: '42',
          pid: 7,
          program: expect.stringContaining('/games/game') as string,
          activity: 'Playing Dock\\u{202e}side: Sorting, Solo',
          can_link: true,
        },
      ],
    })
  })
  test('an operator is no game: it is neither counted nor inspected', async () => {
    const { bridge, operator } = await watching()
    const status = Game.connected(bridge, { client_id: '98' })
    expect((await operator.ask('WATCH_BRIDGE')).data).toMatchObject({ games: [{ application_id: '98' }] })
    bridge.proofs.add(PROOF)
    await status.ask('INSPECT_FRAMES', { operator_proof: PROOF })
    await operator.ask('WATCH_BRIDGE')
    expect((await status.ask('INSPECT_FRAMES')).data).toEqual({ frames: [], dropped: 0 })
  })
})

describe('a read that waits', () => {
  test('ends once for several changes: a game that comes, its activity, its subscription', async () => {
    const { bridge, wait, later } = await watching()
    wait()
    expect(await later()).toEqual([])
    const game = Game.connected(bridge, { client_id: '42' })
    game.call('SET_ACTIVITY', { pid: 7, activity: { details: 'Sorting' } })
    expect(await later()).toMatchObject([{ games: [{ application_id: '42', activity: 'Playing a game: Sorting', can_link: false }] }])
    wait()
    await game.ask('SUBSCRIBE', {}, 'AUTHORIZE_REQUEST')
    expect(await later()).toMatchObject([{ games: [{ can_link: true }] }])
    wait()
    game.receiver.onEnd()
    expect(await later()).toMatchObject([{ games: [] }])
  })
  test('ends with a prompt, which is shown with safe text', async () => {
    const { bridge, wait, later } = await watching()
    wait()
    bridge.operated.prompts.push(PROMPT)
    bridge.operated.changed.emit()
    const [state] = await later()
    expect(state?.prompts).toMatchObject([{ id: 'ab12', title: 'A program wants to sign in for a game.' }])
    expect(state?.prompts[0]?.lines[0]).toEqual({ label: 'Application', text: 'Tide\\u{202e}Pilot (42)' })
  })
  test('ends after its time without a change', async () => {
    const { clock, operator, wait, later, first } = await watching()
    wait()
    clock.advance(19_999)
    expect(operator.received()).toEqual([])
    expect(await later()).toMatchObject([{ ...first, uptime_s: 21, counters: { calls: 2 } }])
  })
  test('ends when the connection does, and then nothing is computed', async () => {
    const { bridge, clock, wait, operator, later } = await watching()
    wait()
    operator.receiver.onEnd()
    expect(await later()).toEqual([])
    const { pending } = clock
    bridge.operated.changed.emit()
    expect(clock.pending).toBe(pending)
  })
})

describe('actions', () => {
  test('answer a prompt, and report one that is gone', async () => {
    const { bridge, operator } = await watching()
    bridge.operated.prompts.push(PROMPT)
    expect((await operator.ask('OPERATE_BRIDGE', { action: 'allow', id: 'ab12' })).data).toEqual({ done: true })
    expect((await operator.ask('OPERATE_BRIDGE', { action: 'deny', id: 'zz99' })).data).toEqual({ done: false })
    expect(bridge.operated.answers).toEqual([
      { id: 'ab12', isAllowed: true },
      { id: 'zz99', isAllowed: false },
    ])
  })
  test('request games to link the account', async () => {
    const { bridge, clock, operator } = await watching()
    expect((await operator.ask('OPERATE_BRIDGE', { action: 'link', id: '42' })).data).toEqual({ done: false })
    const game = Game.connected(bridge, { client_id: '42' })
    await game.ask('SUBSCRIBE', {}, 'AUTHORIZE_REQUEST')
    expect((await operator.ask('OPERATE_BRIDGE', { action: 'link', id: '42' })).data).toEqual({ done: true })
    clock.advance(PACE_MS)
    expect(game.received()).toMatchObject([{ evt: 'AUTHORIZE_REQUEST' }])
  })
  test('pause presence: SET_ACTIVITY is answered, nothing is shown, and resuming shows the latest', async () => {
    const { bridge, operator, first } = await watching()
    expect(first.presence_paused).toBe(false)
    const game = Game.connected(bridge, { client_id: '42' })
    game.call('SET_ACTIVITY', { pid: 7, activity: { details: 'before' } })
    await operator.ask('OPERATE_BRIDGE', { action: 'pause-presence' })
    expect(bridge.presenceStore.all()).toEqual([])
    expect(bridge.operated.isPaused).toBe(true)
    expect(game.call('SET_ACTIVITY', { pid: 7, activity: { details: 'meanwhile' } })).toMatchObject({
      evt: null,
      data: { details: 'meanwhile' },
    })
    expect(bridge.presenceStore.all()).toEqual([])
    expect((await operator.ask('WATCH_BRIDGE')).data).toMatchObject({
      presence_paused: true,
      games: [{ activity: 'Playing a game: meanwhile' }],
    })
    await operator.ask('OPERATE_BRIDGE', { action: 'resume-presence' })
    expect(bridge.presenceStore.all()).toMatchObject([{ stored: { activity: { details: 'meanwhile' } } }])
    expect(bridge.operated.isPaused).toBe(false)
  })
  test('revoke only a grant that exists', async () => {
    const { operator } = await watching()
    expect((await operator.ask('OPERATE_BRIDGE', { action: 'revoke', id: 'grant7' })).data).toEqual({ done: false })
  })
  test('accept only an invite that is open', async () => {
    const { operator } = await watching()
    expect((await operator.ask('OPERATE_BRIDGE', { action: 'accept-invite', id: '77' })).data).toEqual({ done: false })
  })
  test('open the vault, whose accounts and bots are shown from then on', async () => {
    const { operator, first } = await watching()
    expect(first.vault_problem).toContain('not open yet')
    expect((await operator.ask('OPERATE_BRIDGE', { action: 'open-vault' })).data).toEqual({ done: true })
    expect((await operator.ask('WATCH_BRIDGE')).data).not.toHaveProperty('vault_problem')
  })
})

describe('a command line that answers a prompt', () => {
  test.each([
    ['which a user typed', { session: 'tty:1:2:', isTyped: true }, true],
    ['which no user typed', { session: 'tty:1:2:', isTyped: false }, false],
    ['which a program started', { session: 'by:x', isTyped: false }, false],
    ['on a system that does not say who started it', { session: 'none' }, false],
    ['that is none of ours', {}, true],
  ] as const)('%s', (_, program, isAllowed) => {
    if (isAllowed) expect(() => requireUser(program)).not.toThrow()
    else expect(() => requireUser(program)).toThrow(/where a user typed it/)
  })
})
