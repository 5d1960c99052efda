/** A game that requests `rpc` alone reaches guilds and channels without the desktop client, as it does with it. */
import { BridgeError } from '@sallyport/core/errors'
import { expect, test } from 'vitest'
import { tokenOf } from '#test/support/tokens.ts'
import { promptLines } from '#daemon/src/auth/consent/prompt-text.ts'
import { APPLICATION, ONE, start } from './signed-in.ts'

const ADDED = ['guilds', 'guilds.channels.read']
const ALONE = ['rpc', 'identify', ...ADDED]

/** Requests `rpc`, where the platform refuses all requests in `refused` with this error. */
async function requested({
  args = {},
  refusal,
  refused = () => true,
}: {
  args?: object
  refusal?: string
  refused?: (scopes: readonly string[]) => boolean
}) {
  const bridge = start()
  const { authorizer, consent } = bridge
  consent.decide = async () => {}
  const { decide } = authorizer
  authorizer.decide = (request, signal) =>
    refusal !== undefined && refused(request.scopes)
      ? Promise.reject(new BridgeError('OAUTH2_ERROR', `OAuth2 Error: ${refusal}`))
      : decide(request, signal)
  const answer = await bridge.join(ONE, {}).ask('AUTHORIZE', { scopes: ['rpc'], ...args })
  return { answer, asked: authorizer.requests.map(({ scopes }) => scopes), prompts: consent.requests }
}

test('AUTHORIZE requests what guilds and channels need, and the prompt says why', async () => {
  const { asked, prompts } = await requested({})
  expect(asked).toEqual([ALONE])
  const [prompt] = prompts
  expect(prompt).toMatchObject({ scopes: ALONE, addedScopes: ADDED })
  expect(promptLines(prompt!)).toContainEqual({
    label: 'Why',
    text: 'You have not allowed this program before. No desktop client runs, so the bridge asks for guilds and guilds.channels.read in its place.',
  })
})

test('AUTHORIZE requests nothing besides where the client runs, and for a game that names the scopes itself', async () => {
  const { desktopClient, authorizer, consent, join } = start()
  consent.decide = async () => {}
  await join(ONE, {}).ask('AUTHORIZE', { scopes: ALONE })
  await join(ONE, {}).ask('AUTHORIZE', { scopes: ['guilds'] })
  desktopClient.linked.add(APPLICATION)
  await join(ONE, {}).ask('AUTHORIZE', { scopes: ['rpc'] })
  expect(authorizer.requests.map(({ scopes }) => scopes)).toEqual([ALONE, ['guilds', 'identify'], ['rpc', 'identify']])
})

test.each([
  ['an application without the second scope has the first', {}, 'invalid_scope', [ALONE, ['rpc', 'identify', 'guilds']]],
  ['a game that wants no page has what the user gave before', { prompt: 'none' }, 'interaction_required: x', [ALONE, ['rpc', 'identify']]],
] as const)('%s', async (_name, args, refusal, expected) => {
  const { answer, asked, prompts } = await requested({ args, refusal, refused: (scopes) => scopes.includes('guilds.channels.read') })
  expect(asked).toEqual(expected)
  expect(answer).toMatchObject({ evt: null, data: { code: 'code-for-the-game' } })
  expect(prompts).toHaveLength(1)
})

test('a user who denies is not asked again', async () => {
  const { answer, asked } = await requested({ refusal: 'access_denied' })
  expect([asked, answer.data['code']]).toEqual([[ALONE], 5000])
})

test('a scope that the user unticked is named as such', async () => {
  const { consent, join } = start()
  consent.decide = async () => ({ deniedScopes: ['guilds'], lasts: 'kept' })
  const game = join(ONE, {})
  await game.ask('AUTHORIZE', { scopes: ['rpc'] })
  await game.ask('AUTHENTICATE', { access_token: tokenOf(['rpc', 'identify', 'guilds.channels.read']) })
  expect(await game.ask('GET_GUILDS')).toMatchObject({
    evt: 'ERROR',
    data: { code: 4006, message: expect.stringContaining('guilds, which the user does not allow this program') },
  })
})

test('channels come by the HTTP API: of a guild, and one of any guild', async () => {
  const { join, platform } = start()
  const asked: unknown[] = []
  platform.replies.set('GET_CURRENT_USER_GUILDS', () => [5, 6, 7].map((id) => ({ id: String(id), name: `Guild ${id}`, icon: null })))
  platform.replies.set('GET_GUILD_CHANNELS', ({ args }) => {
    asked.push(args['guild_id'])
    if (args['guild_id'] === '5') throw new BridgeError('INVALID_PERMISSIONS', 'Missing Access', { http_status: 403 })
    return [{ id: `${String(args['guild_id'])}1`, type: 0, name: 'general', position: 0 }]
  })
  const game = join(ONE, {})
  await game.ask('AUTHENTICATE', { access_token: tokenOf(ALONE) })
  expect((await game.ask('GET_GUILDS')).data).toMatchObject({ guilds: [{ id: '5' }, { id: '6' }, { id: '7' }] })
  expect((await game.ask('GET_CHANNELS', { guild_id: '6' })).data).toEqual({ channels: [{ id: '61', name: 'general', type: 0 }] })
  asked.length = 0
  expect((await game.ask('GET_CHANNEL', { channel_id: '71' })).data).toMatchObject({ id: '71', guild_id: '7', name: 'general', type: 0 })
  await game.ask('GET_CHANNEL', { channel_id: '71' })
  expect(asked, 'the guild of the last channel is asked first').toEqual(['5', '6', '7', '7'])
  expect(await game.ask('GET_CHANNEL', { channel_id: '99' })).toMatchObject({ evt: 'ERROR', data: { code: 4005 } })
})
