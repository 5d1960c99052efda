import { describe, expect, test } from 'vitest'
import { toDisplayName, toDisplayPath, escapeInvisible, escapeUnseen } from '@sallyport/core/display-text'

describe('invisible characters are escaped', () => {
  test.each([
    ['a control character', 'a\u001b[2J', String.raw`a\u{1b}[2J`],
    ['a line break', 'a\nb\rc', String.raw`a\u{a}b\u{d}c`],
    ['a mark that turns letters around', '/opt/\u202egpj', String.raw`/opt/\u{202e}gpj`],
    ['a bidirectional isolate', '\u2066x\u2069', String.raw`\u{2066}x\u{2069}`],
    ['a character of no width', 'goo\u200bgle', String.raw`goo\u{200b}gle`],
    ['separators of lines and paragraphs', 'a\u2028b\u2029', String.raw`a\u{2028}b\u{2029}`],
    ['an unusual space', 'a\u00a0b\u3000c', String.raw`a\u{a0}b\u{3000}c`],
    ['letters that show nothing', '\u3164\u115f\u2800', String.raw`\u{3164}\u{115f}\u{2800}`],
    ['half of a pair', 'a\ud800b', String.raw`a\u{d800}b`],
    ['characters that fonts make up', '\ue000', String.raw`\u{e000}`],
    ['tags beyond the first plane', '\u{e0041}', String.raw`\u{e0041}`],
    ['marks that pile up', `e${'\u0301'.repeat(6)}`, `e${'\u0301'.repeat(4)}${String.raw`\u{301}\u{301}`}`],
    ['a space at the beginning', ' a b', String.raw`\u{20}a b`],
    ['a run of spaces', 'a    b', String.raw`a  \u{20}\u{20}b`],
  ])('%s', (_, text, expected) => {
    expect(escapeInvisible(text)).toBe(expected)
  })
  test('other characters are kept', () => {
    for (const text of ['/usr/games/supertux2', 'Program Files (x86)', 'Größe', 'игра', 'ゲーム', '한국', '🎮', 'a  b'])
      expect(escapeInvisible(text)).toBe(text)
  })
})

describe('long text is truncated', () => {
  test('a name at the end', () => {
    expect(toDisplayName('x'.repeat(64))).toBe('x'.repeat(64))
    expect(toDisplayName('x'.repeat(65))).toBe(`${'x'.repeat(63)}…`)
    expect(toDisplayName('x'.repeat(2000))).toBe(`${'x'.repeat(63)}…`)
    expect(Array.from(toDisplayName('\n'.repeat(60)))).toHaveLength(64)
  })
  test('a path in the middle, with the number of omitted characters', () => {
    const long = `/tmp/evil${' '.repeat(2300)}/usr/games/supertux2`
    const shown = toDisplayPath(long)
    expect(shown.length).toBeLessThanOrEqual(260)
    expect(shown).toMatch(/^\/tmp\/evil {2}\\u\{20\}.*…\(\d{4} more\)….*\/usr\/games\/supertux2$/)
    expect(toDisplayPath('/a'.repeat(128))).toBe('/a'.repeat(128))
    expect(toDisplayPath('/a'.repeat(200))).toMatch(/^(?:\/a)+…\(\d+ more\)…(?:\/a)+$/)
  })
  test('before it is escaped', () => {
    expect(toDisplayPath('\u202e'.repeat(10_000_000)).length).toBeLessThan(300)
  })
})

describe('text of several lines', () => {
  const UNSEEN = [
    '\u009b31m',
    '\u0085',
    '\u202e',
    '\u2066',
    '\u200b',
    '\u001b]0;x\u0007',
    '\ufeff',
    '\u{e0041}',
    '\ud800',
    '\u2028',
    '\r',
    '\u007f',
  ]
  test.each(UNSEEN)('has %j as an escape', (text) => {
    const shown = escapeUnseen(`a\t b\n  ${text}`)
    expect(shown).toMatch(/^a\t b\n {2}[\x20-\x7e]+$/)
    expect(JSON.parse(`"${escapeUnseen(text)}"`)).toBe(text)
  })
  test('as JSON parses to the same value', () => {
    const data = { [UNSEEN.join('')]: UNSEEN, ü: 'Größe 한국 🎮' }
    const json = escapeUnseen(JSON.stringify(data, null, 2))
    expect(JSON.parse(json)).toEqual(data)
    expect(json).toContain('Größe 한국 🎮')
  })
})
