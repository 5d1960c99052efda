import { describe, expect, test } from 'vitest'
import { openPeers } from '#daemon/src/identity/systems.ts'
import { fakeFfi } from './fake-ffi.ts'

const refusal = (says: RegExp) =>
  expect.objectContaining({ error: 'SERVICE_UNAVAILABLE', message: expect.stringMatching(says) as string }) as Error
const UNKNOWN = /does not identify connected programs.*pass the bytes in data/

describe('what names the peers of a connection', () => {
  test.skipIf(!['linux', 'darwin', 'win32'].includes(process.platform))('is found on this system', () => {
    const peers = openPeers(process.platform)
    expect(peers).not.toHaveProperty('unknown')
    expect(peers.identify(0x7fff)).toBeUndefined()
  })

  test('is asked as the system has it', () => {
    const peers = openPeers('linux', { linux: () => (fd) => ({ uid: fd }) }, () => fakeFfi({}))
    expect(peers.identify(7)).toEqual({ uid: 7 })
    expect(peers).not.toHaveProperty('unknown')
  })
})

describe.each(['linux', 'darwin'] as const)('without it on %s', (platform) => {
  test('the bridge does not start on a Node that has no node:ffi, and says what to do', () => {
    expect(() => openPeers(platform, undefined, () => undefined)).toThrow(refusal(/node:ffi is missing or disabled.*--no-experimental-ffi/))
  })

  test('the bridge does not start on libraries that lack its functions, and says which', () => {
    expect(() => openPeers(platform, undefined, () => fakeFfi({}))).toThrow(refusal(/does not start.*dlsym failed: \w+/))
  })
})

interface Without {
  readonly what: string
  readonly platform: NodeJS.Platform
  readonly ffi: ReturnType<typeof fakeFfi> | undefined
}

const WITHOUT: readonly Without[] = [
  { what: 'Windows without node:ffi', platform: 'win32', ffi: undefined },
  { what: 'a Windows that lacks the functions', platform: 'win32', ffi: fakeFfi({}) },
  { what: 'a system of another kind', platform: 'freebsd', ffi: fakeFfi({}) },
]

test.each(WITHOUT)('on $what the bridge starts, knows no peer and says so', ({ platform, ffi }) => {
  const peers = openPeers(platform, undefined, () => ffi)
  expect(peers.unknown).toMatch(UNKNOWN)
  expect(peers.identify(-1)).toBeUndefined()
})
