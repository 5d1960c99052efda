/** Files in chunks: order, size, owner, end of life, and what a killed daemon left. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LIMITS } from '@sallyport/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ChunkedUploads } from '#daemon/src/platform/api/chunked-uploads.ts'
import { bytesOf } from '#test/support/bytes.ts'
import { FakeClock } from '#test/support/fake-clock.ts'

const GAME = 1
const OTHER = 2
const IDLE_MS = LIMITS.uploadIdleMs.value

let parent: string
let folder: string
let clock: FakeClock
let uploads: ChunkedUploads
let released: number
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'sp-chunks-'))
  folder = join(parent, 'uploads')
  clock = new FakeClock()
  uploads = new ChunkedUploads({ folder, clock })
  released = 0
})
afterEach(() => rmSync(parent, { recursive: true, force: true }))

const begin = (bytes: number, connection = GAME): string =>
  uploads.begin(connection, { filename: 'chart.bin', contentType: undefined, bytes }, () => void (released += 1))
const send = (id: string, offset: number, text: string, connection = GAME) => uploads.append(connection, id, offset, Buffer.from(text))
const refusal = (path: string, message: RegExp) => ({ error: 'INVALID_PAYLOAD', detail: { path }, message: expect.stringMatching(message) })
const files = (): readonly string[] => (existsSync(folder) ? readdirSync(folder) : [])

describe('an upload', () => {
  it('is the file of its chunks, in any call and as often as it is sent', async () => {
    const id = begin(10)
    expect([await send(id, 0, 'Ahoy'), await send(id, 4, ' there')]).toEqual([4, 10])
    for (let call = 0; call < 2; call++) {
      const file = await uploads.open(GAME, id, 'files[0].upload_id')
      expect(file).toMatchObject({ filename: 'chart.bin', bytes: 10, contentType: undefined })
      expect((await bytesOf(file.chunks())).toString()).toBe('Ahoy there')
    }
  })

  it('keeps the order of chunks that are sent without waiting', async () => {
    const id = begin(3_000)
    const sent = Array.from({ length: 30 }, (_, index) => send(id, index * 100, String.fromCharCode(65 + index).repeat(100)))
    expect((await Promise.all(sent)).at(-1)).toBe(3_000)
    const content = (await bytesOf((await uploads.open(GAME, id, 'f')).chunks())).toString()
    expect(content).toBe(Array.from({ length: 30 }, (_, index) => String.fromCharCode(65 + index).repeat(100)).join(''))
  })

  it('is private to the user', () => {
    begin(1)
    const [name = ''] = files()
    expect([statSync(folder).mode & 0o777, statSync(join(folder, name)).mode & 0o777]).toEqual([0o700, 0o600])
  })

  it('refuses chunks out of order, beyond its end, and too large', async () => {
    const id = begin(LIMITS.uploadChunkBytes.value + 10)
    await send(id, 0, 'Ahoy')
    await expect(send(id, 0, 'Ahoy')).rejects.toMatchObject(refusal('offset', /must be 4/))
    await expect(send(id, 5, 'x')).rejects.toMatchObject(refusal('offset', /must be 4/))
    await expect(send(id, 4, '')).rejects.toMatchObject(refusal('data', /1 to 524288 bytes, 0 given/))
    await expect(send(id, 4, 'x'.repeat(LIMITS.uploadChunkBytes.value + 1))).rejects.toMatchObject(refusal('data', /524289 given/))
    const small = begin(3)
    await expect(send(small, 0, 'Ahoy')).rejects.toMatchObject(refusal('data', /ends at byte 4 .* announced with 3 bytes/))
  })

  it('cannot be sent before it is complete, or by another connection', async () => {
    const id = begin(4)
    await send(id, 0, 'Ah')
    await expect(uploads.open(GAME, id, 'files[0].upload_id')).rejects.toMatchObject(refusal('files[0].upload_id', /2 of 4 bytes/))
    await send(id, 2, 'oy')
    await expect(uploads.open(OTHER, id, 'f')).rejects.toMatchObject(refusal('f', /no upload of this connection/))
    await expect(send(id, 4, 'x', OTHER)).rejects.toMatchObject(refusal('upload_id', /no upload of this connection/))
    uploads.cancel(OTHER, id)
    expect((await uploads.open(GAME, id, 'f')).bytes).toBe(4)
  })
})

describe('an upload ends, its charge is released once and its file is deleted', () => {
  it('when it is cancelled', () => {
    const id = begin(4)
    uploads.cancel(GAME, id)
    uploads.cancel(GAME, id)
    expect([files(), released, clock.pending]).toEqual([[], 1, 0])
  })

  it('with its connection', () => {
    begin(4)
    begin(4)
    begin(4, OTHER)
    uploads.endConnection(GAME)
    expect([files().length, released, clock.pending]).toEqual([1, 2, 1])
  })

  it('when it was not used for ten minutes; each chunk and each call prolongs it', async () => {
    const id = begin(4)
    clock.advance(IDLE_MS - 1)
    await send(id, 0, 'Ahoy')
    clock.advance(IDLE_MS - 1)
    await uploads.open(GAME, id, 'f')
    clock.advance(IDLE_MS - 1)
    expect(released).toBe(0)
    clock.advance(1)
    expect([files(), released]).toEqual([[], 1])
    await expect(uploads.open(GAME, id, 'f')).rejects.toMatchObject(refusal('f', /unused for 10 minutes/))
  })
})

it('files that a killed daemon left a day ago are deleted at the first upload', () => {
  mkdirSync(folder, { mode: 0o700 })
  for (const name of ['old', 'new']) writeFileSync(join(folder, name), '')
  const now = clock.now() / 1000
  utimesSync(join(folder, 'old'), now - 90_000, now - 90_000)
  utimesSync(join(folder, 'new'), now, now)
  const id = begin(4)
  expect(files().toSorted()).toEqual([id, 'new'].toSorted())
})
