import { describe, expect, test } from 'vitest'
import { isOwnSocket, isSharedFolder, privateFlaw, socketFolderFlaw } from '@sallyport/protocol/wire'

const US = 1000
const OTHER_USER = 65534
const folder = (uid: number, rights: number) => ({ uid, mode: 0o040000 | rights })
const file = (uid: number, rights: number) => ({ uid, mode: 0o100000 | rights })

describe('a private file or folder', () => {
  test.each([
    ['an own folder', folder(US, 0o700), 'folder', undefined],
    ['a folder that a group can enter', folder(US, 0o750), 'folder', 'rights'],
    ['a folder that all users can enter', folder(US, 0o701), 'folder', 'rights'],
    ['owned by another user', folder(OTHER_USER, 0o700), 'folder', 'owner'],
    ['a folder of root', folder(0, 0o700), 'folder', 'owner'],
    ['a link to a folder', { uid: US, mode: 0o120777 }, 'folder', 'kind'],
    ['an own file', file(US, 0o600), 'file', undefined],
    ['a file that other users can read', file(US, 0o604), 'file', 'rights'],
    ['owned by another user', file(OTHER_USER, 0o600), 'file', 'owner'],
    ['a FIFO', { uid: US, mode: 0o010600 }, 'file', 'kind'],
  ] as const)('%s %#', (_, facts, kind, flaw) => expect(privateFlaw(facts, kind, US)).toBe(flaw))
})

describe('a socket folder', () => {
  test.each([
    ['of this user', folder(US, 0o700), undefined, false],
    ['of this user, readable by others', folder(US, 0o755), undefined, false],
    ['of root', folder(0, 0o755), undefined, false],
    ['of root, sticky, like /tmp', folder(0, 0o1777), undefined, true],
    ['of this user, sticky', folder(US, 0o1777), undefined, true],
    ['of this user, writable by others', folder(US, 0o777), 'rights', true],
    ['of this user, writable by a group', folder(US, 0o770), 'rights', true],
    ['of root, writable by others', folder(0, 0o777), 'rights', true],
    ['of another user', folder(OTHER_USER, 0o755), 'owner', false],
    ['of another user, sticky', folder(OTHER_USER, 0o1777), 'owner', true],
    ['that is a file', file(US, 0o600), 'kind', false],
  ] as const)('%s', (_, facts, flaw, shared) => {
    expect(socketFolderFlaw(facts, US)).toBe(flaw)
    expect(isSharedFolder(facts)).toBe(shared)
  })
})

test('a socket is valid only if this user owns it, not even root', () => {
  const socket = (uid: number) => ({ uid, mode: 0o140600 })
  expect([US, 0, OTHER_USER].map((uid) => isOwnSocket(socket(uid), US))).toEqual([true, false, false])
  expect(isOwnSocket(file(US, 0o600), US)).toBe(false)
})
