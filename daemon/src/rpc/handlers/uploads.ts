/** BEGIN_UPLOAD, UPLOAD_CHUNK, CANCEL_UPLOAD: files in chunks. */
import { LIMITS } from '@sallyport/protocol'
import { SECOND_MS } from '@sallyport/core/durations'
import { BridgeError } from '@sallyport/core/errors'
import type { Accounting } from '../../accounting/accounting.ts'
import type { ChunkedUploads } from '../../platform/api/chunked-uploads.ts'
import type { HandlerMap } from '../context.ts'

export interface UploadDeps {
  readonly uploads: Pick<ChunkedUploads, 'begin' | 'append' | 'cancel'>
  readonly accounting: Pick<Accounting, 'charge'>
}

export const uploadHandlers = ({ uploads, accounting }: UploadDeps) =>
  ({
    BEGIN_UPLOAD: ({ filename, content_type: contentType, bytes }, { session }) => {
      // An empty file still is one, so many tiny uploads are bounded too.
      const release = accounting.charge('uploads', session.program, Math.max(bytes, LIMITS.uploadChunkBytes.value))
      if (release === undefined)
        throw new BridgeError(
          'RATE_LIMITED',
          'The uploads of this program take all the space that it may have; cancel one, or wait for its end.',
        )
      try {
        const id = uploads.begin(session.connection.id, { filename, contentType, bytes }, release)
        return { upload_id: id, chunk_bytes: LIMITS.uploadChunkBytes.value, expires_in: LIMITS.uploadIdleMs.value / SECOND_MS }
      } catch (failure) {
        release()
        throw failure
      }
    },

    UPLOAD_CHUNK: async ({ upload_id: id, offset, data }, { session }) => ({
      received: await uploads.append(session.connection.id, id, offset, Buffer.from(data, 'base64')),
    }),

    CANCEL_UPLOAD: ({ upload_id: id }, { session }) => {
      uploads.cancel(session.connection.id, id)
      return null
    },
  }) satisfies Partial<HandlerMap>
