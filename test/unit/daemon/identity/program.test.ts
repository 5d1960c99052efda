import { describe, expect, test } from 'vitest'
import {
  compareFiles,
  isKnown,
  isSamePath,
  isSameProgram,
  groupOf,
  programKey,
  type Program,
  programOf,
  recognitionKeysOf,
  shareKey,
} from '#daemon/src/identity/program.ts'

const GAME: Program = { kind: 'native', uid: 1000, executable: '/games/one', file: '1:2:3:4:5' }
const SCRIPT: Program = {
  ...GAME,
  kind: 'script',
  executable: '/games/one.py',
  interpreter: { executable: '/usr/bin/python3', file: '9:8:7:6:5' },
}
const UNKNOWN: Program = { kind: 'unknown', uid: 1000, executable: undefined, file: undefined }

describe('the same program', () => {
  test.each<[string, Program, Partial<Program>, boolean, boolean]>([
    ['itself', GAME, {}, true, true],
    ['after its content changed', GAME, { file: '1:2:3:9:9' }, true, false],
    ['after its content changed and mtime was set back', GAME, { file: '1:2:3:4:9' }, true, false],
    ['a copy', GAME, { executable: '/tmp/one' }, false, false],
    ['of another user', GAME, { uid: 1001 }, false, false],
    ['a script of that name', GAME, { kind: 'script' }, false, false],
    ['a script', SCRIPT, {}, true, true],
    ['the script by another interpreter', SCRIPT, { interpreter: { executable: '/tmp/python3', file: '9:8:7:6:5' } }, false, false],
    ['the script by a changed interpreter', SCRIPT, { interpreter: { executable: '/usr/bin/python3', file: '9:8:7:7:7' } }, true, false],
    ['in a container', GAME, { kind: 'container', container: 'other' }, false, false],
  ])('%s', (_what, one, change, isPlace, isProgram) => {
    const other = { ...one, ...change }
    expect(isSamePath(one, other)).toBe(isPlace)
    expect(isSameProgram(one, other)).toBe(isProgram)
  })

  test('is never one of a container without an application, not even itself; one of an application is', () => {
    const contained = { ...GAME, kind: 'container', container: 'other' } as const
    expect(isKnown(contained)).toBe(false)
    expect(isSamePath(contained, contained)).toBe(false)
    for (const container of ['flatpak', 'snap', 'sandbox'] as const) expect(isKnown({ ...contained, container })).toBe(true)
  })

  test('is never one that nothing is known of, not even itself', () => {
    expect(isKnown(UNKNOWN)).toBe(false)
    expect(isSamePath(UNKNOWN, UNKNOWN)).toBe(false)
    expect(isSamePath({ ...UNKNOWN, executable: '/usr/bin/node' }, { ...UNKNOWN, executable: '/usr/bin/node' })).toBe(false)
  })
})

test('a file is touched when only ctime differs, of the script or of the interpreter', () => {
  expect(compareFiles(GAME, { ...GAME, file: '1:2:3:4:6' })).toBe('ctime-changed')
  expect(compareFiles(SCRIPT, { ...SCRIPT, interpreter: { executable: '/usr/bin/python3', file: '9:8:7:6:6' } })).toBe('ctime-changed')
  expect(compareFiles(SCRIPT, { ...SCRIPT, file: '0:0:0:0:0', interpreter: { executable: '/usr/bin/python3', file: '9:8:7:6:6' } })).toBe(
    'other',
  )
  expect(compareFiles(GAME, { ...GAME, file: undefined })).toBe('other')
})

describe('what is counted for a program', () => {
  const APPLICATION: Program = { kind: 'container', container: 'flatpak', uid: 1000, executable: 'org.example.Game', file: undefined }
  const CONTAINED: Program = { ...GAME, kind: 'container', container: 'other', file: 'mnt:[4026532758]:1:2:3:4:5', namespace: '4026532755' }
  const WITHOUT_IDENTITY: Program = { ...GAME, file: undefined }

  test.each<[string, Program, Partial<Program>]>([
    ['a modified file', GAME, { file: '1:2:7:8:9' }],
    ['another link to the file', GAME, { executable: '/games/two', file: '1:2:3:4:9' }],
    ['a modified script', SCRIPT, { file: '1:2:7:8:9' }],
    ['another link to the script', SCRIPT, { executable: '/games/two.py' }],
    ['another link to the interpreter', SCRIPT, { interpreter: { executable: '/usr/bin/python', file: '9:8:7:6:9' } }],
    ['a container that makes up another path', CONTAINED, { executable: '/games/two' }],
    ['another file in a container', CONTAINED, { file: 'mnt:[4026532758]:7:7:7:7:7' }],
    ['another mount namespace in a container', CONTAINED, { file: 'mnt:[4026532759]:1:2:3:4:5' }],
    ['another version of an application', APPLICATION, { file: 'any' }],
    ['another unknown program', UNKNOWN, { executable: '/usr/bin/node' }],
  ])('is counted for %s too', (_what, one, change) => {
    expect(programKey({ ...one, ...change })).toBe(programKey(one))
  })

  test.each<[string, Program, Partial<Program>]>([
    ['another file', GAME, { file: '1:3:3:4:5' }],
    ['a file on another device', GAME, { file: '2:2:3:4:5' }],
    ['another user', GAME, { uid: 1001 }],
    ['a script by another interpreter', SCRIPT, { interpreter: { executable: '/usr/bin/python3', file: '9:9:9:9:9' } }],
    ['another application', APPLICATION, { executable: 'org.example.Other' }],
    ['a container of another user', CONTAINED, { uid: 1001 }],
    ['another container', CONTAINED, { namespace: '4026532756' }],
    ['another path, where the file is not known', WITHOUT_IDENTITY, { executable: '/games/two' }],
  ])('is not counted for %s', (_what, one, change) => {
    expect(programKey({ ...one, ...change })).not.toBe(programKey(one))
  })

  test('all containers of a user without an application are a group, and nothing else is', () => {
    const group = groupOf(programKey(CONTAINED))
    expect(group).toBeDefined()
    expect(groupOf(programKey({ ...CONTAINED, namespace: '1', executable: '/x', file: 'mnt:[9]:9:9:9:9:9' }))).toBe(group)
    expect(groupOf(programKey({ ...CONTAINED, uid: 1001 }))).not.toBe(group)
    const pretender = { ...WITHOUT_IDENTITY, executable: '["container",1000,"other"] in 4026532755' }
    for (const one of [GAME, SCRIPT, UNKNOWN, APPLICATION, pretender]) expect(groupOf(programKey(one))).toBeUndefined()
  })

  test('a refusal in a container does not hold for a program at the path that was made up', () => {
    const refused = recognitionKeysOf(CONTAINED)
    expect(shareKey(refused, recognitionKeysOf({ ...CONTAINED, file: 'mnt:[4026532758]:7:7:7:7:7' }))).toBe(false)
    expect(shareKey(refused, recognitionKeysOf({ ...CONTAINED, executable: '/games/two' }))).toBe(true)
  })
})

test('a connection says what it knows of its program', () => {
  expect(programOf({ uid: 1, executable: '/a', file: 'f' })).toMatchObject({ kind: 'native', uid: 1, executable: '/a', file: 'f' })
  expect(programOf({ uid: 1 })).toMatchObject({ kind: 'unknown', uid: 1 })
  expect(programOf({ uid: 1, executable: '/a' })).toMatchObject({ kind: 'unknown' })
  expect(programOf({ origin: 'http://localhost:1' })).toMatchObject({ kind: 'page', executable: 'http://localhost:1', uid: undefined })
})
