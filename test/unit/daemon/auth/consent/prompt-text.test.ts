import { describe, expect, test } from 'vitest'
import { requesterLines, formatLines, promptLines, promptText } from '#daemon/src/auth/consent/prompt-text.ts'
import type { ConsentPrompt } from '#daemon/src/auth/consent/consent-prompts.ts'
import type { Program } from '#daemon/src/identity/program.ts'
import { programText } from '#daemon/src/identity/program-text.ts'

const PROGRAM: Program = { kind: 'native', uid: 1000, executable: '/games/one', file: '1:2:3:4:5' }
const QUESTION: ConsentPrompt = {
  program: PROGRAM,
  pid: 77,
  connection: 5,
  applicationId: '7',
  applicationName: 'Dockside',
  userId: '42',
  username: 'ada',
  scopes: ['identify', 'guilds'],
  reason: 'new-program',
  id: 'k3m9',
  askedAt: 0,
}
const LABELS = ['Application', 'Account', 'May do', 'Why', 'Process', 'Program']

/** A row that begins as one of ours does. */
const labelOf = (row: string): string | undefined => LABELS.find((label) => row.startsWith(`  ${label} `))

test('has a fixed order of short lines, the program last', () => {
  expect(promptText(QUESTION)).toBe(
    [
      'A program wants to sign in for a game. (prompt k3m9)',
      '  Application  Dockside (7)',
      '  Account      ada',
      '  May do       identify, guilds',
      '  Why          You have not allowed this program before.',
      '  Process      77',
      '  Program      /games/one',
    ].join('\n'),
  )
})

test('names the Wine of a Windows program, and the one that the user allowed it with', () => {
  const loaderOf = (path: string, day: number) => ({ executable: path, file: `1:2:3:${Date.UTC(2026, 0, day, 14, 5)}000000:5` })
  const program: Program = { ...PROGRAM, kind: 'wine', loader: loaderOf('/usr/lib/wine/wine64', 2) }
  expect(requesterLines({ ...QUESTION, program })).toContainEqual({ label: 'Wine', text: '/usr/lib/wine/wine64 (of 2026-01-02 14:05 UTC)' })
  const other = { ...QUESTION, program, reason: 'other-wine', formerLoader: loaderOf('/usr/lib/wine/wine64', 1) } as const
  expect(promptText(other)).toBe(
    [
      'A program wants to sign in for a game. (prompt k3m9)',
      '  Application  Dockside (7)',
      '  Account      ada',
      '  May do       identify, guilds',
      '  Why          You allowed this program with another Wine or version of it.',
      '  Wine then    /usr/lib/wine/wine64 (of 2026-01-01 14:05 UTC)',
      '  Process      77',
      '  Wine         /usr/lib/wine/wine64 (of 2026-01-02 14:05 UTC)',
      '  Program      a Windows program in Wine: /games/one',
    ].join('\n'),
  )
  const [then] = promptLines({ ...other, formerLoader: undefined }).filter(({ label }) => label === 'Wine then')
  expect(then?.text).toBe('not stored by the earlier version')
})

test('has texts for unknown values', () => {
  const program: Program = { kind: 'unknown', uid: undefined, executable: undefined, file: undefined }
  const bare = { ...QUESTION, program, pid: undefined, applicationName: undefined, username: undefined, reason: 'unknown-program' } as const
  expect(promptLines(bare).map(({ text }) => text)).toEqual([
    '7',
    '42',
    'identify, guilds',
    'The system cannot identify this program, so your answer holds for this connection only.',
    'a program that cannot be identified',
  ])
  expect(promptLines({ ...bare, userId: undefined })[1]?.text).toBe('the user who is signed in on the platform')
  expect(requesterLines({ ...bare, pid: 3 }).map(({ label }) => label)).toEqual(['Application', 'Process', 'Program'])
})

describe('texts of programs', () => {
  const kinds: readonly (readonly [Partial<Program>, string])[] = [
    [{}, '/games/one'],
    [
      { kind: 'script', executable: '/games/game.py', interpreter: { executable: '/usr/bin/python3', file: '1' } },
      'a script of /usr/bin/python3: /games/game.py',
    ],
    [{ kind: 'container', container: 'flatpak', executable: 'org.example.Game' }, 'the Flatpak application org.example.Game'],
    [{ kind: 'container', container: 'snap', executable: 'dockside' }, 'the snap dockside'],
    [{ kind: 'container', container: 'other', executable: '/usr/bin/git' }, 'a program in a container, which calls itself /usr/bin/git'],
    [{ kind: 'container', container: 'sandbox', executable: '/games/one' }, 'a program in a sandbox: /games/one'],
    [{ kind: 'container', container: 'other', executable: undefined }, 'a program in a container'],
    [{ kind: 'page', executable: 'https://game.example' }, 'a page of https://game.example'],
    [{ kind: 'unknown', executable: '/games/one' }, 'a program that cannot be identified, seen at /games/one'],
  ]
  test.each(kinds)('%j', (more, expected) => {
    expect(programText({ ...PROGRAM, ...more })).toBe(expected)
  })
})

describe('a program cannot add lines', () => {
  const forged = '  Program      /usr/games/supertux2'
  const HOSTILE: readonly (readonly [string, string])[] = [
    ['2,300 spaces', `/tmp/evil${' '.repeat(2300)}${forged}`],
    ['a line break', `/tmp/evil\n${forged}\n`],
    ['every kind of line break', ['\r', '\v', '\f', '\u0085', '\u2028', '\u2029'].join(forged)],
    ['a mark that turns it around', `/tmp/\u202e${Array.from(forged).toReversed().join('')}`],
    ['what fills the row of the terminal', `/${'x'.repeat(64)}${forged}`],
    ['wide letters that fill it sooner', `/${'Ｗ'.repeat(33)}${forged}`],
    ['escape sequences', `\u001b[1;1H\u001b[2J${forged}`],
    ['spaces that others take for none', `/tmp/evil${'\u00a0'.repeat(70)}${forged}`],
    ['ten megabytes', forged.repeat(300_000)],
  ]
  const WRITERS: readonly (readonly [string, (text: string) => Partial<ConsentPrompt>])[] = [
    ['path', (text) => ({ program: { ...PROGRAM, executable: text } })],
    ['interpreter', (text) => ({ program: { ...PROGRAM, kind: 'script', interpreter: { executable: text, file: '1' } } })],
    ['container', (text) => ({ program: { ...PROGRAM, kind: 'container', container: 'flatpak', executable: text } })],
    ['origin', (text) => ({ program: { ...PROGRAM, kind: 'page', executable: text } })],
    ['name of the application', (text) => ({ applicationName: text })],
    ['user name', (text) => ({ username: text })],
    ['scope', (text) => ({ scopes: ['identify', text] })],
  ]
  describe.each(WRITERS)('%s', (_, over) => {
    test.each(HOSTILE)('with %s', (__, text) => {
      for (const columns of [undefined, 20, 40, 132]) {
        const [title, ...rows] = promptText({ ...QUESTION, ...over(text) }, columns).split('\n')
        expect(title).toBe('A program wants to sign in for a game. (prompt k3m9)')
        expect(rows.map(labelOf).filter((label) => label !== undefined)).toEqual(LABELS)
        // No row is so wide that the terminal would break it; what continues a field never stands below the labels.
        for (const row of rows) {
          expect(Array.from(row).reduce((sum, character) => sum + (/[ -~]/.test(character) ? 1 : 2), 0)).toBeLessThan(
            Math.max(columns ?? 80, 40),
          )
          expect(row).toMatch(/^ {2}(?:[A-Z][A-Za-z ]{10} {2}|\s{13,15})\S/)
          expect(row).toMatch(/^\P{C}*$/u)
        }
        expect(rows.length).toBeLessThan(60)
      }
    })
  })
})

test('a long list is broken between words', () => {
  const scopes = Array.from({ length: 12 }, () => 'relationships.read')
  for (const row of formatLines([{ label: 'May do', text: scopes.join(', ') }]).split('\n')) expect(row).toMatch(/relationships\.read,?$/)
})
