import { describe, expect, test } from 'vitest'
import { programFacts, starterFacts } from '#daemon/src/identity/linux-program.ts'
import { compareFiles, isKnown, programOf, recognitionKeysOf, shareKey } from '#daemon/src/identity/program.ts'
import { programText } from '#daemon/src/identity/program-text.ts'
import { type FakeFile, procOf, statusOf, unconfinedLinks } from './fake-proc.ts'

const OURS = unconfinedLinks(7)
const FILE = '1:10:3:4:5'

const look = (
  executable: string,
  more: { links?: Record<string, string>; files?: Record<string, string>; stats?: Record<string, FakeFile> } = {},
) =>
  programFacts(
    7,
    procOf({
      links: { ...OURS, '/proc/7/exe': executable, ...more.links },
      files: { '/proc/7/status': statusOf(), '/proc/7/cmdline': `${executable}\0`, ...more.files },
      stats: { '/proc/7/exe': { ino: 10n }, [executable]: { ino: 10n }, ...more.stats },
    }),
  )

test('a native program is its file', () => {
  expect(look('/games/one')).toEqual({ kind: 'native', executable: '/games/one', file: FILE })
})

/** The calls of the system that a look makes, in their order. */
function countedProc(proc: ReturnType<typeof procOf>) {
  const calls: string[] = []
  const counted = new Proxy(proc, {
    get(of, name: keyof typeof proc) {
      if (!['own', 'ownText', 'isUntimed'].includes(name)) calls.push(name)
      return of[name]
    },
  })
  return { calls, counted }
}

test('a native program costs nine calls of the system, because each connection pays them', () => {
  const { calls, counted } = countedProc(
    procOf({
      links: { ...OURS, '/proc/7/exe': '/games/one' },
      files: { '/proc/7/status': statusOf(), '/proc/7/cmdline': '/games/one\0' },
      stats: { '/proc/7/exe': { ino: 10n }, '/games/one': { ino: 10n } },
    }),
  )
  expect(programFacts(7, counted)).toMatchObject({ kind: 'native' })
  const links = Array.from({ length: 4 }, () => 'readlink')
  expect(calls).toEqual(['readlink', 'stat', ...links, 'firstIn', 'stat', 'headText'])
})

test('a program whose file was replaced keeps the path it began with', () => {
  const gone = look('/games/one (deleted)', { stats: { '/proc/7/exe': { ino: 10n, nlink: 0n }, '/games/one': { ino: 11n } } })
  expect(gone).toMatchObject({ kind: 'native', executable: '/games/one' })
})

test('a file that may change without its ctime has its content compared each time, as a script too', () => {
  const untimed: FakeFile = { ino: 10n, isUntimed: true }
  const native = () => programOf(look('/games/one', { stats: { '/proc/7/exe': untimed } }))
  expect(native().file).toMatch(/^1:10:3:4:[?]\d+-\d+$/)
  expect(compareFiles(native(), native())).toBe('ctime-changed')
  const script = () =>
    programOf(
      look('/usr/bin/python3', {
        files: { '/proc/7/cmdline': 'python3\0/games/a.py\0' },
        stats: { '/games/a.py': { ino: 20n, isUntimed: true } },
      }),
    )
  expect(script()).toMatchObject({ kind: 'script', interpreter: { file: FILE } })
  expect(compareFiles(script(), script())).toBe('ctime-changed')
})

test('a path that leads us to another file is no path of ours', () => {
  expect(look('/usr/bin/git', { stats: { '/usr/bin/git': { ino: 99n } } })).toMatchObject({ kind: 'container', container: 'other' })
})

test('a program that sees other files is a container: the path is its own word, the file is not', () => {
  expect(look('/usr/bin/git', { links: { '/proc/7/ns/mnt': 'mnt:[2]' } })).toEqual({
    kind: 'container',
    container: 'other',
    executable: '/usr/bin/git',
    file: `mnt:[2]:${FILE}`,
    namespace: '0',
  })
})

test('a container is counted by its outermost user namespace; all in ours count as one', () => {
  const links = { ...OURS, '/proc/7/exe': '/usr/bin/git', '/proc/7/ns/user': 'user:[9]' }
  const files = { '/proc/7/status': statusOf() }
  const stats = { '/proc/7/exe': { ino: 10n }, '/usr/bin/git': { ino: 10n } }
  expect(programFacts(7, procOf({ links, files, stats, namespaces: { 7: '8' } }))).toMatchObject({ container: 'other', namespace: '8' })
  expect(programFacts(7, procOf({ links, files, stats }))).toMatchObject({ container: 'other', namespace: '0' })
})

test('a program that limited its own rights is no native program, though it sees the same files', () => {
  const confined = look('/games/one', { files: { '/proc/7/status': statusOf({ noNewPrivs: 1 }) } })
  expect(confined).toEqual({ kind: 'container', container: 'other', executable: '/games/one', file: `mnt:[1]:${FILE}`, namespace: '0' })
})

test('a process in thousands of groups, whose rights stand far down in its status', () => {
  const far = (noNewPrivs: number): string =>
    statusOf({ noNewPrivs }).replace('NoNewPrivs', `Groups:\t${'1234567 '.repeat(10_000)}\nNoNewPrivs`)
  expect(look('/games/one', { files: { '/proc/7/status': far(1) } })).toMatchObject({ kind: 'container' })
  expect(look('/games/one', { files: { '/proc/7/status': far(0) } })).toMatchObject({ kind: 'native' })
})

describe('a script', () => {
  const python = (words: readonly string[], more: Parameters<typeof look>[1] = {}) =>
    look('/usr/bin/python3', {
      ...more,
      files: { '/proc/7/cmdline': ['python3', ...words, ''].join('\0') },
      links: { '/proc/7/cwd': '/games', ...more.links },
    })
  const interpreter = { executable: '/usr/bin/python3', file: FILE }

  test('is its own file and its interpreter', () => {
    const stats = { '/games/a.py': { ino: 20n } }
    const expected = { kind: 'script', executable: '/games/a.py', file: '1:20:3:4:5', interpreter }
    expect(python(['/games/a.py'], { stats })).toEqual(expected)
    expect(python(['a.py'], { stats })).toEqual(expected)
    expect(python(['-u', 'link.py'], { stats, links: { '/games/link.py': '/games/a.py' } })).toEqual(expected)
  })

  test('in a folder is the file that begins there', () => {
    const stats: Record<string, FakeFile> = { '/games/app': { ino: 21n, isFolder: true }, '/games/app/__main__.py': { ino: 22n } }
    expect(python(['app'], { stats })).toMatchObject({ kind: 'script', executable: '/games/app/__main__.py' })
  })

  test('that cannot be found leaves the program unknown', () => {
    for (const words of [[], ['-c', 'code'], ['-m', 'game'], ['gone.py']])
      expect(python(words)).toEqual({ kind: 'unknown', executable: '/usr/bin/python3' })
  })

  test('of Wine is the Windows program, by the drives of its prefix', () => {
    const facts = look('/usr/lib/wine/wine64-preloader', {
      files: { '/proc/7/cmdline': 'C:\\Games\\game.exe\0', '/proc/7/environ': 'HOME=/home/mia\0WINEPREFIX=/pre\0' },
      links: { '/pre/dosdevices/c:/Games/game.exe': '/pre/drive_c/Games/game.exe' },
      stats: { '/pre/drive_c/Games/game.exe': { ino: 30n } },
    })
    expect(facts).toMatchObject({ kind: 'script', executable: '/pre/drive_c/Games/game.exe' })
  })
})

describe('a program in no row of the table', () => {
  const copy = (words: readonly string[], stats: Record<string, FakeFile> = {}) =>
    look('/home/mia/mygame', {
      files: { '/proc/7/cmdline': ['./mygame', ...words, ''].join('\0') },
      links: { '/proc/7/cwd': '/home/mia' },
      stats,
    })

  test('that runs a script by its command line is unknown, and says why', () => {
    const facts = copy(['-u', 'a.py'])
    const interpreter = { executable: '/home/mia/mygame', file: FILE }
    expect(facts).toEqual({ kind: 'unknown', executable: 'a.py', interpreter })
    const program = programOf(facts)
    expect(isKnown(program)).toBe(false)
    expect(programText(program)).toBe('a program that cannot be identified, because /home/mia/mygame runs a.py and is no known interpreter')
  })

  test('is unknown when a file that it is given begins as a program does', () => {
    const script: FakeFile = { ino: 40n, head: '#!/home/mia/mygame\n' }
    expect(copy(['start'], { '/home/mia/start': script })).toMatchObject({ kind: 'unknown', executable: 'start' })
    expect(copy(['/opt/start'], { '/opt/start': script })).toMatchObject({ kind: 'unknown', executable: '/opt/start' })
  })

  test('is native with other files, a folder and what is no file', () => {
    const stats: Record<string, FakeFile> = { '/home/mia/save': { ino: 41n, head: 'SAVE' }, '/home/mia/mods': { ino: 42n, isFolder: true } }
    for (const words of [[], ['save'], ['mods'], ['gone'], ['+connect', 'host:27015']])
      expect(copy(words, stats)).toEqual({ kind: 'native', executable: '/home/mia/mygame', file: FILE })
  })

  test('that started another program is itself: it names what it starts', () => {
    const proc = procOf({
      links: { ...OURS, '/proc/7/exe': '/usr/bin/timeout' },
      files: { '/proc/7/status': statusOf(), '/proc/7/cmdline': 'timeout\x009\0node\0a.mjs\0' },
      stats: { '/proc/7/exe': { ino: 10n }, '/usr/bin/timeout': { ino: 10n } },
    })
    expect(starterFacts(7, proc)).toMatchObject({ kind: 'native', executable: '/usr/bin/timeout' })
    expect(programFacts(7, proc)).toMatchObject({ kind: 'unknown', executable: 'a.mjs' })
  })

  test('is read by the beginning of its command line, which may be long', () => {
    expect(copy([...Array.from({ length: 30_000 }, () => '-x'), 'a.py'])).toMatchObject({ kind: 'native' })
    expect(copy(['-', 'spiel-ü.py', 'x'.repeat(1_000_000)])).toMatchObject({ kind: 'unknown', executable: 'spiel-ü.py' })
  })

  test('is refused as itself, with each script, and not as another one', () => {
    const keys = recognitionKeysOf(programOf(copy(['a.py'])))
    expect(shareKey(keys, recognitionKeysOf(programOf(copy(['b.py']))))).toBe(true)
    expect(shareKey(keys, recognitionKeysOf(programOf({ ...copy(['a.py']), interpreter: { executable: '/other', file: FILE } })))).toBe(
      false,
    )
  })
})

test('nothing is said of a process that hides itself or has ended', () => {
  expect(() => programFacts(7, procOf({ links: OURS }))).toThrow()
})
