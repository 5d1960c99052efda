/** File uploads through the real daemon: by path, at and over the limit with bounded memory, inline, and from programs that may not name paths. */
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LIMITS } from '@sallyport/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BOT_TOKEN, startWalked, type WalkedDaemon } from './support/walked-daemon.ts'
import type { RawClient } from './support/raw-client.ts'

const MOST = LIMITS.attachmentBytes.value

let folder: string
let daemon: WalkedDaemon
let game: RawClient
let channel: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sp-up-'))
  daemon = await startWalked(BOT_TOKEN)
  game = await daemon.game(await daemon.token(['identify']), { contract: '1.0' })
  const channels = daemon.state.guilds.flatMap(({ channels: all }) => all)
  channel = channels.find(({ name }) => name === 'general')?.id ?? ''
})
afterAll(async () => {
  game.hangUp()
  await daemon.stop()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

const hash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const made = (name: string, bytes: number): string => {
  const path = join(folder, name)
  writeFileSync(path, Buffer.alloc(bytes, 'Ahoy, there! '))
  return path
}
const write = (files: readonly object[], more: object = {}) => game.call('CREATE_MESSAGE', { channel_id: channel, files, ...more })

describe('files through the daemon', () => {
  it('of 10 MiB go from their path to the platform, byte for byte', { tags: ['8-8'] }, async () => {
    const path = made('chart.bin', MOST)
    const { evt, data } = await write([{ path }], { attachments: [{ id: '0', description: 'All of it', is_spoiler: true }] })
    expect(evt, JSON.stringify(data)).toBeNull()
    const [attachment] = data.attachments as readonly { readonly url: string }[]
    expect(attachment).toMatchObject({ filename: 'chart.bin', size: MOST, description: 'All of it', flags: 8 })
    const served = await fetch(attachment?.url ?? '')
    expect(hash(new Uint8Array(await served.arrayBuffer()))).toBe(hash(readFileSync(path)))
  })

  it('of one byte more are refused before anything is sent', { tags: ['4.1-rules-21', '8-8'] }, async () => {
    const { evt, data } = await write([{ path: made('small.bin', 1) }, { path: made('over.bin', MOST + 1) }])
    expect({ evt, ...data }).toMatchObject({
      evt: 'ERROR',
      code: 4000,
      path: 'files[1].path',
      message: expect.stringMatching(/10485761 bytes; at most 10485760 are allowed/) as string,
    })
    expect(data).not.toHaveProperty('http_status')
  })

  it('of 9 MiB each go together, because each has a limit of its own', async () => {
    const bytes = 9 * 1024 * 1024
    const path = made('chart.bin', bytes)
    const { evt, data } = await write([{ path }, { path }, { path }])
    expect(evt, JSON.stringify(data)).toBeNull()
    expect(data.attachments).toMatchObject([{ size: bytes }, { size: bytes }, { size: bytes }])
  })

  it('go in chunks, without a path and larger than any frame', async () => {
    const content = Buffer.alloc(3_000_000, 'Ahoy, there! ')
    const begun = await game.call('BEGIN_UPLOAD', { filename: 'chunks.bin', bytes: content.length })
    const { upload_id, chunk_bytes } = begun.data as { readonly upload_id: string; readonly chunk_bytes: number }
    for (let offset = 0; offset < content.length; offset += chunk_bytes) {
      const data = content.subarray(offset, offset + chunk_bytes).toString('base64')
      const { evt, data: answer } = await game.call('UPLOAD_CHUNK', { upload_id, offset, data })
      expect({ evt, ...answer }).toEqual({ evt: null, received: Math.min(offset + chunk_bytes, content.length) })
    }
    const { evt, data } = await write([{ upload_id }])
    expect(evt, JSON.stringify(data)).toBeNull()
    const [attachment] = data.attachments as readonly { readonly url: string }[]
    expect(attachment).toMatchObject({ filename: 'chunks.bin', size: content.length })
    expect(hash(new Uint8Array(await (await fetch(attachment?.url ?? '')).arrayBuffer()))).toBe(hash(content))
    expect((await game.call('CANCEL_UPLOAD', { upload_id })).data).toBeNull()
    expect((await write([{ upload_id }])).data).toMatchObject({ code: 4000, path: 'files[0].upload_id' })
  })

  it('go within the call too', async () => {
    const content = Buffer.alloc(500_000, 'x')
    const { evt, data } = await write([{ filename: 'inline.bin', data: content.toString('base64') }])
    expect(evt, JSON.stringify(data)).toBeNull()
    const [attachment] = data.attachments as readonly { readonly url: string }[]
    expect(hash(new Uint8Array(await (await fetch(attachment?.url ?? '')).arrayBuffer()))).toBe(hash(content))
  })

  it('stay when an edit keeps them, beside a new one', async () => {
    const { data: message } = await write([{ filename: 'a.txt', data: 'YQ==' }])
    const [first] = message.attachments as readonly { readonly id: string }[]
    const { data } = await game.call('EDIT_MESSAGE', {
      channel_id: channel,
      message_id: message.id,
      files: [{ path: made('b.txt', 3) }],
      attachments: [
        { id: first?.id, description: 'First' },
        { id: '0', description: 'Second' },
      ],
    })
    expect(data.attachments).toMatchObject([
      { id: first?.id, filename: 'a.txt', description: 'First' },
      { filename: 'b.txt', size: 3, description: 'Second' },
    ])
  })

  it('list the users of an invite, who are read back as a list', { tags: ['4.1-rules-3'] }, async () => {
    const grace = daemon.state.users.find(({ username }) => username === 'grace')?.id ?? ''
    const mary = daemon.state.users.find(({ username }) => username === 'mary')?.id ?? ''
    const list = (...ids: readonly string[]) => {
      const path = join(folder, 'crew.csv')
      writeFileSync(path, ['user_id', ...ids].join('\n'))
      return { path }
    }
    const { data: invite } = await game.call('CREATE_CHANNEL_INVITE_BY_BOT', { channel_id: channel, target_users_file: list(grace) })
    const code = invite.code as string
    expect((await game.call('GET_TARGET_USERS', { code })).data).toEqual({ user_ids: [grace] })
    expect((await game.call('UPDATE_TARGET_USERS', { code, target_users_file: list(grace, mary) })).data).toBeNull()
    expect((await game.call('GET_TARGET_USERS', { code })).data).toEqual({ user_ids: [grace, mary] })
    expect((await game.call('GET_TARGET_USERS_JOB_STATUS', { code })).data).toMatchObject({ total_users: 2 })
    const { data: refused } = await game.call('UPDATE_TARGET_USERS', { code, target_users_file: list('99') })
    expect(refused).toMatchObject({
      code: 4000,
      platform_code: 50_035,
      path: 'target_users_file',
      message: expect.stringContaining('99') as string,
    })
  })
})
