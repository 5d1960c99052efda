import { expect, test } from 'vitest'
import { SettingsError } from '../../../../daemon/src/config/settings-error.ts'
import { refuseUncheckedTls } from '../../../../daemon/src/config/tls-checks.ts'

const HTTPS = { baseUrl: 'https://platform.test/api', tokenUrl: 'https://platform.test/token' }
const HTTP = { baseUrl: 'http://127.0.0.1:1/api', tokenUrl: 'http://127.0.0.1:1/token' }
const OFF = { NODE_TLS_REJECT_UNAUTHORIZED: '0' }

test('a platform over https is refused when nobody would check its certificates, with a way out', () => {
  expect(() => refuseUncheckedTls(HTTPS, OFF)).toThrow(SettingsError)
  expect(() => refuseUncheckedTls(HTTPS, OFF)).toThrow(/--ca-file/)
  expect(() => refuseUncheckedTls({ ...HTTP, tokenUrl: HTTPS.tokenUrl }, OFF)).toThrow(SettingsError)
})

test('where nothing goes over https, or the check stands, nothing is said', () => {
  refuseUncheckedTls(undefined, OFF)
  refuseUncheckedTls(HTTP, OFF)
  refuseUncheckedTls(HTTPS, {})
  refuseUncheckedTls(HTTPS, { NODE_TLS_REJECT_UNAUTHORIZED: '1' })
})
