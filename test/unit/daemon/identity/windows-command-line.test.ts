import { expect, test } from 'vitest'
import { wordsOfLine } from '#daemon/src/identity/windows-command-line.ts'

test.each([
  ['game.exe', ['game.exe']],
  ['', ['']],
  ['"C:\\Program Files\\node.exe" game.js', ['C:\\Program Files\\node.exe', 'game.js']],
  ['"C:\\a\\"b c', ['C:\\a\\', 'b', 'c']],
  ['node   --inspect\t"C:\\my games\\a b.js"  x ', ['node', '--inspect', 'C:\\my games\\a b.js', 'x']],
  ['n "a b"c', ['n', 'a bc']],
  ['n a\\\\b d"e f"g h', ['n', 'a\\\\b', 'de fg', 'h']],
  ['n a\\\\\\"b c', ['n', 'a\\"b', 'c']],
  ['n a\\\\\\\\"b c" d e', ['n', 'a\\\\b c', 'd', 'e']],
  ['n "ab\\"c" "\\\\" d', ['n', 'ab"c', '\\', 'd']],
  ['n "" x', ['n', '', 'x']],
  ['n a"b"" c d', ['n', 'ab" c d']],
  ['n "C:\\folder\\\\"', ['n', 'C:\\folder\\']],
  ['n "open', ['n', 'open']],
])('%j is %j', (line, words) => {
  expect(wordsOfLine(line)).toEqual(words)
})
