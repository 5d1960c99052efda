/** Every endpoint row × every kind of caller, through the real daemon and sandbox: each gets exactly what the row allows. */
import { COMMANDS, ENDPOINTS, type EndpointRow, ERRORS, expandScopes, requirementOfUser, SCOPES, selectToken } from '@sallyport/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openUpload } from '#daemon/src/platform/api/open-upload.ts'
import { requestBuilder } from '#daemon/src/platform/api/request.ts'
import { bytesOf } from '#test/support/bytes.ts'
import { frame, type Message, OP } from '#test/support/frames.ts'
import { argsOf, codeOfBot, codeOfStranger } from '#test/support/row-call.ts'
import { BOT_TOKEN, startWalked, type WalkedDaemon } from './support/walked-daemon.ts'
import { World } from './support/row-world.ts'

const rows = Object.values<EndpointRow>(ENDPOINTS).filter(({ name }) => Object.hasOwn(COMMANDS, name))
const callable = rows.filter(({ unavailable }) => unavailable === undefined)
const ofUsers = callable.filter(({ auth }) => auth === 'user' || auth === 'user-or-bot')
const ofBoth = callable.filter(({ auth }) => auth === 'user-or-bot')
const ofInteractions = callable.filter(({ auth }) => auth === 'interaction')
const withoutToken = callable.filter(({ auth }) => auth === 'none')
const ofBots = callable.filter(({ auth }) => auth === 'bot')
const scoped = ofUsers.filter(({ requires }) => requires.every((set) => set.length > 0))

/** Least scopes that one alternative of a requirement needs; a sign-in needs identify besides. */
const enough = (set: readonly string[]): readonly string[] => [
  ...new Set(['identify', ...set.filter((scope) => !scope.startsWith('rpc.auth'))]),
]
const least = (row: EndpointRow): readonly string[] => enough(row.requires[0] ?? [])

/** Every scope except those that the row needs. */
const everythingElse = ({ requires }: EndpointRow): readonly string[] => {
  const needed = requires.flat()
  return Object.entries(SCOPES)
    .filter(([name, { kind }]) => kind === 'oauth' && expandScopes([name]).isDisjointFrom(new Set(needed)))
    .map(([name]) => name)
}

let plain: WalkedDaemon
let withBot: WalkedDaemon
let withBadBot: WalkedDaemon
let withForeignBot: WalkedDaemon
const worlds = new Map<WalkedDaemon, World>()
/** Permission bits of the bot where it is called. */
let held = 0n
beforeAll(async () => {
  const starts = [undefined, BOT_TOKEN, 'no-token-of-any-bot', 'sandbox-bot-987654321'].map((token) => startWalked(token))
  const daemons = await Promise.all(starts)
  ;[plain, withBot, withBadBot, withForeignBot] = daemons as [WalkedDaemon, WalkedDaemon, WalkedDaemon, WalkedDaemon]
  for (const daemon of daemons) worlds.set(daemon, new World(daemon))
  held = await new World(plain).botPermissions()
})
afterAll(async () => {
  for (const daemon of worlds.keys()) await daemon.stop()
})

type Args = Readonly<Record<string, unknown>>

const argsFor = async (row: EndpointRow, daemon: WalkedDaemon): Promise<Args> => {
  const world = worlds.get(daemon)
  if (world === undefined) throw new Error(`no world for ${row.name}`)
  return argsOf(row, world)
}

const ofBot = (row: EndpointRow): number | undefined => codeOfBot(row, held)

/** Arguments that keep a row of both to the token of the user. */
const AS_USER = { as_bot: false }
const AS_BOT = { as_bot: true }
const asUser = ({ auth }: EndpointRow): object => (auth === 'user-or-bot' ? AS_USER : {})

/** The row's command, called on a connection of its own, with more arguments. */
async function called(row: EndpointRow, daemon: WalkedDaemon, token: string | undefined, more: object = {}): Promise<Message> {
  const args = { ...(await argsFor(row, daemon)), ...more }
  const game = await daemon.game(token)
  try {
    return await game.call(row.name, args)
  } finally {
    game.hangUp()
  }
}

type ErrorName = keyof typeof ERRORS
function expectRefusal({ evt, data }: Message, name: ErrorName, ...words: readonly string[]): void {
  expect({ evt, code: data.code }, JSON.stringify(data)).toEqual({ evt: 'ERROR', code: ERRORS[name].code })
  for (const word of words) expect(data.message).toContain(word)
}

/** Success, or the row's own error. */
function expectOutcome(row: EndpointRow, { evt, data }: Message, platformCode: number | undefined): void {
  if (platformCode === undefined) return expect(evt, JSON.stringify(data)).toBeNull()
  expect({ evt, platform_code: data.platform_code }, JSON.stringify(data)).toEqual({ evt: 'ERROR', platform_code: platformCode })
  expect([0, ...row.platformErrors], `${row.name} documents its errors`).toContain(platformCode)
}

/** What the refusal of a user's call names. */
const wordsOf = (row: EndpointRow): readonly string[] => requirementOfUser(row).flat()

describe('the walk', () => {
  it('leaves out only what has no command', async () => {
    const game = await plain.game(await plain.token(['identify']))
    for (const { name } of Object.values<EndpointRow>(ENDPOINTS).filter((row) => !rows.includes(row))) {
      expectRefusal(await game.call(name, {}), 'INVALID_COMMAND')
    }
    game.hangUp()
  })
})

describe('without a token', () => {
  it.each(callable.filter((row) => !ofBots.includes(row)))('$name requires a sign-in and names its scopes', async (row) => {
    const daemons = ofBoth.includes(row) ? [plain] : [plain, withBot]
    for (const daemon of daemons)
      expectRefusal(await called(row, daemon, undefined, asUser(row)), 'INVALID_PERMISSIONS', 'scope', ...wordsOf(row))
  })
  it.each(ofBots)('$name needs the bot only, whose token the operator stores', async (row) => {
    expectRefusal(await called(row, plain, undefined), 'INVALID_PERMISSIONS', 'bot', 'sallyport login --bot')
    // An error may be a first answer only; the walk of the bot token below expects it.
    if (ofBot(row) === undefined) expectOutcome(row, await called(row, withBot, undefined), undefined)
  })
})

describe('a token with every scope but those of the row', () => {
  it.each(scoped)('$name names the scope', { tags: ['2.1-8'] }, async (row) => {
    const token = await withBot.token(everythingElse(row))
    if (row.requires.flat().includes('identify')) {
      await expect(withBot.game(token)).rejects.toThrow(/INVALID_TOKEN.*identify/)
    } else {
      expectRefusal(await called(row, withBot, token, asUser(row)), 'INVALID_PERMISSIONS', 'scope', ...wordsOf(row))
    }
  })
})

describe('a token with the least scopes of the row', () => {
  it.each(ofUsers)('$name does what it is for', async (row) => {
    for (const set of row.requires) expectOutcome(row, await called(row, plain, await plain.token(enough(set))), undefined)
  })

  it.each(ofBots)('$name is off while there is no bot token', async (row) => {
    expectRefusal(await called(row, plain, await plain.token(['identify'])), 'INVALID_PERMISSIONS', 'bot', 'sallyport login --bot')
  })
})

describe("another user's token", () => {
  it.each(ofUsers)('$name answers for that user alone', async (row) => {
    const token = await plain.token(least(row), { user: 'mary' })
    const mary = worlds.get(plain)?.user('mary')
    const named = row.botFor?.otherUser
    // Where an argument names the user, also without it.
    for (const more of named === undefined ? [{}] : [{}, { [named]: undefined }]) {
      const answer = await called(row, plain, token, more)
      if (selectToken(row, { ...(await argsFor(row, plain)), ...more }, mary) === 'bot')
        expectRefusal(answer, 'INVALID_PERMISSIONS', 'bot', 'sallyport login --bot')
      else expectOutcome(row, answer, codeOfStranger(row))
    }
  })
})

describe('the token of an interaction', () => {
  it.each(ofInteractions)('$name is enough for any signed-in user, and needs no other token', async (row) => {
    for (const daemon of [plain, withBot, withBadBot])
      expectOutcome(row, await called(row, daemon, await daemon.token(['identify'])), undefined)
    expectOutcome(row, await called(row, plain, await plain.token(['identify'], { user: 'mary' })), undefined)
  })

  it.each(ofInteractions)('$name is refused when it is wrong, in words that do not repeat it', async (row) => {
    const args = { ...(await argsFor(row, plain)), interaction_token: 'a-token-of-nothing-at-all' }
    const game = await plain.game(await plain.token(['identify']))
    const { evt, data } = await game.call(row.name, args)
    expect({ evt, platform_code: data.platform_code }).toEqual({
      evt: 'ERROR',
      platform_code: row.pathParameters.includes('interaction_id') ? 10_062 : 50_027,
    })
    expect(JSON.stringify(data)).not.toContain('a-token-of-nothing-at-all')
    expect(await game.call('GET_CURRENT_USER', {})).toMatchObject({ evt: null })
    game.hangUp()
  })

  it.each(ofInteractions)('$name is refused after the token was revoked', async (row) => {
    const args = await argsFor(row, withBot)
    const token = await withBot.token(['identify'], { user: 'grace' })
    const game = await withBot.game(token, { contract: '1.0' })
    await withBot.revoke(token)
    await game.call('GET_CURRENT_USER', {})
    await game.message()
    expectRefusal(await game.call(row.name, args), 'INVALID_PERMISSIONS', 'sign in')
    game.hangUp()
  })
})

describe("another application's token", () => {
  it('signs no user in', async () => {
    const token = await plain.token(['identify'], { application: '987654321' })
    await expect(plain.game(token)).rejects.toThrow(/INVALID_TOKEN.*987654321/)
  })
})

describe('the bot token', () => {
  it.each(ofBots)('$name does what it is for', async (row) => {
    expectOutcome(row, await called(row, withBot, await withBot.token(['identify'])), ofBot(row))
  })

  it.each(ofUsers)('$name goes by the token of the user all the same', async (row) => {
    expectOutcome(row, await called(row, withBot, await withBot.token(least(row)), asUser(row)), undefined)
  })

  it.each(ofBoth)('$name goes by the token of the bot on request, signed in or not', async (row) => {
    for (const token of [undefined, await withBot.token(['identify'])])
      expectOutcome(row, await called(row, withBot, token, AS_BOT), ofBot(row))
  })

  it('gives the subscriptions of the named user, and never those of the signed-in one', async () => {
    const world = worlds.get(withBot)
    const game = await withBot.game(await withBot.token(['identify']))
    const sku_id = await world?.sku(5)
    const [ada, grace] = [world?.user('ada'), world?.user('grace')]
    const owners = async (args: object) =>
      ((await game.call('LIST_SKU_SUBSCRIPTIONS', args)).data as unknown as readonly { readonly user_id: string }[]).map(
        (one) => one.user_id,
      )
    expect(new Set(await owners({ sku_id }))).toEqual(new Set([ada]))
    expect(new Set(await owners({ sku_id, user_id: grace }))).toEqual(new Set([grace]))
    game.hangUp()
  })

  it('deletes test entitlements that the bot created for others, without a token of theirs', async () => {
    const world = worlds.get(withBot)
    const game = await withBot.game(await withBot.token(['identify']))
    const owner = { owner_id: world?.user('grace'), owner_type: 2 }
    const { data } = await game.call('CREATE_TEST_ENTITLEMENT', { ...world?.application, sku_id: await world?.sku(3), ...owner })
    const ids = { ...world?.application, entitlement_id: (data as unknown as { readonly id: string }).id }
    expect(await game.call('DELETE_TEST_ENTITLEMENT', ids)).toMatchObject({ evt: null })
    game.hangUp()
  })

  it.each(ofBots)('$name is not for the games of another application', async (row) => {
    const answer = await called(row, withForeignBot, await withForeignBot.token(['identify']))
    expectRefusal(answer, 'INVALID_PERMISSIONS', 'bot', 'sallyport login --bot')
  })

  it.each(ofBots)('$name reports an unknown bot token, and the game stays signed in', async (row) => {
    const args = await argsFor(row, withBadBot)
    const game = await withBadBot.game(await withBadBot.token(['identify']))
    expectRefusal(await game.call(row.name, args), 'INVALID_TOKEN')
    expect(await game.call('GET_CURRENT_USER', {})).toMatchObject({ evt: null, data: { username: 'ada' } })
    game.hangUp()
  })
})

describe('a token that was revoked', () => {
  const revoked = async (row: EndpointRow, greeting: object) => {
    const token = await withBot.token(least(row), { user: 'grace' })
    const game = await withBot.game(token, greeting)
    await withBot.revoke(token)
    return { game, token }
  }

  it.each(ofUsers)('$name is refused, and the game is signed out', async (row) => {
    const grace = worlds.get(withBot)?.user('grace')
    // About another user, the bot would be asked.
    const own = row.botFor?.otherUser === undefined ? {} : { [row.botFor.otherUser]: grace }
    const args = { ...(await argsFor(row, withBot)), ...asUser(row), ...own }
    const { game } = await revoked(row, { contract: '1.0' })
    const received = [await game.call(row.name, args), await game.message()]
    const answer = received.find(({ cmd }) => cmd === row.name)
    if (answer === undefined) throw new Error(`no answer among ${JSON.stringify(received)}`)
    expectRefusal(answer, 'INVALID_TOKEN')
    expect(received.find((message) => message !== answer)).toMatchObject({
      evt: 'TOKEN_REVOKED',
      data: { user_id: grace },
    })
    expectRefusal(await game.call(row.name, args), 'INVALID_PERMISSIONS', 'sign in')
    game.hangUp()
  })

  // Once and not for each row: a program whose tokens are refused too often is asked to wait.
  it('signs no user in again', async () => {
    const { game, token } = await revoked(ENDPOINTS.GET_CURRENT_USER, { contract: '1.0' })
    game.hangUp()
    await expect(withBot.game(token)).rejects.toThrow(/INVALID_TOKEN/)
  })

  it('closes the connection of a game that would not understand the event', async () => {
    const { game } = await revoked(ENDPOINTS.GET_CURRENT_USER, {})
    game.send(frame(OP.FRAME, { cmd: 'GET_CURRENT_USER', nonce: '1' }))
    expect(await game.closeCode()).toBe(4003)
  })
})

describe('what applications cannot use', () => {
  it.each(rows.filter((row) => !callable.includes(row)))('$name names the date, to every caller', async (row) => {
    const tokens = [undefined, await withBot.token(['identify']), await withBot.token(everythingElse(row))]
    for (const token of tokens) expectRefusal(await called(row, withBot, token), 'INVALID_COMMAND', row.unavailable?.since ?? '?')
  })
})

describe('the sandbox judges by the same rows', () => {
  const asked = async (row: EndpointRow, authorization: string | undefined): Promise<readonly unknown[]> => {
    const args = await argsFor(row, plain)
    const opened =
      row.upload === undefined
        ? args
        : await openUpload(row.upload, args, { trust: 'directory' }, () => Promise.reject(new Error('no upload')))
    const { method, url, headers, body, multipart } = requestBuilder(row, plain.apiBase, 'tests')(opened, undefined)
    const whole = multipart === undefined ? body : await bytesOf(multipart.chunks())
    const reply = await fetch(url, {
      method,
      headers: { ...headers, ...(authorization === undefined ? {} : { authorization }) },
      ...(whole === undefined ? {} : { body: whole }),
    })
    // A 202 is no success either: it says "not yet", in the shape of an error.
    const isError = !reply.ok || reply.status === 202
    const said = isError ? ((await reply.json()) as { readonly code: number }) : undefined
    return [reply.status, said?.code]
  }
  const bearer = async (scopes: readonly string[]): Promise<string> => `Bearer ${await plain.token(scopes)}`
  const bot = `Bot ${BOT_TOKEN}`

  it.each(ofInteractions)('$name: the token of the interaction, with any other credentials', async (row) => {
    for (const authorization of [undefined, 'Bearer no-token', bot]) expect((await asked(row, authorization))[1]).toBeUndefined()
  })
  it.each(withoutToken)('$name: any caller, with any credentials', async (row) => {
    for (const authorization of [undefined, 'Bearer no-token', bot]) expect((await asked(row, authorization))[1]).toBeUndefined()
  })
  it.each(ofUsers)('$name: the least scopes, and the bot', async (row) => {
    expect((await asked(row, await bearer(least(row))))[1]).toBeUndefined()
    expect((await asked(row, bot))[1]).toBe(row.auth === 'user' ? 20_001 : ofBot(row))
  })
  it.each(ofBots)('$name: a user, and the bot', async (row) => {
    expect(await asked(row, await bearer(['identify']))).toEqual([403, 20_002])
    expect((await asked(row, bot))[1]).toBe(ofBot(row))
  })
})
