import { describe, expect, it } from 'vitest'
import type { ProcessHandle } from '#daemon/src/identity/process-handle.ts'
import type { PeerIdentity } from '#daemon/src/ipc/transport/transport.ts'
import { procOf, statusOf } from '../../identity/fake-proc.ts'
import { localAccessDenial, pathAccessDenial, type System } from '#daemon/src/platform/api/path-access.ts'

const OURS = { 'ns/mnt': 'mnt:[4026531841]', 'ns/pid': 'pid:[4026531836]', 'ns/user': 'user:[4026531837]', root: '/' }
const SYSTEMS = ['linux', 'darwin', 'win32'] as const

const linksOf = (folder: string, links: Partial<typeof OURS>) => Object.entries(links).map(([name, to]) => [`${folder}/${name}`, to])

const system = (theirs: Partial<typeof OURS> = OURS, platform: NodeJS.Platform = 'linux', files: Record<string, string> = {}): System => ({
  platform,
  uid: platform === 'win32' ? undefined : 1000,
  proc: procOf({
    links: Object.fromEntries([...linksOf('/proc/self', OURS), ...linksOf('/proc/77', theirs)]) as Record<string, string>,
    files: { '/proc/77/status': statusOf(), '/proc/self/status': statusOf(), ...files },
  }),
})

const held = (state: { isSame?: boolean; isAlive?: boolean } = {}): ProcessHandle => ({
  pid: 77,
  isUnchanged: () => state.isSame ?? true,
  read(look) {
    if (state.isAlive === false) return undefined
    try {
      return look(77)
    } catch {
      return undefined // As of a process that may not be looked at.
    }
  },
  release() {},
})

const NATIVE = { pid: 77, executable: '/games/game', file: '1:2:3:4:5', kind: 'native' } as const
const peerOn = (platform: NodeJS.Platform, more: Partial<PeerIdentity> = {}): PeerIdentity => ({
  trust: 'kernel',
  ...(platform === 'win32' ? {} : { uid: 1000 }),
  ...NATIVE,
  process: held(),
  ...more,
})

describe.each(SYSTEMS)('the right to name files by path on %s', (platform) => {
  const here = system(OURS, platform)

  it('belongs to a held process of this user, native or a script', () => {
    expect(pathAccessDenial(peerOn(platform), here)).toBeUndefined()
    expect(pathAccessDenial(peerOn(platform, { kind: 'script' }), here)).toBeUndefined()
  })

  it('is denied to a Windows program in Wine, which only its pipe bridge has named', () => {
    expect(pathAccessDenial(peerOn(platform, { kind: 'wine' }), here)).toContain('Windows program in Wine')
  })

  it('is denied to a process that is not held, with advice', () => {
    const { process: _, ...notHeld } = peerOn(platform)
    expect(pathAccessDenial(notHeld, here)).toBe('cannot be read because the calling process is unknown; send the bytes in data instead')
    expect(pathAccessDenial({ trust: 'directory' }, here)).toMatch(/the calling process is unknown.*data/)
  })

  it('is denied to a process that has ended or runs another program', () => {
    expect(pathAccessDenial(peerOn(platform, { process: held({ isSame: false }) }), here)).toMatch(
      /has ended or runs another program.*data/,
    )
  })

  it('is denied to a program in a container', () => {
    expect(pathAccessDenial(peerOn(platform, { kind: 'container', container: 'other' }), here)).toMatch(/in a container.*data/)
  })

  it('is denied to an unknown program', () => {
    expect(pathAccessDenial(peerOn(platform, { kind: 'unknown' }), here)).toMatch(/the calling program is unknown.*data/)
    const { executable: _, file: _file, kind: _kind, ...unread } = peerOn(platform)
    expect(pathAccessDenial(unread, here)).toMatch(/the calling program is unknown/)
  })

  it('is denied to a page', () => {
    expect(pathAccessDenial({ trust: 'origin', origin: 'https://page.example' }, here)).toMatch(/for a page/)
  })

  it('is denied to another user', () => {
    expect(pathAccessDenial(peerOn(platform, { uid: 1001 }), here)).toMatch(/another user/)
  })

  it('has no advice about data where no bytes can be sent', () => {
    expect(localAccessDenial({ trust: 'directory' }, here)).toBe(' because the calling process is unknown')
  })
})

describe('a confined process on Linux', () => {
  const LABEL = '/proc/77/attr/current'
  const limited = { '/proc/77/status': statusOf({ noNewPrivs: 1 }) }

  it.each([
    ['another mount namespace', system({ ...OURS, 'ns/mnt': 'mnt:[4026532999]' }), 'in a container'],
    ['another root', system({ ...OURS, root: '/srv/jail' }), 'in a container'],
    ['another process namespace', system({ ...OURS, 'ns/pid': 'pid:[4026532999]' }), 'namespace of its own'],
    ['another user namespace', system({ ...OURS, 'ns/user': 'user:[4026532999]' }), 'namespace of its own'],
    ['no_new_privs, as of Landlock', system(OURS, 'linux', limited), 'no_new_privs'],
    ['a profile', system(OURS, 'linux', { [LABEL]: 'game (enforce)\n', '/proc/self/attr/current': 'unconfined\n' }), 'security module'],
    ['a hidden label', system(OURS, 'linux', { '/proc/self/attr/current': 'unconfined\n' }), 'security module'],
    ['nothing that may be looked at', system({}), 'runs another program'],
    ['only a part that may be looked at', system({ root: '/' }), 'runs another program'],
  ])('with %s names no file, and the error says what to send', (_, theirs, words) => {
    const denial = pathAccessDenial(peerOn('linux'), theirs)
    expect(denial).toContain(words)
    expect(denial).toContain('send the bytes in data instead')
  })

  it('is not one that a profile does not restrict, nor one with the rights of the bridge', () => {
    const ofSteam = { [LABEL]: 'steam (unconfined)\n', '/proc/self/attr/current': 'unconfined\n' }
    expect(pathAccessDenial(peerOn('linux'), system(OURS, 'linux', ofSteam))).toBeUndefined()
    const alike = { ...limited, '/proc/self/status': statusOf({ noNewPrivs: 1, parent: 5 }) }
    expect(pathAccessDenial(peerOn('linux'), system(OURS, 'linux', alike)), 'its starter has ended').toBeUndefined()
    const all = { ...alike, '/proc/5/status': statusOf({ noNewPrivs: 1 }) }
    expect(pathAccessDenial(peerOn('linux'), system(OURS, 'linux', all)), 'all processes here are alike').toBeUndefined()
  })

  it('is one that gave up rights, also where the unit of the bridge took the same from the bridge', () => {
    const service = { ...limited, '/proc/self/status': statusOf({ noNewPrivs: 1, parent: 5 }), '/proc/5/status': statusOf() }
    expect(pathAccessDenial(peerOn('linux'), system(OURS, 'linux', service))).toBeDefined()
  })

  it('is not a command line of Sallyport that hides, as long as it is the same', () => {
    const hidden = (isSame: boolean) => peerOn('linux', { process: { ...held({ isSame }), isHidden: () => true } })
    expect(pathAccessDenial(hidden(true), system({}))).toBeUndefined()
    expect(pathAccessDenial(hidden(false), system({}))).toContain('runs another program')
  })

  it('is looked at each time, because a process can confine itself after it connected', () => {
    const theirs = { ...OURS }
    expect(pathAccessDenial(peerOn('linux'), system(theirs))).toBeUndefined()
    theirs['ns/mnt'] = 'mnt:[1]'
    expect(pathAccessDenial(peerOn('linux'), system(theirs))).toBeDefined()
    expect(pathAccessDenial(peerOn('linux'), system(OURS, 'linux', limited))).toBeDefined()
  })

  it('is invalid when the process ended during the check', () => {
    expect(pathAccessDenial(peerOn('linux', { process: held({ isAlive: false }) }), system())).toMatch(/has ended/)
  })
})
