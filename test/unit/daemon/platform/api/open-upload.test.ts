import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ENDPOINTS, LIMITS } from '@sallyport/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bytesOf } from '#test/support/bytes.ts'
import type { PeerIdentity } from '#daemon/src/ipc/transport/transport.ts'
import { openUpload } from '#daemon/src/platform/api/open-upload.ts'
import type { OutgoingFile } from '#daemon/src/platform/api/forwarder-port.ts'

const MESSAGE = ENDPOINTS.CREATE_MESSAGE.upload ?? expect.unreachable()
const RESPONSE = ENDPOINTS.CREATE_FOLLOWUP_MESSAGE.upload ?? expect.unreachable()
const USERS = ENDPOINTS.UPDATE_TARGET_USERS.upload ?? expect.unreachable()
const uid = process.getuid?.()
const ME: PeerIdentity = {
  trust: 'kernel',
  ...(uid === undefined ? {} : { uid }),
  pid: process.pid,
  kind: 'native',
  executable: '/games/game',
  file: '1:2:3:4:5',
  process: { pid: process.pid, isUnchanged: () => true, read: (look) => look(process.pid), release() {} },
}
const noUpload = () => Promise.reject(new Error('no upload'))
const MOST = LIMITS.attachmentBytes.value

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sp-up-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const made = (name: string, content: string | Buffer = 'Ahoy'): string => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}
const sized = (name: string, bytes: number): string => {
  const path = made(name, '')
  truncateSync(path, bytes)
  return path
}
const open = async (files: readonly object[], peer = ME): Promise<readonly OutgoingFile[]> =>
  (await openUpload(MESSAGE, { channel_id: '1', files }, peer, noUpload))['files'] as readonly OutgoingFile[]
const contentOf = (file: OutgoingFile | undefined): Promise<Buffer> => bytesOf(file?.chunks() ?? expect.unreachable())
const refusal = (path: string, says: RegExp) => ({
  error: 'INVALID_PAYLOAD',
  detail: { path },
  message: expect.stringMatching(says) as string,
})

describe('a file within the call', () => {
  it('is sent with its bytes, name and content type', async () => {
    const [file] = await open([{ filename: 'a.png', content_type: 'image/png', data: Buffer.from([0, 255, 10]).toString('base64') }])
    expect(file).toMatchObject({ filename: 'a.png', contentType: 'image/png', bytes: 3 })
    expect(await contentOf(file)).toEqual(Buffer.from([0, 255, 10]))
  })

  it('has the content type of its row by default', async () => {
    expect(await open([{ filename: 'a', data: '' }])).toMatchObject([{ contentType: 'application/octet-stream', bytes: 0 }])
    const opened = await openUpload(USERS, { code: 'x', target_users_file: { filename: 'u.csv', data: 'dXNlcl9pZA==' } }, ME, noUpload)
    expect(opened).toMatchObject({ code: 'x', target_users_file: { filename: 'u.csv', contentType: 'text/csv', bytes: 7 } })
  })

  it('needs no check of the caller', async () => {
    expect(await open([{ filename: 'a', data: 'AAAA' }], { trust: 'directory' })).toHaveLength(1)
  })

  it('that is absent leaves the arguments unchanged', async () => {
    const args = { channel_id: '1', content: 'x' }
    expect(await openUpload(MESSAGE, args, ME, noUpload)).toBe(args)
  })
})

describe('a file by its path', () => {
  it('is sent with its content and own name, in each attempt', async () => {
    const content = Buffer.from(Array.from({ length: 200_000 }, (_, index) => index % 251))
    const [file] = await open([{ path: made('chart 1.bin', content) }])
    expect(file).toMatchObject({ filename: 'chart 1.bin', bytes: content.length })
    expect(await contentOf(file)).toEqual(content)
    expect(await contentOf(file)).toEqual(content)
  })

  it('may have another name', async () => {
    expect(await open([{ path: made('x.tmp'), filename: 'chart.png' }])).toMatchObject([{ filename: 'chart.png' }])
  })

  it('may be a link', async () => {
    symlinkSync(made('real.txt'), join(folder, 'link.txt'))
    expect(await open([{ path: join(folder, 'link.txt') }])).toMatchObject([{ filename: 'link.txt', bytes: 4 }])
  })

  it('is limited to the attachment size before any read', async () => {
    const [file] = await open([{ path: sized('most.bin', MOST) }])
    expect(file?.bytes).toBe(10_485_760)
    const over = { path: sized('over.bin', MOST + 1) }
    await expect(open([{ path: made('small.bin') }, over])).rejects.toMatchObject(
      refusal('files[1].path', /10485761 bytes; at most 10485760 are allowed/),
    )
    await expect(openUpload(USERS, { target_users_file: over }, ME, noUpload)).rejects.toMatchObject(
      refusal('target_users_file.path', /at most 10485760/),
    )
  })

  it('may be as large as the interaction says, which may be more or less than the default', { tags: ['2.2-41'] }, async () => {
    const respond = (bytes: number, attachment_size_limit: number) =>
      openUpload(RESPONSE, { files: [{ path: sized('response.bin', bytes) }], attachment_size_limit }, ME, noUpload)
    expect(await respond(2 * MOST, 2 * MOST)).toMatchObject({ files: [{ bytes: 2 * MOST }] })
    await expect(respond(2 * MOST + 1, 2 * MOST)).rejects.toMatchObject(refusal('files[0].path', /20971521 bytes; at most 20971520/))
    await expect(respond(1_001, 1_000)).rejects.toMatchObject(refusal('files[0].path', /1001 bytes; at most 1000/))
  })

  it('is checked individually', async () => {
    const files = Array.from({ length: 10 }, (_, index) => ({ path: sized(`${index}.bin`, MOST) }))
    expect(await open(files)).toHaveLength(10)
  })

  it.each([
    ['a folder', () => folder, /regular file/],
    ['a device', () => '/dev/zero', /regular file/],
    ['nothing', () => join(folder, 'none'), /ENOENT/],
    ['a relative path', () => 'chart.txt', /absolute path/],
    ['a path with a zero byte', () => `${folder}/a\0b`, /absolute path/],
  ])('is rejected as %s', async (_, path, message) => {
    await expect(open([{ path: path() }])).rejects.toMatchObject(refusal('files[0].path', message))
  })

  it('is rejected as a named pipe, without waiting for a writer', async () => {
    const path = join(folder, 'pipe')
    execFileSync('mkfifo', [path])
    await expect(open([{ path }])).rejects.toMatchObject(refusal('files[0].path', /regular file/))
  })

  it('needs a name when its own is invalid', async () => {
    await expect(open([{ path: made('a\nb') }])).rejects.toMatchObject(refusal('files[0].filename', /is required/))
  })

  it('that changed after the check is not sent', async () => {
    const path = made('chart.txt', 'one')
    const [file] = await open([{ path }])
    rmSync(path)
    writeFileSync(path, 'other')
    await expect(contentOf(file)).rejects.toMatchObject(refusal('files[0].path', /changed before it was sent/))
  })

  it('that is missing when it is sent causes an error', async () => {
    const path = made('chart.txt', 'one')
    const [file] = await open([{ path }])
    rmSync(path)
    await expect(contentOf(file)).rejects.toMatchObject(refusal('files[0].path', /ENOENT/))
  })

  it('that becomes a named pipe does not block', async () => {
    const path = made('chart.txt', 'one')
    const [file] = await open([{ path }])
    rmSync(path)
    execFileSync('mkfifo', [path])
    await expect(contentOf(file)).rejects.toMatchObject(refusal('files[0].path', /regular file/))
  })

  it('is rejected for a caller with another view of the file system', async () => {
    await expect(open([{ path: made('a') }], { trust: 'kernel', uid: (uid ?? 0) + 1 })).rejects.toMatchObject(
      refusal('files[0].path', /another user/),
    )
  })
})
