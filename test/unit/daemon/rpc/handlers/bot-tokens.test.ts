import { describe, expect, test } from 'vitest'
import { BridgeError } from '@sallyport/core/errors'
import { Game, testBridge } from '#test/support/bridge.ts'
import { tokenOf } from '#test/support/tokens.ts'

const APPLICATION = '1234567890'
const PROOF = 'ab'.repeat(16)
const BOT_ROW = { channel_id: '5', status: 'Playing' }

/** A bridge whose platform accepts one bot token of each of two applications. */
function operated() {
  const bridge = testBridge()
  bridge.platform.replies.set('GET_CURRENT_APPLICATION', ({ credential }) => {
    const id = /^the-bot-of-(\d+)$/.exec(credential?.token.reveal() ?? '')?.[1]
    if (id === undefined) throw new BridgeError('INVALID_TOKEN', 'The platform rejected the token; authorize again.', { http_status: 401 })
    return { id, name: 'Dockside' }
  })
  bridge.platform.replies.set('SET_VOICE_CHANNEL_STATUS', () => null)
  const operator = Game.connected(bridge)
  const asOperator = (cmd: string, args: object) => {
    bridge.proofs.add(PROOF)
    return operator.ask(cmd, { ...args, operator_proof: PROOF })
  }
  return { ...bridge, operator, asOperator, bridge }
}

async function signedIn(world: ReturnType<typeof operated>) {
  const game = Game.connected(world.bridge)
  await game.ask('AUTHENTICATE', { access_token: tokenOf(['identify']) })
  return game
}

describe('storing a bot token', () => {
  test('enables the bot commands at once for games that signed in to its application', async () => {
    const world = operated()
    const game = await signedIn(world)
    expect(await game.ask('SET_VOICE_CHANNEL_STATUS', BOT_ROW)).toMatchObject({
      data: { code: 4006, message: expect.stringContaining('sallyport login --bot') },
    })
    expect(await world.asOperator('SET_BOT_TOKEN', { token: `the-bot-of-${APPLICATION}` })).toMatchObject({
      evt: null,
      data: { application_id: APPLICATION, name: 'Dockside' },
    })
    expect(await game.ask('SET_VOICE_CHANNEL_STATUS', BOT_ROW)).toMatchObject({ evt: null })
    expect(world.platform.calls.at(-1)?.credential).toMatchObject({ kind: 'bot', applicationId: APPLICATION })
    expect(world.platform.calls.at(-1)?.credential?.token.reveal()).toBe(`the-bot-of-${APPLICATION}`)
  })

  test('enables nothing for games of another application, nor for those that only name it', async () => {
    const world = operated()
    await world.asOperator('SET_BOT_TOKEN', { token: 'the-bot-of-999' })
    expect(await (await signedIn(world)).ask('SET_VOICE_CHANNEL_STATUS', BOT_ROW)).toMatchObject({ data: { code: 4006 } })
    const claims = Game.connected(world.bridge, { client_id: '999' })
    expect(await claims.ask('SET_VOICE_CHANNEL_STATUS', BOT_ROW)).toMatchObject({
      data: { code: 4006, message: expect.stringContaining('has not allowed this program to use the bot') },
    })
    expect(world.consent.requests).toMatchObject([{ applicationId: '999', userId: 'bot' }])
  })

  test('is rejected for a token that is not of a bot, or of another application than named', async () => {
    const world = operated()
    expect(await world.asOperator('SET_BOT_TOKEN', { token: 'a-user-token' })).toMatchObject({
      data: { code: 4009, message: expect.stringContaining('rejects this bot token') },
    })
    expect(await world.asOperator('SET_BOT_TOKEN', { token: 'the-bot-of-999', application_id: APPLICATION })).toMatchObject({
      data: { code: 4007 },
    })
    expect(await world.bots.keys()).toEqual([])
  })

  test('and deleting one are only for the operator, with a proof each time', async () => {
    const world = operated()
    const { operator } = world
    const token = { token: `the-bot-of-${APPLICATION}` }
    expect(operator.call('SET_BOT_TOKEN', token)).toMatchObject({ data: { code: 4000, path: 'operator_proof' } })
    expect(operator.call('SET_BOT_TOKEN', { ...token, operator_proof: '../../x' })).toMatchObject({
      data: { code: 4000, path: 'operator_proof' },
    })
    expect(operator.call('SET_BOT_TOKEN', { ...token, operator_proof: PROOF })).toMatchObject({
      data: { code: 4006, message: expect.stringContaining('operator') },
    })
    expect(world.platform.calls, 'the platform is not asked for strangers').toEqual([])
    await world.asOperator('SET_BOT_TOKEN', token)
    expect(operator.call('FORGET_BOT_TOKEN', { application_id: APPLICATION, operator_proof: PROOF })).toMatchObject({
      data: { code: 4006 },
    })
    expect(await world.bots.keys()).toHaveLength(1)
  })

  test('deleting one ends its use', async () => {
    const world = operated()
    const game = await signedIn(world)
    await world.asOperator('SET_BOT_TOKEN', { token: `the-bot-of-${APPLICATION}` })
    expect(await world.operator.ask('GET_BOT_TOKENS')).toMatchObject({
      data: { bots: [{ application_id: APPLICATION, name: 'Dockside' }] },
    })
    expect(await world.asOperator('FORGET_BOT_TOKEN', { application_id: APPLICATION })).toMatchObject({ data: { forgotten: true } })
    expect(await world.asOperator('FORGET_BOT_TOKEN', { application_id: APPLICATION })).toMatchObject({ data: { forgotten: false } })
    expect(await world.operator.ask('GET_BOT_TOKENS')).toMatchObject({ data: { bots: [] } })
    expect(await game.ask('SET_VOICE_CHANNEL_STATUS', BOT_ROW)).toMatchObject({ data: { code: 4006 } })
  })

  test('leaves no trace of it in the log or in responses', async () => {
    const world = operated()
    const responses = [
      await world.asOperator('SET_BOT_TOKEN', { token: `the-bot-of-${APPLICATION}` }),
      await world.asOperator('SET_BOT_TOKEN', { token: 'the-bot-of-999', application_id: APPLICATION }),
      await world.asOperator('SET_BOT_TOKEN', { token: 'the-bot-of-none' }),
      await world.operator.ask('GET_BOT_TOKENS'),
    ]
    expect(JSON.stringify([responses, world.log])).not.toMatch(/the-bot-of/)
  })
})
