/**
 * Files that games send in chunks. Each is a private file until its connection ends, it is cancelled, or no call used it for a while. The
 * whole size is charged to the program at the start, so a program never fills the disk.
 *
 *   begin ──▶ receiving ──the last byte──▶ complete: calls may send it, any number of times
 *               └── cancel, connection ended, idle ──▶ deleted
 */
import { randomUUID } from 'node:crypto'
import { closeSync, openSync, readdirSync, rmSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { LIMITS } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import { SECOND_MS } from '@sallyport/core/durations'
import { BridgeError } from '@sallyport/core/errors'
import { openPrivateFolder } from '@sallyport/core/storage/safe-folder'
import type { OutgoingFile } from './forwarder-port.ts'
import { openLocalFile } from './local-file.ts'

interface UploadFile {
  readonly filename: string
  readonly contentType: string | undefined
  readonly bytes: number
}

/** An upload that is ready to send. */
export type UploadedFile = Pick<OutgoingFile, 'bytes' | 'chunks'> & Pick<UploadFile, 'filename' | 'contentType'>

interface Upload extends UploadFile {
  readonly path: string
  readonly release: () => void
  /** Bytes of the chunks so far, also of those that are still written. */
  received: number
  /** Settles when all chunks so far are written. */
  written: Promise<void>
  cancelTimer: () => void
}

interface ChunkedUploadsDeps {
  /** Created at the first upload. */
  readonly folder: string
  readonly clock: Clock
}

const IDLE_MS = LIMITS.uploadIdleMs.value
/** Longer than any upload lives without a write. */
const LEFTOVER_MS = 24 * 60 * 60 * SECOND_MS

const refused = (path: string, message: string): BridgeError => new BridgeError('INVALID_PAYLOAD', message, { path })

export class ChunkedUploads {
  readonly #deps: ChunkedUploadsDeps
  /** By connection and id: another connection cannot use an upload. */
  readonly #byConnection = new Map<number, Map<string, Upload>>()
  #isOpen = false

  constructor(deps: ChunkedUploadsDeps) {
    this.#deps = deps
  }

  /** `release` frees the charge of the program. Throws SERVICE_UNAVAILABLE if the folder cannot be used. */
  begin(connection: number, file: UploadFile, release: () => void): string {
    const id = randomUUID()
    const path = join(this.#deps.folder, id)
    this.#openFolder()
    closeSync(openSync(path, 'wx', 0o600))
    const upload: Upload = { ...file, path, release, received: 0, written: Promise.resolve(), cancelTimer: () => {} }
    const all = this.#byConnection.get(connection) ?? new Map<string, Upload>()
    this.#byConnection.set(connection, all.set(id, upload))
    this.#touch(connection, id, upload)
    return id
  }

  /** Resolves with the bytes received. Rejects with INVALID_PAYLOAD for a chunk out of order or beyond the end. */
  async append(connection: number, id: string, offset: number, chunk: Buffer): Promise<number> {
    const upload = this.#find(connection, id, 'upload_id')
    if (offset !== upload.received) throw refused('offset', `"offset" must be ${upload.received}, the bytes that have arrived.`)
    const end = offset + chunk.length
    if (end > upload.bytes) throw refused('data', `"data" ends at byte ${end} of a file that was announced with ${upload.bytes} bytes.`)
    if (chunk.length === 0 || chunk.length > LIMITS.uploadChunkBytes.value)
      throw refused('data', `"data" must have 1 to ${LIMITS.uploadChunkBytes.value} bytes, ${chunk.length} given.`)
    upload.received = end
    upload.written = upload.written.then(() => writeAt(upload.path, chunk, offset))
    this.#touch(connection, id, upload)
    try {
      await upload.written
    } catch (failure) {
      this.#delete(connection, id)
      throw new BridgeError('SERVICE_UNAVAILABLE', 'The chunk could not be stored; begin the upload again.', {}, { cause: failure })
    }
    return end
  }

  /** Opens a complete upload for a call. `field` names the argument. */
  async open(connection: number, id: string, field: string): Promise<UploadedFile> {
    const upload = this.#find(connection, id, field)
    await upload.written
    if (upload.received < upload.bytes)
      throw refused(field, `"${field}" names an upload that is not complete: ${upload.received} of ${upload.bytes} bytes have arrived.`)
    this.#touch(connection, id, upload)
    const { filename, contentType } = upload
    return { ...(await openLocalFile(upload.path, field)), filename, contentType }
  }

  cancel(connection: number, id: string): void {
    this.#delete(connection, id)
  }

  /** Deletes the uploads of a connection that has ended. */
  endConnection(connection: number): void {
    const uploads = this.#byConnection.get(connection)
    if (uploads !== undefined) for (const id of [...uploads.keys()]) this.#delete(connection, id)
  }

  #find(connection: number, id: string, field: string): Upload {
    const upload = this.#byConnection.get(connection)?.get(id)
    if (upload !== undefined) return upload
    throw refused(field, `"${field}" names no upload of this connection; it was cancelled, or unused for ${IDLE_MS / 60_000} minutes.`)
  }

  #touch(connection: number, id: string, upload: Upload): void {
    upload.cancelTimer()
    upload.cancelTimer = this.#deps.clock.after(IDLE_MS, () => this.#delete(connection, id))
  }

  #delete(connection: number, id: string): void {
    const all = this.#byConnection.get(connection)
    const upload = all?.get(id)
    if (all === undefined || upload === undefined) return
    all.delete(id)
    if (all.size === 0) this.#byConnection.delete(connection)
    upload.cancelTimer()
    upload.release()
    rmSync(upload.path, { force: true })
  }

  /** Creates the folder, and deletes what a killed daemon left in it. */
  #openFolder(): void {
    if (this.#isOpen) return
    const { folder, clock } = this.#deps
    openPrivateFolder(folder)
    for (const name of readdirSync(folder)) {
      const path = join(folder, name)
      if (clock.now() - statSync(path).mtimeMs > LEFTOVER_MS) rmSync(path, { force: true })
    }
    this.#isOpen = true
  }
}

async function writeAt(path: string, chunk: Buffer, offset: number): Promise<void> {
  const handle = await open(path, 'r+')
  try {
    await handle.write(chunk, 0, chunk.length, offset)
  } finally {
    await handle.close()
  }
}
