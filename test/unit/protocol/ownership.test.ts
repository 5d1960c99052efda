import { describe, expect, test } from 'vitest'
import { isOwnSocket, isSharedFolder, privateFlaw, socketFolderFlaw } from '@sallyport/protocol/wire'

const US = 1000
const NOBODY = 65534
const folder = (uid: number, rights: number) => ({ uid, mode: 0o040000 | rights })
const file = (uid: number, rights: number) => ({ uid, mode: 0o100000 | rights })

describe('what is for one user alone', () => {
  test.each([
    ['a folder of ours', folder(US, 0o700), 'folder', undefined],
    ['one that a group may enter', folder(US, 0o750), 'folder', 'rights'],
    ['one that anybody may enter', folder(US, 0o701), 'folder', 'rights'],
    ['one of another user', folder(NOBODY, 0o700), 'folder', 'owner'],
    ['one of root', folder(0, 0o700), 'folder', 'owner'],
    ['a link to one', { uid: US, mode: 0o120777 }, 'folder', 'kind'],
    ['a file of ours', file(US, 0o600), 'file', undefined],
    ['one that others may read', file(US, 0o604), 'file', 'rights'],
    ['one of another user', file(NOBODY, 0o600), 'file', 'owner'],
    ['a FIFO', { uid: US, mode: 0o010600 }, 'file', 'kind'],
  ] as const)('%s %#', (_, facts, kind, flaw) => expect(privateFlaw(facts, kind, US)).toBe(flaw))
})

describe('a folder with sockets', () => {
  test.each([
    ['of ours', folder(US, 0o700), undefined, false],
    ['of ours that others may read', folder(US, 0o755), undefined, false],
    ['of root', folder(0, 0o755), undefined, false],
    ['of root, sticky, like /tmp', folder(0, 0o1777), undefined, true],
    ['of ours, sticky', folder(US, 0o1777), undefined, true],
    ['of ours that others may write', folder(US, 0o777), 'rights', true],
    ['of ours that a group may write', folder(US, 0o770), 'rights', true],
    ['of root that others may write', folder(0, 0o777), 'rights', true],
    ['of another user', folder(NOBODY, 0o755), 'owner', false],
    ['of another user, sticky', folder(NOBODY, 0o1777), 'owner', true],
    ['that is a file', file(US, 0o600), 'kind', false],
  ] as const)('%s', (_, facts, flaw, shared) => {
    expect(socketFolderFlaw(facts, US)).toBe(flaw)
    expect(isSharedFolder(facts)).toBe(shared)
  })
})

test('a socket counts only with its owner, root no exception', () => {
  const socket = (uid: number) => ({ uid, mode: 0o140600 })
  expect([US, 0, NOBODY].map((uid) => isOwnSocket(socket(uid), US))).toEqual([true, false, false])
  expect(isOwnSocket(file(US, 0o600), US)).toBe(false)
})
