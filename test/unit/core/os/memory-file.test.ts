import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { withMemoryFile } from '@sallyport/core/os/memory-file'

test.skipIf(process.platform !== 'linux')('exists during the call and cannot be modified', () => {
  const bytes = Buffer.alloc(300_000, 'ab')
  const { path, refused } = withMemoryFile(bytes, (place) => {
    expect(readFileSync(place).equals(bytes)).toBe(true)
    let code: unknown
    try {
      writeFileSync(place, 'other bytes', { flag: 'r+' })
    } catch (failure) {
      code = (failure as NodeJS.ErrnoException).code
    }
    return { path: place, refused: code }
  })
  expect(refused).toBe('EPERM')
  expect(() => readFileSync(path)).toThrow()
})
