/** The judge of frames finds each fault that it is there for. */
import { describe, expect, it } from 'vitest'
import type { Link } from '#test/simulation/machine/socket.ts'
import { WireCheck } from '#test/simulation/wire-check.ts'
import { frame, OP } from '#test/support/frames.ts'

function scene() {
  let now = 0
  const ends = { up: { destroyed: false, owner: { name: 'game one', isDead: false } }, down: { destroyed: false } }
  const link = ends as unknown as Link
  const check = new WireCheck(() => now)
  return {
    check,
    up: (message: object) => check.onBytes(link, 'up', frame(OP.FRAME, message)),
    down: (message: object) => check.onBytes(link, 'down', frame(OP.FRAME, message)),
    wait(ms: number) {
      now += ms
      check.review()
    },
    cut() {
      ends.up.destroyed = true
    },
  }
}

const CALL = { cmd: 'GET_RELATIONSHIPS', nonce: '1' }

describe('the check of frames', () => {
  it('accepts a call with its answer, and one that its connection cut off', () => {
    const { check, up, down, wait, cut } = scene()
    up(CALL)
    down(CALL)
    up({ ...CALL, nonce: '2' })
    cut()
    wait(60_000)
    expect([check.failures, check.answers, check.cutOff]).toEqual([[], 1, 1])
  })

  it('finds a second answer', () => {
    const { check, up, down } = scene()
    up(CALL)
    down(CALL)
    down(CALL)
    expect(check.failures).toEqual(['0.000 s, game one: GET_RELATIONSHIPS 1 is answered twice'])
  })

  it('finds an answer without a call', () => {
    const { check, down } = scene()
    down(CALL)
    expect(check.failures).toEqual(['0.000 s, game one: no game made GET_RELATIONSHIPS 1'])
  })

  it('finds a call that gets no answer', () => {
    const { check, up, wait } = scene()
    up(CALL)
    wait(31_000)
    expect(check.failures).toEqual([])
    wait(1)
    expect(check.failures).toEqual(['31.001 s, game one: GET_RELATIONSHIPS 1 has no answer after 31001 ms'])
  })

  it('finds a subscription before that of AUTHORIZE_REQUEST', () => {
    const { check, up } = scene()
    up({ cmd: 'SUBSCRIBE', evt: 'GUILD_STATUS', nonce: '1' })
    up({ cmd: 'SUBSCRIBE', evt: 'AUTHORIZE_REQUEST', nonce: '2' })
    expect(check.failures).toEqual(['0.000 s, game one: GUILD_STATUS is subscribed before AUTHORIZE_REQUEST'])
  })

  it('counts what comes without a call as an event', () => {
    const { check, down } = scene()
    down({ cmd: 'DISPATCH', evt: 'LOBBY_MESSAGE_CREATE', nonce: null })
    expect([check.events, check.failures]).toEqual([1, []])
  })
})
