import { expect, test } from 'vitest'
import { unlistedScript } from '#daemon/src/identity/unlisted-script.ts'

const HEADS: Readonly<Record<string, string>> = {
  start: '#!/b',
  program: '\u007fELF',
  'old-program': 'MZ\u0090\u0000',
  bytecode: '\u001bLJ\u0002',
  'level.dat': 'LEVL',
  'save.zip': 'PK\u0003\u0004',
}
const scriptOf = (line: string) => unlistedScript(line.split(' '), (word) => HEADS[word] ?? '')

test.each([
  // Interpreters of the table under another name.
  ['./mygame a.py', 'a.py'],
  ['./mygame -u -X dev a.py', 'a.py'],
  ['./mygame -u -X dev start', 'start'],
  ['./mygame -E -OO a.pyc', 'a.pyc'],
  ['./mygame -w a.pl', 'a.pl'],
  ['./mygame -e a.sh', 'a.sh'],
  ['./mygame --check-hash-based-pycs default a.py', 'a.py'],
  ['./mygame --require hook.js game.js', 'game.js'],
  ['./mygame --max-old-space-size=64 game.mjs --fast', 'game.mjs'],
  ['./mygame -- -odd.js', '-odd.js'],
  ['./mygame a.lua', 'a.lua'],
  ['./mygame -Xmx1g -jar game.jar --window', 'game.jar'],
  ['./mygame --main-pack game.pck', 'game.pck'],
  ['./mygame dockside.love', 'dockside.love'],
  ['./mygame --config c.xml game.exe', 'game.exe'],
  ['./mygame game.dll', 'game.dll'],
  ['./mygame game.nes', 'game.nes'],
  ['C:\\Games\\game.exe', 'C:\\Games\\game.exe'],
  // A kernel starts an interpreter with the script's path.
  ['./mygame start', 'start'],
  ['./mygame program a', 'program'],
  ['./mygame old-program', 'old-program'],
  ['./mygame bytecode', 'bytecode'],
])('%s runs %s', (line, word) => expect(scriptOf(line)).toBe(word))

test.each([
  'supertux2',
  'supertux2 level.stl',
  'game --level map.lua',
  'game --script=map.lua',
  'game level.dat',
  'game save.zip',
  'Game.x86_64 -screen-width 800 -screen-height 600',
  'doom -file mod.wad',
  'openttd -g save.sav',
  'runner -game data.win',
  'quake +map q3dm17 +exec autoexec.cfg',
  'game discord-123://join',
  'game --fullscreen --',
  'factorio --mod-directory /home/mia/mods --load-game /home/mia/a.zip',
  'mygame --type=renderer --no-sandbox',
])('%s is a native game', (line) => expect(scriptOf(line)).toBeUndefined())

test('looks at a few files only', () => {
  const seen: string[] = []
  const look = (word: string) => {
    seen.push(word)
    return ''
  }
  expect(unlistedScript(['game', '', ...Array.from({ length: 1000 }, (_, index) => `${index}`)], look)).toBeUndefined()
  expect(seen).toEqual(['0', '1', '2', '3', '4', '5', '6', '7'])
})
