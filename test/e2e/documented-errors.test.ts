/** The platform returns every error that a row documents. The game gets the bridge's code with the platform's own, and the connection stays open. */
import { COMMANDS, ENDPOINTS, type EndpointRow, ERRORS } from '@sallyport/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { argsOf } from '#test/support/row-call.ts'
import type { RawClient } from './support/raw-client.ts'
import { World } from './support/row-world.ts'
import { BOT_TOKEN, startWalked, type WalkedDaemon } from './support/walked-daemon.ts'

type ErrorName = keyof typeof ERRORS

/** What each code of the platform is to a game. Codes that are not here say by their HTTP status, 400, that the arguments are wrong. */
const MEANINGS: Readonly<Record<number, ErrorName>> = {
  10003: 'INVALID_CHANNEL',
  10004: 'INVALID_GUILD',
  10006: 'INVALID_INVITE',
  10007: 'INVALID_USER',
  10012: 'INVALID_TOKEN',
  10013: 'INVALID_USER',
  10029: 'INVALID_ENTITLEMENT',
  10031: 'INVALID_LOBBY',
  10097: 'INVALID_SOUND',
  10124: 'INVALID_INVITE',
  10129: 'INVALID_INVITE',
  20012: 'UNAUTHORIZED_FOR_APPLICATION',
  20016: 'RATE_LIMITED',
  20028: 'RATE_LIMITED',
  20029: 'RATE_LIMITED',
  40012: 'NO_CONNECTION_FOUND',
  50001: 'INVALID_PERMISSIONS',
  50013: 'INVALID_PERMISSIONS',
  50020: 'INVALID_INVITE',
  50025: 'INVALID_TOKEN',
  50026: 'INVALID_PERMISSIONS',
  50229: 'INVALID_USER',
  110000: 'SERVICE_UNAVAILABLE',
  110001: 'SERVICE_UNAVAILABLE',
  130000: 'SERVICE_UNAVAILABLE',
}
/** Answered before the thing asked for is ready. */
const NOT_READY = new Set([110_000, 110_001])

const cases = Object.values<EndpointRow>(ENDPOINTS)
  .filter(({ name, unavailable }) => unavailable === undefined && Object.hasOwn(COMMANDS, name))
  .flatMap((row) => row.platformErrors.map((code) => ({ name: row.name, code, row })))

describe('an error that a row documents', () => {
  let daemon: WalkedDaemon
  let world: World
  let game: RawClient

  beforeAll(async () => {
    daemon = await startWalked(BOT_TOKEN)
    world = new World(daemon)
    const scopes = [...new Set(Object.values<EndpointRow>(ENDPOINTS).flatMap(({ requires }) => requires.flat()))]
    game = await daemon.game(await daemon.token(['identify', ...scopes.filter((scope) => !scope.startsWith('rpc.'))]), { contract: '1.0' })
  })
  afterAll(async () => {
    game.hangUp()
    await daemon.stop()
  })

  it('is documented for nearly every row', () => {
    expect(new Set(cases.map(({ name }) => name)).size).toBeGreaterThan(60)
  })

  it.each(cases)('$name: $code', async ({ name, code, row }) => {
    const args = await argsOf(row, world)
    const status = NOT_READY.has(code) ? 202 : 400
    await daemon.control('POST', '/faults', {
      match: { method: row.method, path: row.path },
      status,
      body: JSON.stringify({ code, message: `refused by test ${code}`, retry_after: 2 }),
    })
    try {
      const { evt, data } = await game.call(name, args)
      expect({ evt, platform_code: data.platform_code, http_status: data.http_status }, JSON.stringify(data)).toEqual({
        evt: 'ERROR',
        platform_code: code,
        http_status: status,
      })
      const meaning = Object.entries(ERRORS).find(([, error]) => error.code === data.code)?.[0]
      if (MEANINGS[code] !== undefined) expect(meaning).toBe(MEANINGS[code])
      else
        expect([
          'INVALID_PAYLOAD',
          'INVALID_PERMISSIONS',
          'OAUTH2_ERROR',
          'RATE_LIMITED',
          'SERVICE_UNAVAILABLE',
          'INVALID_TOKEN',
        ]).toContain(meaning)
      expect(data.message).toContain(`refused by test ${code}`)
      expect(await game.call('GET_CURRENT_USER_V2', {})).toMatchObject({ evt: null, data: { username: 'ada' } })
    } finally {
      await daemon.control('DELETE', '/faults')
    }
  })
})
