import { describe, expect, test } from 'vitest'
import { assertListeners, inheritedDescriptors } from '#daemon/src/ipc/transport/inherited.ts'

describe('descriptors of a service manager', () => {
  test.each([
    ['for this process', { LISTEN_PID: '42', LISTEN_FDS: '2' }, [3, 4]],
    ['for another process', { LISTEN_PID: '41', LISTEN_FDS: '2' }, []],
    ['of which there are none', { LISTEN_PID: '42', LISTEN_FDS: '0' }, []],
    ['of a number that is none', { LISTEN_PID: '42', LISTEN_FDS: 'x' }, []],
    ['of a number with more behind it', { LISTEN_PID: '42', LISTEN_FDS: '2x' }, []],
    ['of a number that no manager has', { LISTEN_PID: '42', LISTEN_FDS: '1000000000000' }, []],
    ['without a number', { LISTEN_PID: '42' }, []],
    ['with names', { LISTEN_PID: '42', LISTEN_FDS: '2', LISTEN_FDNAMES: 'connection:sallyport-wine-discord-ipc-0' }, [3, 4]],
    ['unnamed', {}, []],
  ])('%s', (_, environment, expected) => expect(inheritedDescriptors(environment, 42)).toEqual(expected))
})

test.skipIf(process.platform !== 'linux')('a descriptor that is no socket is refused with a sentence', () => {
  expect(() => assertListeners([0x7fff])).toThrow('Descriptor 32767 of the socket unit is no socket; let the unit have ListenStream only.')
  expect(() => assertListeners([])).not.toThrow()
})
