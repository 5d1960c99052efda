import { describe, expect, it } from 'vitest'
import type { HeldProcess } from '../../../../../daemon/src/identity/held-process.ts'
import type { PeerIdentity } from '../../../../../daemon/src/ipc/transport/transport.ts'
import { outsider, pathRefusal, type System } from '../../../../../daemon/src/platform/api/path-refusal.ts'

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

const held = (state: { isSame?: boolean; isAlive?: boolean } = {}): HeldProcess => ({
  pid: 77,
  isSame: () => state.isSame ?? true,
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

  it('is of a held process of this user, native or a script', () => {
    expect(pathRefusal(peerOn(platform), here)).toBeUndefined()
    expect(pathRefusal(peerOn(platform, { kind: 'script' }), here)).toBeUndefined()
  })

  it('is not of a process that is not held, and the sentence says what works instead', () => {
    const { process: _, ...notHeld } = peerOn(platform)
    expect(pathRefusal(notHeld, here)).toBe('cannot be read, since it is not known which process asks; hand the bytes over in data')
    expect(pathRefusal({ trust: 'directory' }, here)).toMatch(/not known which process.*data/)
  })

  it('is not of a process that has ended or runs another program', () => {
    expect(pathRefusal(peerOn(platform, { process: held({ isSame: false }) }), here)).toMatch(/has ended or runs another program.*data/)
  })

  it('is not of a program in a container', () => {
    expect(pathRefusal(peerOn(platform, { kind: 'container', container: 'other' }), here)).toMatch(/in a container.*data/)
  })

  it('is not of an unknown program', () => {
    expect(pathRefusal(peerOn(platform, { kind: 'unknown' }), here)).toMatch(/not known which program.*data/)
    const { executable: _, file: _file, kind: _kind, ...unread } = peerOn(platform)
    expect(pathRefusal(unread, here)).toMatch(/not known which program/)
  })

  it('is not of a page', () => {
    expect(pathRefusal({ trust: 'origin', origin: 'https://page.example' }, here)).toMatch(/for a page/)
  })

  it('is not of another user', () => {
    expect(pathRefusal(peerOn(platform, { uid: 1001 }), here)).toMatch(/another user/)
  })

  it('goes without a word of bytes where there are none to hand over', () => {
    expect(outsider({ trust: 'directory' }, here)).toBe(', since it is not known which process asks')
  })
})

describe('the files that a process sees on Linux', () => {
  it.each([
    ['another mount namespace', system({ ...OURS, 'ns/mnt': 'mnt:[4026532999]' })],
    ['another root', system({ ...OURS, root: '/srv/jail' })],
    ['nothing that may be looked at', system({})],
    ['only a part that may be looked at', system({ root: '/' })],
  ])('are others with %s', (_, theirs) => {
    expect(pathRefusal(peerOn('linux'), theirs)).toMatch(/in a container.*hand the bytes over in data/)
  })

  it('are looked at each time, since a process can move', () => {
    const theirs = { ...OURS }
    expect(pathRefusal(peerOn('linux'), system(theirs))).toBeUndefined()
    theirs['ns/mnt'] = 'mnt:[1]'
    expect(pathRefusal(peerOn('linux'), system(theirs))).toBeDefined()
  })

  it('do not count when the process ended while they were looked at', () => {
    expect(pathRefusal(peerOn('linux', { process: held({ isAlive: false }) }), system())).toMatch(/has ended/)
  })
})
