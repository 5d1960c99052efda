/** The address of a collector: it has no password, and an error does not repeat one. */
import { expect, test } from 'vitest'
import { loadSettings } from '#daemon/src/config/load.ts'

const load = (flags: object, env: Record<string, string> = {}) =>
  loadSettings(flags, { platform: 'linux', env: { XDG_CONFIG_HOME: '/nonexistent', ...env }, home: '/nonexistent' }).settings

test('it is off, also where the environment names a collector for all programs', () => {
  expect(load({}, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' })).toMatchObject({ otlp: 'off', otlpSignals: 'all' })
})

test('it is an address, or the one of the environment', () => {
  expect(load({ otlp: 'https://collector.example/otel' }).otlp).toBe('https://collector.example/otel')
  expect(load({}, { SALLYPORT_OTLP: 'env', SALLYPORT_OTLP_SIGNALS: 'metrics' })).toMatchObject({ otlp: 'env', otlpSignals: 'metrics' })
})

test.each(['collector.example:4318', 'grpc://collector.example', 'http://collector.example/?key=1', 'http://collector.example/#key', ''])(
  '%j is refused',
  (otlp) => expect(() => load({ otlp })).toThrow(/^--otlp does not accept/),
)

test('one with a password is refused, and not repeated', () => {
  const use = () => load({ otlp: 'http://user:pass-word@collector.example' })
  expect(use).toThrow('--otlp does not accept "http://[redacted]@collector.example".')
  expect(use).not.toThrow(/pass-word/)
})
