/** Of what a user wrote, a report has the form only. */
import { REDACTED, UNKNOWN } from '@sallyport/core/redacted'
import { COMMANDS } from '@sallyport/protocol'
import { expect, test } from 'vitest'
import { sameForm, withoutTexts } from '#daemon/src/cli/report-texts.ts'

test.each([
  ['At the pier, 7:30!', 'aa aaa aaaa, 1:11!'],
  ['Größe 漁港 🎣🐟', 'aaééa 字字 \u{20000}\u{20000}'],
  ['https://example.test/a?b=7', 'https://aaaaaaa.aaaa/a?a=1'],
  ['data:image/png;base64,iVBOR==', 'data:image/png;base64,aaaaa=='],
  ['81384788765712384', '11111111111111111'],
  ['2025-12-21T12:00:00.000Z', '2025-12-21T12:00:00.000Z'],
  [REDACTED, REDACTED],
  [UNKNOWN, UNKNOWN],
  ['', ''],
])('%s becomes %s', (text, form) => {
  expect(sameForm(text)).toBe(form)
  for (const size of [(one: string) => one.length, (one: string) => Array.from(one).length, (one: string) => Buffer.byteLength(one)])
    expect(size(form)).toBe(size(text))
})

test('words that the tables list stay; texts, and names that a game chooses, do not', () => {
  expect(
    withoutTexts({
      cmd: 'CREATE_OR_JOIN_LOBBY',
      args: { secret: REDACTED, lobby_metadata: { 'my-key': 'my value' }, flags: 7, more: UNKNOWN },
    }),
  ).toEqual({
    cmd: 'CREATE_OR_JOIN_LOBBY',
    args: expect.objectContaining({ secret: REDACTED, lobby_metadata: { 'aa-aaa': 'aa aaaaa' } }) as object,
  })
  expect(withoutTexts({ cmd: 'GET_PROVISIONAL_TOKEN', args: { external_auth_type: 'OIDC', external_auth_token: REDACTED } })).toEqual({
    cmd: 'GET_PROVISIONAL_TOKEN',
    args: { external_auth_type: 'OIDC', external_auth_token: REDACTED },
  })
  expect(withoutTexts({ cmd: 'SUBSCRIBE', evt: 'GUILD_STATUS', args: { guild_id: '81384788765712384' } })).toEqual({
    cmd: 'SUBSCRIBE',
    evt: 'GUILD_STATUS',
    args: { guild_id: '11111111111111111' },
  })
})

test.each(Object.keys(COMMANDS))('%s: no text of a user stays, wherever it stands', (cmd) => {
  const PLANTED = 'planted text'
  const args = { state: PLANTED, list: [PLANTED], [PLANTED]: { deep: PLANTED }, activity: { state: PLANTED, party: { id: PLANTED } } }
  expect(JSON.stringify(withoutTexts({ cmd, args }))).not.toContain(PLANTED)
})
