import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { quietExpectedWarnings } from '#daemon/src/cli/expected-warnings.ts'

test('suppresses only the expected warnings', () => {
  const source = new EventEmitter() as unknown as NodeJS.Process
  const shown: string[] = []
  source.on('warning', (warning) => shown.push(warning.message))
  quietExpectedWarnings(source)
  const experimental = (message: string) => Object.assign(new Error(message), { name: 'ExperimentalWarning' })
  source.emit('warning', experimental('FFI is an experimental feature and might change at any time'))
  source.emit('warning', experimental('SQLite is an experimental feature and might change at any time'))
  source.emit('warning', experimental('Something else is an experimental feature'))
  source.emit('warning', Object.assign(new Error('FFI is an experimental feature'), { name: 'DeprecationWarning' }))
  expect(shown).toEqual(['Something else is an experimental feature', 'FFI is an experimental feature'])
})
