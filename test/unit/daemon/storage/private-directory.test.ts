/** Folders are made for this user alone, and what cannot be made is told instead of tried forever. */
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makePrivateDirectory } from '../../../../daemon/src/storage/private-directory.ts'

describe.skipIf(process.platform === 'win32')('a private folder', () => {
  let root: string
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'sallyport-'))
  })
  afterEach(() => rmSync(root, { recursive: true }))

  test('is made with those above it; one that exists is left as it is', () => {
    const made = join(root, 'deep', 'er')
    makePrivateDirectory(made)
    expect(statSync(made).mode & 0o777).toBe(0o700)
    chmodSync(made, 0o755)
    makePrivateDirectory(made)
    expect(statSync(made).mode & 0o777).toBe(0o755)
  })

  test('is not made in place of a file', () => {
    const file = join(root, 'file')
    writeFileSync(file, '')
    expect(() => makePrivateDirectory(file)).toThrow(/EEXIST/)
    expect(() => makePrivateDirectory(join(file, 'below'))).toThrow(/EEXIST|ENOTDIR/)
  })

  test.runIf(process.platform === 'linux')('is refused where the system takes no new ones', () => {
    expect(() => makePrivateDirectory('/proc/none/deep')).toThrow(/ENOENT/)
  })
})
