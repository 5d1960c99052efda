/** Calls every row of the public API description through the real daemon. A third-party mock server for that description accepts each request. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { COMMANDS, type EndpointName, ENDPOINTS, type EndpointRow, SCOPES } from '@sallyport/protocol'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DIFFERENCES, NOT_LISTED, SAMPLES, VALUES } from '../conformance/openapi/differences.ts'
import { samplesOf } from '#test/support/row-samples.ts'
import { type Daemon, type Folders, folders, SOURCE, startDaemon } from './support/daemon.ts'
import { type Judge, startJudge } from './support/judge.ts'
import { RawClient } from './support/raw-client.ts'
import { APPLICATION } from './support/walked-daemon.ts'

const file = process.env['SALLYPORT_TEST_OPENAPI']

/** What makes a daemon sign in: whose the token is. All scopes there are. */
const JUDGED = { id: APPLICATION, name: 'Judged', description: '', icon: null, bot_public: true, verify_key: '0'.repeat(64), flags: 0 }
const SIGN_IN = {
  'GET /oauth2/@me': {
    application: JUDGED,
    scopes: Object.entries(SCOPES).flatMap(([name, { kind }]) => (kind === 'oauth' ? [name] : [])),
    expires: '2099-01-01T00:00:00.000000+00:00',
    user: { id: '80351110224678912', username: 'judge', discriminator: '0', global_name: null, avatar: null },
  },
  'GET /applications/@me': JUDGED,
}

const differs = ({ name }: EndpointRow, what: RegExp): boolean =>
  DIFFERENCES.some(({ rows, found }) => rows.some((row) => row === name) && what.test(found))
const rows = Object.values<EndpointRow>(ENDPOINTS).filter(
  (row) => row.unavailable === undefined && Object.hasOwn(COMMANDS, row.name) && !differs(row, new RegExp(NOT_LISTED)),
)

describe('a mock server made from the public description', () => {
  let at: Folders
  let daemon: Daemon
  let judge: Judge
  let game: RawClient

  beforeAll(async () => {
    if (file === undefined) return
    at = await folders()
    judge = await startJudge(file, SIGN_IN)
    const profile = join(at.base, 'judged.json')
    const origin = new URL(judge.baseUrl).origin
    writeFileSync(
      profile,
      JSON.stringify({
        name: 'judged',
        ipcPrefix: 'discord-ipc',
        baseUrl: judge.baseUrl,
        authorizeUrl: `${origin}/oauth2/authorize`,
        tokenUrl: `${judge.baseUrl}/oauth2/token`,
        revokeUrl: `${judge.baseUrl}/oauth2/token/revoke`,
        cdnHost: '127.0.0.1',
        activityProxyHost: '127.0.0.1',
        userAgent: 'DiscordBot (judged, 1)',
        customSchemePrefix: 'judged',
      }),
    )
    daemon = await startDaemon(SOURCE, at, ['--platform', profile, '--consent', 'deny'], { SALLYPORT_BOT_TOKEN: 'of-the-judged' })
    game = await RawClient.ready(daemon.socket, { client_id: APPLICATION, contract: '1.0' })
    const { evt, data } = await game.call('AUTHENTICATE', { access_token: 'of-a-judged-user' })
    expect(evt, JSON.stringify(data)).toBeNull()
  })
  afterAll(async () => {
    if (file === undefined) return
    game.hangUp()
    await daemon.stop()
    await judge.stop()
    await at.remove()
  })
  beforeEach((context) => context.skip(file === undefined, 'SALLYPORT_TEST_OPENAPI names no file with the public API description.'))

  it.each(rows)('accepts $name', async (row) => {
    const samples = SAMPLES[row.name as EndpointName] ?? samplesOf(row, VALUES[row.name as EndpointName])
    for (const args of samples) {
      const before = judge.verdicts.length
      const answer = await game.call(row.name, args)
      const verdicts = judge.verdicts.slice(before).filter(({ operation }) => operation.startsWith(row.method))
      expect(
        verdicts.length,
        `nothing was sent for ${JSON.stringify(args).slice(0, 300)}: ${JSON.stringify(answer).slice(0, 500)}`,
      ).toBeGreaterThan(0)
      if (differs(row, /^(?:body|query)/)) continue
      for (const { operation, violations } of verdicts) {
        expect(violations, `${operation} with ${JSON.stringify(args).slice(0, 500)}`).toEqual([])
      }
    }
  })
})
