/** `sallyport replay --report`: which files and which calls are refused, without a bridge. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CallTrace } from '@sallyport/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCli } from '#daemon/src/cli/cli.ts'
import { CLI_COMMANDS } from '#daemon/src/cli/commands.ts'
import { guardOf } from '#daemon/src/cli/replay-plan.ts'
import { planOf } from '#daemon/src/cli/report-plan.ts'
import { fakeIo } from './fake-io.ts'

let path: string
beforeAll(() => {
  path = join(mkdtempSync(join(tmpdir(), 'sallyport-report-')), 'report.txt')
})
afterAll(() => rmSync(join(path, '..'), { recursive: true }))

async function replayed(text: string, ...words: readonly string[]) {
  writeFileSync(path, text)
  const io = fakeIo()
  const code = await runCli(['replay', '--report', path, '--json', ...words], io, CLI_COMMANDS)
  return { code, said: io.said.join('\n'), printed: io.printed }
}

test('calls that a report cannot replay are named, and no call at all is no success', async () => {
  const call = { id: 'c1-1', kept: 'failure', at: 1, connection: 1, cmd: 'GET_GUILD', result: 'error' }
  const { code, said, printed } = await replayed(`== versions: x\n{}\n\n== calls: x\n${JSON.stringify(call)}\n\n== log: x\n{"id":5}\n`)
  expect([code, printed]).toEqual([
    1,
    [JSON.stringify({ compared: 0, skipped: ['GET_GUILD (c1-1), of which only the failure was kept'], differing: [] })],
  ])
  expect(said).toContain('--trace on')
})

test.each([
  ['is no report', 'hello\n', 'is not a report'],
  ['has a call that is none', '== calls: x\n{"id":5}\n', 'call 1 is not as sallyport bugreport writes it'],
  ['has data too deep to compare', `== calls: x\n${'['.repeat(500)}${']'.repeat(500)}\n`, 'call 1 is not'],
])('a file that %s is refused', async (_, text, why) => {
  expect(await replayed(text)).toMatchObject({ code: 2, said: expect.stringContaining(why) as string })
})

test('a report is not played to the bridge of the user', async () => {
  expect(await replayed('== calls: x\n', '--against', 'running')).toMatchObject({
    code: 2,
    said: expect.stringContaining('leave out') as string,
  })
})

describe('a call is not played', () => {
  const CALL: CallTrace = {
    id: 'c1-1',
    kept: 'whole',
    at: 1,
    connection: 1,
    cmd: 'GET_GUILD',
    result: 'error',
    request: { cmd: 'GET_GUILD', args: { guild_id: '1' } },
    error: { code: 4000, message: 'No.' },
  }
  const leg = { method: 'GET', path: '/x', after_ms: 0, ms: 0 }
  test.each<[string, Partial<CallTrace>, string]>([
    ['whose message was too large', { request: undefined }, 'too large'],
    ['of a bot', { token: { kind: 'bot', reason: 'x' } }, 'acts for a bot'],
    [
      'after a reply that succeeded',
      {
        requests: [
          { ...leg, status: 200 },
          { ...leg, status: 500 },
        ],
      },
      'replies of the platform',
    ],
    ['that a limit kept back', { error: { code: 5011, message: 'x', retry_after: 5 } }, 'earlier calls'],
    ['that registers a program', { cmd: 'REGISTER_LAUNCH_COMMAND', request: { args: { command: '/bin/true' } } }, '--allow launch'],
    ['that brings a token', { cmd: 'AUTHENTICATE', request: { args: { access_token: 'of a stranger' } } }, '--allow tokens'],
  ])('%s', (_, more, why) => expect(planOf({ ...CALL, ...more }, guardOf([]))).toContain(why))
})
