import { expect, test } from 'vitest'
import { pinoLogger } from '@sallyport/core/pino-logger'
import { Secret } from '@sallyport/core/secret'

const capture = () => {
  const lines: string[] = []
  return { lines, stream: { write: (line: string) => void lines.push(line) } }
}

test('a line is one JSON object with its event, level, time and fields', { tags: ['9.1-17'] }, () => {
  const { lines, stream } = capture()
  pinoLogger([{ level: 'info', stream }])
    .child({ session: 7 })
    .info('session-ready', { pid: 12 })
  expect(lines).toHaveLength(1)
  const line = JSON.parse(lines[0] ?? '')
  expect(line).toMatchObject({ level: 'info', event: 'session-ready', session: 7, pid: 12 })
  expect(Number.isNaN(Date.parse(line.time))).toBe(false)
})

test('lines below the level are not written', { tags: ['9.1-16'] }, () => {
  const { lines, stream } = capture()
  const log = pinoLogger([{ level: 'warn', stream }])
  log.info('session-ready')
  log.debug('peer-closed')
  log.warn('prompt-not-shown')
  expect(lines.map((line) => JSON.parse(line).event)).toEqual(['prompt-not-shown'])
})

test.each([
  'token',
  'access_token',
  'refresh_token',
  'code',
  'code_verifier',
  'client_secret',
  'secret',
  'secrets',
  'external_auth_token',
  'externalToken',
  'parent_token',
  'parent_access_token',
  'authorization',
  'join',
])('%s is redacted at every depth that is logged, in child fields too', { tags: ['5-12', '9.1-15'] }, (key) => {
  const { lines, stream } = capture()
  const log = pinoLogger([{ level: 'debug', stream }])
  const planted = { [key]: 'planted-value' }
  log.error('call-failed', planted)
  log.error('call-failed', { args: planted })
  log.error('call-failed', { request: { headers: planted } })
  log.child(planted).error('call-failed')
  log.child({ request: planted }).error('call-failed', { after: 1 })
  log.error('call-failed', { list: [planted] })
  log.error('call-failed', { err: Object.assign(new Error('failed'), { response: planted }) })
  expect(lines).toHaveLength(7)
  expect(lines.join('')).not.toContain('planted-value')
  expect(lines.every((line) => line.includes('[redacted]'))).toBe(true)
})

test('a Secret prints as redacted under any key', { tags: ['5-12'] }, () => {
  const { lines, stream } = capture()
  pinoLogger([{ level: 'debug', stream }]).info('call-failed', { anything: { deep: { deeper: new Secret('planted-value') } } })
  expect(lines.join('')).not.toContain('planted-value')
})

test('a numeric code is an error code and stays', () => {
  const { lines, stream } = capture()
  pinoLogger([{ level: 'debug', stream }]).info('call-failed', { code: 4006, answer: { code: 5000 } })
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ code: 4006, answer: { code: 5000 } })
})

test('each target gets the lines of its level', { tags: ['9.1-16', '9.1-17'] }, () => {
  const [all, few] = [capture(), capture()]
  const log = pinoLogger([
    { level: 'warn', stream: few.stream },
    { level: 'info', stream: all.stream },
  ])
  log.debug('peer-closed')
  log.info('session-ready')
  log.error('call-failed')
  expect([all.lines, few.lines].map((lines) => lines.map((line) => JSON.parse(line).event))).toEqual([
    ['session-ready', 'call-failed'],
    ['call-failed'],
  ])
})

test('without a target nothing is written', () => expect(() => pinoLogger([]).error('call-failed')).not.toThrow())

test('an error has its message, its stack and its cause', () => {
  const { lines, stream } = capture()
  pinoLogger([{ level: 'debug', stream }]).error('call-failed', { err: new Error('outer', { cause: new Error('inner') }) })
  const { err } = JSON.parse(lines[0] ?? '') as { err: { type: string; message: string; stack: string } }
  expect(err).toMatchObject({ type: 'Error', message: 'outer: inner' })
  expect(err.stack).toContain('caused by: Error: inner')
})

test('a line cannot steer the terminal that shows it, and parses to the same data', () => {
  const { lines, stream } = capture()
  const name = 'a\u009b2J\u202eb\u200b\u007f'
  pinoLogger([{ level: 'info', stream }]).info('session-ready', { name })
  expect(lines[0]).toMatch(/^[\x20-\x7e]+\n$/)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ name })
})
