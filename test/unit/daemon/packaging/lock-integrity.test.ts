import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { addMissingIntegrity } from '#daemon/packaging/lock-integrity.ts'
import { integrityOf, type Pack } from '#daemon/packaging/npm-package.ts'

const pack: Pack = (specifier, folder) => {
  if (specifier.startsWith('gone')) return Promise.reject(new Error('not found'))
  writeFileSync(join(folder, 'a.tgz'), specifier)
  return Promise.resolve()
}

it('adds the missing integrity, where npm would write it, and changes nothing else', async () => {
  const kept = {
    '': { version: '0.1.0' },
    'node_modules/ours': { link: true },
    'node_modules/proven': { version: '1.0.0', integrity: 'sha512-proven', dev: true },
    'node_modules/gone': { version: '3.0.0' },
  }
  const { lock, missing } = await addMissingIntegrity(
    { lockfileVersion: 3, packages: { ...kept, 'node_modules/a/node_modules/@b/c': { version: '2.0.0', dev: true } } },
    pack,
  )
  const added = { version: '2.0.0', integrity: integrityOf(Buffer.from('@b/c@2.0.0')), dev: true }
  expect(JSON.stringify(lock)).toBe(
    JSON.stringify({ lockfileVersion: 3, packages: { ...kept, 'node_modules/a/node_modules/@b/c': added } }),
  )
  expect(missing).toEqual(['gone@3.0.0'])
})
