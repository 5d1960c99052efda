import { expect, test } from 'vitest'
import { SettingsError } from '#daemon/src/config/settings-error.ts'
import { requireTlsVerification } from '#daemon/src/config/tls-checks.ts'

const HTTPS = { baseUrl: 'https://platform.test/api', tokenUrl: 'https://platform.test/token' }
const HTTP = { baseUrl: 'http://127.0.0.1:1/api', tokenUrl: 'http://127.0.0.1:1/token' }
const OFF = { NODE_TLS_REJECT_UNAUTHORIZED: '0' }

test('rejects disabled certificate checks for a platform over https, with advice', () => {
  expect(() => requireTlsVerification(HTTPS, OFF)).toThrow(SettingsError)
  expect(() => requireTlsVerification(HTTPS, OFF)).toThrow(/--ca-file/)
  expect(() => requireTlsVerification({ ...HTTP, tokenUrl: HTTPS.tokenUrl }, OFF)).toThrow(SettingsError)
})

test('accepts a platform without https, and enabled checks', () => {
  requireTlsVerification(undefined, OFF)
  requireTlsVerification(HTTP, OFF)
  requireTlsVerification(HTTPS, {})
  requireTlsVerification(HTTPS, { NODE_TLS_REJECT_UNAUTHORIZED: '1' })
})
