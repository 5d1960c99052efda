/** Properties of every command that only the desktop client serves, while none is connected: scopes, arguments, and error 1001. */
import { COMMANDS, type CommandRow, ERRORS, type ScopeName, satisfies } from '@sallyport/protocol'
import { describe, expect, it } from 'vitest'
import { Game, testBridge } from '#test/support/bridge.ts'
import { valuesOf } from '#test/support/row-samples.ts'
import { tokenOf } from '#test/support/tokens.ts'
import { isOfDesktopClient } from './covered.ts'

/** What a game has without a sign-in, and what every sign-in adds. */
const LOCAL = ['rpc.local'] as const satisfies readonly ScopeName[]
const SIGNED_IN = [...LOCAL, 'rpc.authenticated', 'identify'] as const satisfies readonly ScopeName[]

const rows = Object.values<CommandRow>(COMMANDS).filter(isOfDesktopClient)
const scoped = rows.filter(({ requires }) => !satisfies(requires, new Set(LOCAL)))

const argumentsOf = ({ args }: CommandRow): readonly object[] => valuesOf(args) as readonly object[]
const requiredOf = ({ args }: CommandRow): readonly string[] =>
  (args.safeParse({}).error?.issues ?? []).flatMap(({ path }) => (path.length === 1 ? path.map(String) : []))

async function signedIn(scopes: readonly ScopeName[] | undefined): Promise<Game> {
  const game = Game.connected(testBridge())
  if (scopes !== undefined)
    expect(await game.ask('AUTHENTICATE', { access_token: tokenOf(['identify', ...scopes]) })).toMatchObject({ evt: null })
  return game
}

/** A sign-in for each alternative of the scopes; without any, if the local connection is enough. */
const signInsOf = ({ requires }: CommandRow): readonly (readonly ScopeName[] | undefined)[] =>
  satisfies(requires, new Set(LOCAL)) ? [undefined] : requires

it('the rows are those of voice, channels, the overlay, the store and settings', () => {
  expect(rows.length).toBeGreaterThan(30)
  expect(scoped.length).toBeGreaterThan(10)
})

describe('without the desktop client', () => {
  it.each(rows)('$name fails with 1001, and names the desktop client', async (row) => {
    for (const scopes of signInsOf(row)) {
      const game = await signedIn(scopes)
      for (const args of argumentsOf(row)) {
        const { evt, data } = await game.ask(row.name, args)
        expect({ evt, code: data.code }, data.message).toEqual({ evt: 'ERROR', code: ERRORS.SERVICE_UNAVAILABLE.code })
        expect(data.message).toContain('desktop client')
      }
    }
  })

  it.each(scoped)('$name is refused without each of its scopes, by their names', async (row) => {
    const alternatives = row.requires.flatMap((set) => set.map((left) => set.filter((scope) => scope !== left)))
    for (const scopes of [undefined, ...alternatives.filter((held) => !satisfies(row.requires, new Set([...SIGNED_IN, ...held])))]) {
      const { data } = await (await signedIn(scopes)).ask(row.name, argumentsOf(row)[0])
      expect(data.code, data.message).toBe(ERRORS.INVALID_PERMISSIONS.code)
      for (const scope of row.requires.flat()) expect(data.message).toContain(scope)
    }
  })

  it.each(rows.filter((row) => requiredOf(row).length > 0))('$name is refused without a required argument, by its path', async (row) => {
    const game = await signedIn(signInsOf(row)[0])
    for (const name of requiredOf(row)) {
      const { [name]: _, ...args } = argumentsOf(row)[0] as Readonly<Record<string, unknown>>
      expect((await game.ask(row.name, args)).data).toMatchObject({ code: ERRORS.INVALID_PAYLOAD.code, path: name })
    }
  })
})
