import { expect, test } from 'vitest'
import { isInterpreter, scriptWordOf } from '#daemon/src/identity/interpreters.ts'

const wordOf = (line: string): string | undefined => {
  const argv = line.split(' ')
  return scriptWordOf((argv[0] ?? '').split('/').at(-1) ?? '', argv)?.word
}

test.each([
  ['/usr/bin/node game.js --fast', 'game.js'],
  ['node --require ./hook.js --max-old-space-size=64 game.js', 'game.js'],
  ['nodejs -- -odd.js', '-odd.js'],
  ['bun run game.ts', 'game.ts'],
  ['deno run --allow-net game.ts', 'game.ts'],
  ['/usr/bin/python3.11 -u -X dev /games/game.py', '/games/game.py'],
  ['pypy3 game.py', 'game.py'],
  ['ruby -I lib game.rb', 'game.rb'],
  ['perl -w game.pl', 'game.pl'],
  ['bash -e game.sh', 'game.sh'],
  ['sh ./game.sh', './game.sh'],
  ['luajit game.lua', 'game.lua'],
  ['java -Xmx1g -jar game.jar --window', 'game.jar'],
  ['mono --config c.xml game.exe', 'game.exe'],
  ['dotnet exec --depsfile d.json game.dll', 'game.dll'],
  ['dotnet game.dll', 'game.dll'],
  ['love /games/dockside', '/games/dockside'],
  ['godot4 --main-pack game.pck', 'game.pck'],
  ['electron --no-sandbox app', 'app'],
  ['wine64-preloader C:\\Games\\game.exe', 'C:\\Games\\game.exe'],
])('%s runs %s', (line, word) => expect(wordOf(line)).toBe(word))

test.each([
  'node',
  'node -e code',
  'node --eval code game.js',
  'python3 -c code',
  'python3 -m game',
  'python3 -',
  'perl -e code',
  'bash -c code',
  'bash',
  'java -cp game.jar Main',
  'godot4 --path /games/dockside',
  'wine64 explorer',
  'deno eval code',
])('%s names no file', (line) => expect(wordOf(line)).toBeUndefined())

test('a game with its own program file is no interpreter, even with a similar name', () => {
  for (const name of ['supertux2', 'nodeclash', 'pythonland', 'lovers', 'java-quest', 'winery', 'shell-shock'])
    expect(isInterpreter(name)).toBe(false)
})
