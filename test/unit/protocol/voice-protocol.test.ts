/** Supported voice connections before, on and after the days of dated changes. */
import { hasBufferedResume, VOICE_MODES, type VoiceConnection, voiceProblems } from '@sallyport/protocol'
import { describe, expect, it } from 'vitest'

const MODES_ENDED = Date.UTC(2024, 10, 18)
const ENCRYPTED_ONLY = Date.UTC(2026, 2, 1)
const paths = (connection: VoiceConnection, now: number) => voiceProblems(connection, now).map(({ path }) => path)

describe('gateway versions', () => {
  it.each([
    [undefined, ['gateway_version']],
    [0, ['gateway_version']],
    [3, ['gateway_version']],
    [4, []],
    [8, []],
    [9, []],
  ])('%j since 18 November 2024', { tags: ['9.2-15'] }, (gatewayVersion, expected) => {
    expect(paths({ gatewayVersion }, MODES_ENDED)).toEqual(expected)
    expect(paths({ gatewayVersion }, MODES_ENDED + 1e10)).toEqual(expected)
    expect(paths({ gatewayVersion }, MODES_ENDED - 1)).toEqual([])
  })

  it('from 8 receive missed messages on a resume', { tags: ['9.2-16'] }, () => {
    expect([undefined, 4, 7, 8, 9].map(hasBufferedResume)).toEqual([false, false, false, true, true])
  })
})

describe('encryption modes', () => {
  const modes = Object.entries(VOICE_MODES)
  it.each(modes)('%s is rejected from its day unless it is documented', { tags: ['9.2-13'] }, (mode, { documented }) => {
    const connection = { gatewayVersion: 8, mode }
    expect(paths(connection, MODES_ENDED - 1)).toEqual([])
    expect(paths(connection, MODES_ENDED)).toEqual(documented ? [] : ['mode'])
  })

  it('documented modes are the two with rtpsize', { tags: ['9.2-14', '9.2-13'] }, () => {
    expect(modes.filter(([, { documented }]) => documented).map(([mode]) => mode)).toEqual([
      'aead_aes256_gcm_rtpsize',
      'aead_xchacha20_poly1305_rtpsize',
    ])
  })

  it('unknown modes and prototype names are rejected on any day', () => {
    expect(paths({ gatewayVersion: 8, mode: 'rot13' }, 0)).toEqual(['mode'])
    expect(paths({ gatewayVersion: 8, mode: 'toString' }, 0)).toEqual(['mode'])
  })
})

it('calls without end-to-end encryption are rejected from 1 March 2026', { tags: ['9.2-9'] }, () => {
  const plain = { gatewayVersion: 8, endToEndEncrypted: false }
  expect(paths(plain, ENCRYPTED_ONLY - 1)).toEqual([])
  expect(paths(plain, ENCRYPTED_ONLY)).toEqual(['end_to_end_encrypted'])
  expect(paths({ gatewayVersion: 8, endToEndEncrypted: true }, ENCRYPTED_ONLY)).toEqual([])
  expect(paths({ gatewayVersion: 8 }, ENCRYPTED_ONLY)).toEqual([])
})

it('a problem contains the day and the supported values', () => {
  const [version, mode] = voiceProblems({ gatewayVersion: 3, mode: 'xsalsa20_poly1305' }, ENCRYPTED_ONLY)
  expect(version?.message).toMatch(/below 4 .*2024-11-18.* use 8/)
  expect(mode?.message).toMatch(/xsalsa20_poly1305 .*2024-11-18.*aead_aes256_gcm_rtpsize or aead_xchacha20_poly1305_rtpsize/)
})
