import { describe, expect, it } from 'vitest'
import { pathRefusal, type System } from '../../../../daemon/src/uploads/path-refusal.ts'
import type { PeerIdentity } from '../../../../daemon/src/transport/transport.ts'

const OURS = { 'ns/mnt': 'mnt:[4026531841]', root: '/' }

const system = (theirs: Partial<typeof OURS> | undefined, platform: NodeJS.Platform = 'linux'): System => ({
  platform,
  uid: 1000,
  readlink(path) {
    const [, , who, ...part] = path.split('/')
    const name = part.join('/') as keyof typeof OURS
    if (who === 'self') return OURS[name]
    const found = theirs?.[name]
    if (found === undefined || who !== '77') throw new Error('EACCES')
    return found
  },
})
const game: PeerIdentity = { trust: 'kernel', uid: 1000, pid: 77 }

describe('pathRefusal', () => {
  it('lets the same user name paths whose process sees the same files', () => {
    expect(pathRefusal(game, system(OURS))).toBeUndefined()
  })

  it.each([
    ['another mount namespace', { ...OURS, 'ns/mnt': 'mnt:[4026532999]' }],
    ['another root', { ...OURS, root: '/srv/jail' }],
    ['a process that cannot be looked at', undefined],
    ['a process of which only a part can be looked at', { root: '/' }],
  ])('refuses %s, and says what works instead', (_, theirs) => {
    expect(pathRefusal(game, system(theirs))).toMatch(/in a container.*hand the bytes over in data/)
  })

  it('asks anew each time, since a process can move', () => {
    const theirs = { ...OURS }
    expect(pathRefusal(game, system(theirs))).toBeUndefined()
    theirs['ns/mnt'] = 'mnt:[1]'
    expect(pathRefusal(game, system(theirs))).toBeDefined()
  })

  it('refuses a process that is not known', () => {
    expect(pathRefusal({ trust: 'kernel', uid: 1000 }, system(OURS))).toMatch(/not known which process.*data/)
    expect(pathRefusal({ trust: 'directory' }, system(OURS))).toMatch(/not known which process/)
  })

  it('refuses a page on every system', () => {
    const page: PeerIdentity = { trust: 'origin', origin: 'https://page.example' }
    for (const platform of ['linux', 'darwin', 'win32'] as const) expect(pathRefusal(page, system(OURS, platform))).toMatch(/for a page/)
  })

  it('refuses another user on every system', () => {
    expect(pathRefusal({ ...game, uid: 1001 }, system(OURS))).toMatch(/another user/)
    expect(pathRefusal({ ...game, uid: 1001 }, system(OURS, 'darwin'))).toMatch(/another user/)
  })

  it('asks no more where programs share one tree of files', () => {
    expect(pathRefusal({ trust: 'directory' }, system(undefined, 'win32'))).toBeUndefined()
    expect(pathRefusal({ trust: 'kernel', uid: 1000 }, system(undefined, 'darwin'))).toBeUndefined()
  })
})
