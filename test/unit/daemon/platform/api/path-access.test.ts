import { describe, expect, it } from 'vitest'
import type { ProcessHandle } from '#daemon/src/identity/process-handle.ts'
import type { PeerIdentity } from '#daemon/src/ipc/transport/transport.ts'
import { localAccessDenial, pathAccessDenial, type System } from '#daemon/src/platform/api/path-access.ts'

const OURS = { 'ns/mnt': 'mnt:[4026531841]', root: '/' }
const SYSTEMS = ['linux', 'darwin', 'win32'] as const

const system = (theirs: Partial<typeof OURS> = OURS, platform: NodeJS.Platform = 'linux'): System => ({
  platform,
  uid: platform === 'win32' ? undefined : 1000,
  readlink(path) {
    const [, , who, ...part] = path.split('/')
    const name = part.join('/') as keyof typeof OURS
    if (who === 'self') return OURS[name]
    const found = theirs[name]
    if (found === undefined || who !== '77') throw new Error('EACCES')
    return found
  },
})

const held = (state: { isSame?: boolean; isAlive?: boolean } = {}): ProcessHandle => ({
  pid: 77,
  isUnchanged: () => state.isSame ?? true,
  read: (look) => {
    const seen = look(77)
    return (state.isAlive ?? true) ? seen : undefined
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

describe('the file system view of a process on Linux', () => {
  it.each([
    ['another mount namespace', system({ ...OURS, 'ns/mnt': 'mnt:[4026532999]' })],
    ['another root', system({ ...OURS, root: '/srv/jail' })],
    ['nothing that may be looked at', system({})],
    ['only a part that may be looked at', system({ root: '/' })],
  ])('differs with %s', (_, theirs) => {
    expect(pathAccessDenial(peerOn('linux'), theirs)).toMatch(/in a container.*send the bytes in data instead/)
  })

  it('is checked each time, because a process can enter a container', () => {
    const theirs = { ...OURS }
    expect(pathAccessDenial(peerOn('linux'), system(theirs))).toBeUndefined()
    theirs['ns/mnt'] = 'mnt:[1]'
    expect(pathAccessDenial(peerOn('linux'), system(theirs))).toBeDefined()
  })

  it('is invalid when the process ended during the check', () => {
    expect(pathAccessDenial(peerOn('linux', { process: held({ isAlive: false }) }), system())).toMatch(/has ended/)
  })
})
