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
  ['godot4 --path /games/dockside', '/games/dockside'],
  ['gjs -I modules game.js', 'game.js'],
  ['love-11.4 /games/dockside', '/games/dockside'],
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
  'godot4 scene.tscn',
  'bash /usr/bin/python3 game.py',
  'java -jar',
  'wine64 explorer',
  'deno eval code',
])('%s names no file', (line) => expect(wordOf(line)).toBeUndefined())

const GAMES = `
  supertux2 nodeclash pythonland lovers java-quest winery shell-shock godotquest godot-heroes Godot_voyage lovelace rubyrush perlescent
  qemu-system-x86_64 qemu-img boxing ldquest fishing mashed crash dash-2 wine64quest monopoly dotnetgame
`

test('a game with its own program file is no interpreter, even with a similar name', () => {
  for (const name of words(GAMES)) expect(isInterpreter(name)).toBe(false)
})

/** Names of program files in Debian 12 and 13, links resolved, and of the projects' own releases. */
const NAMES = `
  node nodejs bun deno electron electron30
  python3.11 python3.13 python3.13t python3.11-dbg pypy3 pypy3.9 pypy3-c ruby3.1 ruby3.3 jruby perl perl5.36.0 perl5.40-x86_64-linux-gnu
  bash rbash dash zsh zsh5 zsh-static ksh93 mksh lksh fish posh yash sh
  lua5.1 lua5.2 lua5.3 lua5.4 lua luajit luajit-2.1.0-beta3 tclsh8.6 tclsh9.0 wish8.6
  php8.2 php8.4 php-cgi8.2 java mono mono-sgen dotnet gjs gjs-console
  love love-11.4 love-11.5 godot godot3 godot4 godot3-runner Godot_v4.3-stable_linux.x86_64 Godot_v4.4-stable_mono_linux.x86_64
  wine wine64 wine-preloader wine64-preloader
`
/** Those whose command line does not name the game. */
const OPAQUE = `
  ld-linux-x86-64.so.2 ld-linux.so.2 ld-linux-aarch64.so.1 ld-2.36.so ld.so ld-musl-x86_64.so.1
  busybox busybox.static box64 box86 box64-rpi4arm64 qemu-x86_64 qemu-x86_64-static qemu-aarch64 qemu-i386 FEXInterpreter
  scummvm retroarch dosbox dosbox-x mednafen beam.smp expect mawk gawk guile guile-3.0 Rscript octave-cli sbcl
`
const words = (text: string): readonly string[] => text.trim().split(/\s+/)

test('every interpreter is one under all its names', () => {
  expect(words(NAMES + OPAQUE).filter((name) => !isInterpreter(name))).toEqual([])
})

test('no file is found for a program whose command line does not name the game', () => {
  for (const name of words(OPAQUE)) expect(scriptWordOf(name, [name, '/games/dockside']), name).toBeUndefined()
})

test('the project of Godot is the file in the folder that --path names', () => {
  expect(scriptWordOf('godot4', ['godot4', '--path', '/games/dockside'])).toEqual({
    word: '/games/dockside',
    inFolder: 'project.godot',
    isWindowsPath: false,
  })
})
