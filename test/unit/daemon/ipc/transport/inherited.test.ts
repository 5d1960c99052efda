import { describe, expect, test } from 'vitest'
import { inheritedDescriptors } from '#daemon/src/ipc/transport/inherited.ts'

describe('descriptors of a service manager', () => {
  test.each([
    ['for this process', { LISTEN_PID: '42', LISTEN_FDS: '2' }, [3, 4]],
    ['for another process', { LISTEN_PID: '41', LISTEN_FDS: '2' }, []],
    ['of which there are none', { LISTEN_PID: '42', LISTEN_FDS: '0' }, []],
    ['of a number that is none', { LISTEN_PID: '42', LISTEN_FDS: 'x' }, []],
    ['unnamed', {}, []],
  ])('%s', (_, environment, expected) => expect(inheritedDescriptors(environment, 42)).toEqual(expected))
})
