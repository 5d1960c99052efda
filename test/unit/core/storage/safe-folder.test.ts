/** Folders and files are private; paths that other users could have created or could replace are rejected with a message. */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  constants,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openPrivateFolder, openSocketFolder, withPrivateFile } from '@sallyport/core/storage/safe-folder'
import { canBeOther, OTHER_UID } from '#test/support/other-user.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sallyport-'))
})
afterEach(() => rmSync(root, { recursive: true }))

const folder = (name: string, mode = 0o700, uid?: number): string => {
  const path = join(root, name)
  mkdirSync(path)
  chmodSync(path, mode)
  if (uid !== undefined) chownSync(path, uid, uid)
  return path
}

describe.skipIf(process.platform === 'win32')('a private folder', () => {
  test('is created with its parents', () => {
    const made = join(root, 'deep', 'er')
    openPrivateFolder(made)
    openPrivateFolder(made)
    expect(statSync(made).mode & 0o777).toBe(0o700)
    expect(statSync(join(root, 'deep')).mode & 0o777).toBe(0o700)
  })

  test('is rejected while others can access it, with the command to fix it, and not modified', () => {
    const open = folder('open', 0o755)
    expect(() => openPrivateFolder(open)).toThrow(`chmod 700 '${open}'`)
    expect(statSync(open).mode & 0o777).toBe(0o755)
    chmodSync(open, 0o700)
    openPrivateFolder(open)
  })

  test('is rejected if it is a link', () => {
    const link = join(root, 'link')
    symlinkSync(folder('real'), link)
    expect(() => openPrivateFolder(link)).toThrow(/is not a folder \(/)
  })

  test.runIf(canBeOther)('is rejected if it belongs to another user', () => {
    expect(() => openPrivateFolder(folder('theirs', 0o700, OTHER_UID))).toThrow(/another user/)
  })

  test('is rejected below a world-writable folder, unless that is sticky', () => {
    const above = folder('above', 0o777)
    expect(() => openPrivateFolder(join(above, 'data'))).toThrow(`they can modify ${above}`)
    chmodSync(above, 0o1777)
    openPrivateFolder(join(above, 'data'))
    chmodSync(above, 0o775)
    openPrivateFolder(join(above, 'data'))
  })

  test.runIf(canBeOther)('is rejected below a folder of another user', () => {
    const above = folder('above', 0o755, OTHER_UID)
    expect(() => openPrivateFolder(join(above, 'data'))).toThrow(`they can modify ${above}`)
  })

  test('does not replace a file', () => {
    const file = join(root, 'file')
    writeFileSync(file, '')
    expect(() => openPrivateFolder(file)).toThrow(/EEXIST/)
    expect(() => openPrivateFolder(join(file, 'below'))).toThrow(/EEXIST|ENOTDIR/)
  })

  test.runIf(process.platform === 'linux')('is rejected where the system cannot create it', () => {
    expect(() => openPrivateFolder('/proc/none/deep')).toThrow(/ENOENT/)
  })
})

describe.skipIf(process.platform === 'win32')('a folder of sockets', () => {
  test('is created private if missing', () => {
    const made = join(root, 'run')
    expect(openSocketFolder(made)).toBe('private')
    expect(statSync(made).mode & 0o777).toBe(0o700)
  })

  test('may be readable for others, and writable only if sticky; then it is shared', () => {
    expect(openSocketFolder(folder('readable', 0o755))).toBe('private')
    expect(openSocketFolder(folder('sticky', 0o1777))).toBe('shared')
    const writable = folder('writable', 0o777)
    expect(() => openSocketFolder(writable)).toThrow(`chmod go-w '${writable}'`)
  })

  test.runIf(canBeOther)('is rejected if it, or a link to it, belongs to another user', () => {
    expect(() => openSocketFolder(folder('theirs', 0o1777, OTHER_UID))).toThrow(/another user/)
    const link = join(root, 'link')
    symlinkSync(folder('ours'), link)
    expect(openSocketFolder(link)).toBe('private')
    lchownSync(link, OTHER_UID, OTHER_UID)
    expect(() => openSocketFolder(link)).toThrow(/another user/)
  })
})

describe.skipIf(process.platform === 'win32')('a private file', () => {
  const { O_CREAT, O_RDONLY, O_WRONLY } = constants
  const text = (file: string) => withPrivateFile(file, O_RDONLY, (fd) => readFileSync(fd, 'utf8'))

  test('is created private and read; a missing one is undefined', () => {
    const file = join(root, 'file')
    expect(text(file)).toBeUndefined()
    withPrivateFile(file, O_WRONLY | O_CREAT, (fd) => writeFileSync(fd, 'hello'))
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(text(file)).toBe('hello')
  })

  test('is rejected without blocking if it is a link, a FIFO, a folder, or accessible to others', () => {
    const file = join(root, 'file')
    writeFileSync(file, 'secret', { mode: 0o600 })
    const link = join(root, 'link')
    symlinkSync(file, link)
    const fifo = join(root, 'fifo')
    execFileSync('mkfifo', ['-m', '600', fifo])
    for (const path of [link, fifo, folder('folder')]) {
      expect(() => text(path)).toThrow(/is not a file \(/)
    }
    chmodSync(file, 0o640)
    expect(() => text(file)).toThrow(`chmod 600 '${file}'`)
  })

  test('is not created through a dangling link', () => {
    const link = join(root, 'link')
    symlinkSync(join(root, 'elsewhere'), link)
    expect(() => withPrivateFile(link, O_WRONLY | O_CREAT, () => {})).toThrow(/is not a file \(/)
    expect(() => statSync(join(root, 'elsewhere'))).toThrow(/ENOENT/)
  })

  test.runIf(canBeOther)('is rejected if it belongs to another user', () => {
    const file = join(root, 'file')
    writeFileSync(file, '', { mode: 0o600 })
    chownSync(file, OTHER_UID, OTHER_UID)
    expect(() => text(file)).toThrow(/another user/)
  })
})
