import { createHash } from 'node:crypto'
import {
  appendFileSync,
  type BigIntStats,
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { programContents } from '#daemon/src/identity/content.ts'
import { comparableFileAt, fileAt, isUntimed, untimedIdentity } from '#daemon/src/identity/file-identity.ts'
import type { ProcessHandle } from '#daemon/src/identity/process-handle.ts'
import type { FileIdentity } from '#daemon/src/identity/program.ts'
import { afterStep } from '#test/support/clock-step.ts'

const directory = mkdtempSync(join(tmpdir(), 'content-'))
afterAll(() => rmSync(directory, { recursive: true }))

const made = (name: string, text: string): FileIdentity => {
  const executable = join(directory, name)
  writeFileSync(executable, text)
  return { executable, file: fileAt(executable) ?? '' }
}
const hash = (text: string): string => createHash('sha256').update(text).digest('hex')
const runs = (imagePath: string): ProcessHandle => ({
  pid: 1,
  imagePath,
  isUnchanged: () => true,
  read: (look) => look(1),
  release: () => {},
})

test('a native program is the hash of its file, read once until it changes', async () => {
  const contents = programContents()
  const program = made('one', 'first')
  expect(await contents.of(program)).toBe(hash('first'))
  rmSync(program.executable)
  expect(await contents.of(program), 'remembered').toBe(hash('first'))
  const changed = made('one', 'second')
  expect(changed.file).not.toBe(program.file)
  expect(await contents.of(changed)).toBe(hash('second'))
})

test('the file that runs is read, not what lies at its path by now', async () => {
  const image = made('image', 'what runs')
  const program = { executable: join(directory, 'elsewhere'), file: image.file, process: runs(image.executable) }
  expect(await programContents().of(program)).toBe(hash('what runs'))
})

test('a script is its interpreter and itself', async () => {
  const interpreter = made('interpreter', 'i')
  const script = made('script', 's')
  expect(await programContents().of({ kind: 'script', ...script, interpreter })).toBe(`${hash('i')}+${hash('s')}`)
})

test('the namespace before the file of a container is no part of its content', async () => {
  const { executable, file } = made('contained', 'c')
  expect(await programContents().of({ kind: 'container', container: 'other', executable, file: `mnt:[7]:${file}` })).toBe(hash('c'))
})

test('nothing is said of a file that is not as it was seen, is none, or is not there', async () => {
  const contents = programContents()
  const program = made('changed', 'a')
  appendFileSync(program.executable, 'b')
  expect(await contents.of(program)).toBeUndefined()
  symlinkSync(directory, join(directory, 'folder'))
  expect(await contents.of({ executable: join(directory, 'folder'), file: fileAt(directory) ?? '' })).toBeUndefined()
  expect(await contents.of({ executable: join(directory, 'gone'), file: '1:2:3:4:5' })).toBeUndefined()
  expect(await contents.of({ uid: 1 })).toBeUndefined()
})

test('a file of a flaky moment is read again', async () => {
  const contents = programContents()
  const { executable, file } = made('late', 'x')
  const away = { executable: `${executable}.away`, file }
  expect(await contents.of(away)).toBeUndefined()
  expect(await contents.of({ executable, file })).toBe(hash('x'))
})

const EXT = 0xef_53
const isOnExt = process.platform === 'linux' && statfsSync(directory).type === EXT
const PROT_READ_WRITE = 3
const MAP_SHARED = 1

/** The file in memory, and a write to its first byte there. */
function mapped(path: string, bytes: number) {
  const { mmap, memset } = process.getBuiltinModule('node:ffi').dlopen(null, {
    mmap: { arguments: ['uint64', 'uint64', 'int32', 'int32', 'int32', 'int64'], return: 'uint64' },
    memset: { arguments: ['uint64', 'int32', 'uint64'], return: 'uint64' },
  }).functions
  const fd = openSync(path, 'r+')
  const at = mmap(0n, BigInt(bytes), PROT_READ_WRITE, MAP_SHARED, fd, 0n)
  closeSync(fd)
  return (byte: string) => memset(at, byte.charCodeAt(0), 1n)
}

test.skipIf(!isOnExt)('a write to a mapped page after the hash changes ctime, though one before had begun', async () => {
  const { executable } = made('mapped', 'game')
  const write = mapped(executable, 4)
  write('g')
  const file = fileAt(executable) ?? ''
  expect(await programContents().of({ executable, file })).toBe(hash('game'))
  afterStep(directory)
  write('f')
  expect(readFileSync(executable, 'utf8')).toBe('fame')
  expect(fileAt(executable)).not.toBe(file)
})

const changed = (ctimeMs: number, dev: bigint): BigIntStats => ({ dev, ctimeMs: BigInt(ctimeMs) }) as BigIntStats

test.skipIf(!isOnExt)('a file that changed just now may change again with the same ctime', () => {
  const { dev } = statSync(directory, { bigint: true })
  expect(isUntimed(directory, changed(Date.now() + 1_000, dev))).toBe(true)
  expect(isUntimed(directory, changed(Date.now() - 60_000, dev))).toBe(false)
})

test.skipIf(process.platform !== 'linux')('ctime counts on the file systems of a list only', () => {
  const proc = statSync('/proc/version', { bigint: true })
  expect(isUntimed('/proc/version', changed(0, proc.dev))).toBe(true)
})

const MEMORY = '/dev/shm'
const TMPFS = 0x01_02_19_94
const isMemory = process.platform === 'linux' && statfsSync(MEMORY, { bigint: false }).type === TMPFS

test.skipIf(!isMemory)('a file in memory may change without its ctime, so it is read each time', async () => {
  const folder = mkdtempSync(join(MEMORY, 'content-'))
  const executable = join(folder, 'game')
  try {
    const contents = programContents()
    const hashes: (string | undefined)[] = []
    for (const text of ['one', 'two']) {
      writeFileSync(executable, text)
      utimesSync(executable, 1, 1)
      expect(isUntimed(executable, statSync(executable, { bigint: true }))).toBe(true)
      expect(comparableFileAt(executable), 'a launch of it is asked for again').not.toBe(comparableFileAt(executable))
      hashes.push(await contents.of({ executable, file: untimedIdentity(fileAt(executable) ?? '') }))
    }
    expect(hashes).toEqual([hash('one'), hash('two')])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
