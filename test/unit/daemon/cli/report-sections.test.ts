/** What a report of an error takes from the bridge, and what stays out. */
import { expect, test } from 'vitest'
import type { CallTrace } from '@sallyport/protocol'
import { listed, reportText, stateLines, traceLines } from '#daemon/src/cli/report-sections.ts'
import { SAMPLE_STATE } from '#test/support/bridge-state.ts'

/** The values below names that hold texts of users. */
function personalIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === 'string' && ['username', 'user_id', 'sender', 'details', 'url', 'claimed_name', 'activity'].includes(key)
      ? [inner]
      : personalIn(inner),
  )
}

test('the state is reported without names, ids and texts of users', () => {
  const personal = personalIn(SAMPLE_STATE)
  expect(personal.length).toBeGreaterThan(5)
  const lines = stateLines(SAMPLE_STATE)
  for (const text of personal) expect(lines.join('\n')).not.toContain(JSON.stringify(text))
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ version: SAMPLE_STATE.version, platform: SAMPLE_STATE.platform })
  expect(JSON.parse(lines[1] ?? '').counts).toMatchObject({ grants: SAMPLE_STATE.grants.length, accounts: SAMPLE_STATE.accounts.length })
  expect(lines.filter((line) => line.startsWith('{"game"'))).toHaveLength(SAMPLE_STATE.games.length)
  expect(lines.filter((line) => line.startsWith('{"warning"'))).toHaveLength(SAMPLE_STATE.warnings.length)
})

test('a call is reported without response and user, and with the form of its arguments only', () => {
  const call: CallTrace = {
    id: 'c1-2',
    kept: 'whole',
    at: 5,
    connection: 1,
    application_id: '42',
    cmd: 'SEND_LOBBY_MESSAGE',
    result: 'error',
    request: { cmd: 'SEND_LOBBY_MESSAGE', args: { content: 'a private text' } },
    response: { content: 'a private text' },
    token: { kind: 'user', user_id: '77', reason: 'The session is signed in.' },
    error: { code: 4006, message: 'Sign in.' },
  }
  expect(traceLines([call]).map((line) => JSON.parse(line))).toEqual([
    {
      id: 'c1-2',
      kept: 'whole',
      at: 5,
      connection: 1,
      application_id: '42',
      cmd: 'SEND_LOBBY_MESSAGE',
      result: 'error',
      error: { code: 4006, message: 'Sign in.' },
      request: { cmd: 'SEND_LOBBY_MESSAGE', args: { content: 'a aaaaaaa aaaa' } },
      token: { kind: 'user', reason: 'The session is signed in.' },
    },
  ])
})

test('the file has each section under its name, with the home folder as ~', () => {
  const sections = [
    { name: 'versions', holds: 'what runs', lines: ['{"a":"/home/ada/x"}', '{}'] },
    { name: 'log', holds: 'the log', lines: [] },
  ]
  expect(reportText(sections, '/home/ada')).toBe('== versions: what runs\n{"a":"~/x"}\n{}\n\n== log: the log\n')
  expect(reportText([{ name: 'x', holds: 'y', lines: [JSON.stringify(String.raw`C:\Users\ada\x`)] }], String.raw`C:\Users\ada`)).toContain(
    JSON.stringify(String.raw`~\x`),
  )
  expect(reportText(sections, '/')).toContain('/home/ada/x')
  expect(listed(sections)).toEqual(['versions       2 lines  what runs', 'log            0 lines  the log'])
})
