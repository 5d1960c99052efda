import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ENDPOINTS } from '@sallyport/protocol'
import { afterEach, describe, expect, it } from 'vitest'
import { systemClock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import { Secret } from '@sallyport/core/secret'
import { silentLogger } from '#test/support/silent-logger.ts'
import { openUpload } from '#daemon/src/platform/api/open-upload.ts'
import { createForwarder } from '#daemon/src/platform/api/forwarder.ts'
import { Warnings } from '#daemon/src/platform/api/warnings.ts'
import { createHttpSend } from '#daemon/src/platform/api/http.ts'
import type { OutgoingFile } from '#daemon/src/platform/api/forwarder-port.ts'

const MIB = 1024 * 1024
const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

/** A forwarder to a test server. */
async function world(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const client = createHttpSend()
  closers.push(() => client.close())
  const forwarder = createForwarder({
    profile: { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, userAgent: 'tests' },
    send: client.send,
    clock: systemClock,
    log: silentLogger,
    warnings: new Warnings(systemClock, silentLogger),
    random: () => 0,
  })
  closers.push(() => forwarder.close())
  const controller = new AbortController()
  const users = (file: OutgoingFile) =>
    forwarder.forward(
      ENDPOINTS.UPDATE_TARGET_USERS,
      { code: 'aBc', target_users_file: file },
      { kind: 'bot', applicationId: '1', token: new Secret('bot-token') },
      controller.signal,
      systemClock.now() + 20_000,
    )
  return { users, abort: () => controller.abort() }
}

const swallowed = async (request: IncomingMessage): Promise<{ readonly bytes: number; readonly hash: string }> => {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    hash.update(chunk)
  }
  return { bytes, hash: hash.digest('hex') }
}
const noContent = (response: ServerResponse) => response.writeHead(204).end()

/** Generates this many bytes on demand; records how many were requested and whether the iteration ended. */
function stream(bytes: number) {
  const progress = { made: 0, isEnded: false }
  const file: OutgoingFile = {
    filename: 'users.csv',
    contentType: 'text/csv',
    bytes,
    async *chunks() {
      progress.made = 0
      try {
        for (; progress.made < bytes; progress.made += 65_536) yield Buffer.alloc(65_536, progress.made % 251)
      } finally {
        progress.isEnded = true
      }
    },
  }
  return { file, progress }
}

describe('a body with files', () => {
  it('arrives complete, with a content length', async () => {
    const seen: unknown[] = []
    const { users } = await world((request, response) => {
      void swallowed(request).then(({ bytes }) => {
        seen.push([request.headers['content-length'] === String(bytes), request.headers['transfer-encoding'], bytes > 10 * MIB])
        noContent(response)
      })
    })
    expect(await users(stream(10 * MIB).file)).toBeNull()
    expect(seen).toEqual([[true, undefined, true]])
  })

  it('is streamed: bytes read and bytes received stay close', async () => {
    const { file, progress } = stream(96 * MIB)
    let received = 0
    let widest = 0
    const { users } = await world((request, response) => {
      request.on('data', (chunk: Buffer) => {
        received += chunk.length
        widest = Math.max(widest, progress.made - received)
      })
      request.on('end', () => noContent(response))
    })
    expect(await users(file)).toBeNull()
    expect(received).toBeGreaterThan(96 * MIB)
    expect(widest).toBeLessThan(48 * MIB)
  })

  it('is read only as fast as it is received', async () => {
    const { file, progress } = stream(20 * MIB)
    let arrived: () => void = () => {}
    const head = new Promise<void>((resolve) => (arrived = resolve))
    const { users, abort } = await world((request) => {
      request.pause()
      arrived()
    })
    const call = users(file)
    call.catch(() => {})
    await head
    // Enough event-loop turns to read everything without backpressure.
    for (let turn = 0; turn < 500; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    expect(progress.made).toBeLessThan(20 * MIB)
    abort()
    await expect(call).rejects.toBeInstanceOf(BridgeError)
  })

  it('is sent again from its start after a 429', async () => {
    const seen: string[] = []
    const { users } = await world((request, response) => {
      void swallowed(request).then(({ hash }) => {
        seen.push(hash)
        if (seen.length > 1) return noContent(response)
        return response
          .writeHead(429, { 'retry-after': '0', 'content-type': 'application/json' })
          .end('{"retry_after":0.01,"global":false}')
      })
    })
    expect(await users(stream(3 * MIB).file)).toBeNull()
    expect(seen).toHaveLength(2)
    expect(seen[0]).toBe(seen[1])
  })

  it('is not read further when the caller disconnects', async () => {
    const { file, progress } = stream(20 * MIB)
    const { users, abort } = await world((request) => {
      request.once('data', () => {
        request.pause()
        abort()
      })
    })
    await expect(users(file)).rejects.toMatchObject({ error: 'TRANSACTION_ABORTED' })
    while (!progress.isEnded) await new Promise((resolve) => setImmediate(resolve))
    expect(progress.made).toBeLessThan(20 * MIB)
  })

  it('that is missing when it is sent has its own error', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sp-up-'))
    closers.push(() => rmSync(folder, { recursive: true, force: true }))
    const path = join(folder, 'users.csv')
    writeFileSync(path, 'user_id\n1\n')
    const { users } = await world(
      (request, response) =>
        void swallowed(request).then(
          () => noContent(response),
          () => {},
        ),
    )
    const upload = ENDPOINTS.UPDATE_TARGET_USERS.upload ?? expect.unreachable()
    const uid = process.getuid?.()
    const held = { pid: process.pid, isUnchanged: () => true, read: <T>(look: (pid: number) => T) => look(process.pid), release: () => {} }
    const program = { executable: process.execPath, file: '1:2:3:4:5', process: held }
    const peer = { trust: 'kernel', pid: process.pid, ...program, ...(uid === undefined ? {} : { uid }) } as const
    const opened = await openUpload(upload, { target_users_file: { path } }, peer, () => Promise.reject(new Error('no upload')))
    rmSync(path)
    await expect(users(opened['target_users_file'] as OutgoingFile)).rejects.toMatchObject({
      error: 'INVALID_PAYLOAD',
      detail: { path: 'target_users_file.path' },
    })
  })
})
