/** Arguments that no table knows: what passes on, what is refused, what the log says of it and what operators see. */
import { Secret } from '@sallyport/core/secret'
import { describe, expect, test } from 'vitest'
import { Game, testBridge } from '#test/support/bridge.ts'
import { tokenOf } from '#test/support/tokens.ts'

const CONTRACT = { contract: '1.0', streams: true, max_frame_bytes: 1_000_000 }

async function world(hello: object = CONTRACT, strictArguments = false) {
  const bridge = testBridge({ botToken: new Secret('bot-token'), strictArguments })
  bridge.platform.replies.set('GET_CURRENT_APPLICATION', () => ({ id: '1234567890' }))
  bridge.platform.replies.set('CREATE_MESSAGE', () => ({}))
  const game = Game.connected(bridge, hello)
  await game.ask('AUTHENTICATE', { access_token: tokenOf(['identify', 'guilds']) })
  const sent = (name: string) => bridge.platform.calls.filter((call) => call.name === name).map(({ args }) => args)
  return { ...bridge, whole: bridge, game, sent }
}

describe('an unknown name', () => {
  const BUTTON = { type: 2, style: 5, label: 'Go', url: 'https://a.test' }
  test.each<[string, object, readonly string[]]>([
    ['beside the known ones', { content: 'Ahoy', shared_theme: { colour: 7 } }, ['shared_theme']],
    ['in a list of objects', { embeds: [{ title: 'a' }, { title: 'b', glow: true }] }, ['embeds[1].glow']],
    ['in an alternative', { components: [{ type: 1, components: [{ ...BUTTON, wobble: 1 }] }] }, ['components[0].components[0].wobble']],
    [
      'at several levels',
      { mood: 1, embeds: [{ title: 'a', tone: 2, footer: { text: 'b', ink: 3 } }] },
      ['mood', 'embeds[0].tone', 'embeds[0].footer.ink'],
    ],
  ])('%s reaches the platform with the rest', async (_, fields, paths) => {
    const { game, sent } = await world()
    const args = { channel_id: '5', ...fields }
    const { evt, warnings } = (await game.ask('CREATE_MESSAGE', args)) as unknown as {
      evt: null
      warnings: { path: string; reason: string }[]
    }
    expect(evt).toBeNull()
    expect(warnings.map(({ path }) => path).toSorted()).toEqual([...paths].toSorted())
    expect(new Set(warnings.map(({ reason }) => reason)).size).toBe(1)
    expect(sent('CREATE_MESSAGE')).toEqual([args])
  })

  test.each<[string, object, string]>([
    ['a limit', { content: 'x'.repeat(2001), mood: 1 }, 'content'],
    ['a type', { content: 5, mood: 1 }, 'content'],
    ['a rule between fields', { attachments: [{ id: '0' }], mood: 1 }, 'attachments[0].id'],
    ['a required name', { poll: { question: { text: 'a' }, tone: 1 } }, 'poll.answers'],
  ])('leaves %s of the known ones checked', async (_, fields, path) => {
    const { game, sent } = await world()
    expect(await game.ask('CREATE_MESSAGE', { channel_id: '5', ...fields })).toMatchObject({ evt: 'ERROR', data: { code: 4000, path } })
    expect(sent('CREATE_MESSAGE')).toEqual([])
  })

  test('is one of a few: more are refused', async () => {
    const { game } = await world()
    const many = Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`field_${index}`, 1]))
    expect(await game.ask('CREATE_MESSAGE', { channel_id: '5', content: 'a', ...many })).toMatchObject({
      evt: 'ERROR',
      data: { code: 4000 },
    })
  })

  test('of a command of the bridge itself is refused', async () => {
    const { game } = await world()
    expect(await game.ask('SET_HTTP_REQUEST_TIMEOUT', { timeout_ms: 5, mood: 1 })).toMatchObject({ evt: 'ERROR', data: { path: 'mood' } })
  })

  test('is refused where arguments are strict, with the nearest name that is known there', async () => {
    const { game } = await world(CONTRACT, true)
    const messageOf = async (fields: object) => (await game.ask('CREATE_MESSAGE', { channel_id: '5', ...fields })).data.message
    expect(await messageOf({ contnet: 'a' })).toBe('"contnet" is not known. Did you mean content?')
    expect(await messageOf({ embeds: [{ titel: 'a' }] })).toBe('"embeds[0].titel" is not known. Did you mean title?')
    expect(await messageOf({ quite_new: 1 })).toBe('"quite_new" is not known.')
  })

  test('is named in the log, once, for a game without a contract', async () => {
    const { game, log } = await world({ max_frame_bytes: 1_000_000 })
    for (let call = 0; call < 2; call++)
      expect(await game.ask('CREATE_MESSAGE', { channel_id: '5', content: 'a', mood: 'merry' })).not.toHaveProperty('warnings')
    expect(log.lines.filter(({ event }) => event === 'call-warning').map(({ fields }) => fields)).toEqual([
      expect.objectContaining({ cmd: 'CREATE_MESSAGE', path: 'mood' }),
    ])
    expect(log.text).not.toContain('merry')
  })
})

describe('an operator sees', () => {
  const PROOF = 'ab'.repeat(16)
  async function shownOf(cmd: string, args: object): Promise<unknown> {
    const { whole, game } = await world()
    const operator = Game.connected(whole, { client_id: '99', ...CONTRACT })
    whole.proofs.add(PROOF)
    await operator.ask('INSPECT_FRAMES', { operator_proof: PROOF, direction: 'in' })
    await game.ask(cmd, args)
    const { frames } = (await operator.ask('INSPECT_FRAMES')).data as { frames: { message?: { args?: unknown } }[] }
    return frames.at(-1)?.message?.args
  }

  test.each<[string, string, object, object]>([
    [
      'a forwarded call without values of unknown arguments',
      'CREATE_MESSAGE',
      { channel_id: '5', content: 'a', session_cookie: 'c-77', embeds: [{ title: 'b', key: { of: 'd-77' } }] },
      { channel_id: '5', content: 'a', session_cookie: '[unknown]', embeds: [{ title: 'b', key: '[unknown]' }] },
    ],
    [
      'an activity without values that the bridge drops',
      'SET_ACTIVITY',
      { pid: 1, activity: { state: 'At sea', cookie: 'c-77', party: { id: 'ab', seal: 's' } } },
      { pid: 1, activity: { state: 'At sea', cookie: '[unknown]', party: { id: 'ab', seal: '[unknown]' } } },
    ],
    ['a refused call', 'GET_CHANNEL', { channel_id: 5, cookie: 'c-77' }, { channel_id: 5, cookie: '[unknown]' }],
    ['a call with known arguments as it is', 'CREATE_MESSAGE', { channel_id: '5', content: 'a' }, { channel_id: '5', content: 'a' }],
  ])('%s', async (_, cmd, args, shown) => expect(await shownOf(cmd, args)).toEqual(shown))
})
