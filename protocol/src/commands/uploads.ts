/** Commands that send a file in chunks, for files that fit into no frame and for callers that cannot name a path. */
import * as z from 'zod'
import { LIMITS } from '../limits.ts'
import { Base64, ContentType, FileName, UploadId } from '../records/file.ts'
import { empty, wholeNumber } from '../schema/index.ts'
import { anyOf } from '../scopes.ts'
import { defineCommand } from './define.ts'

export const beginUpload = defineCommand({
  name: 'BEGIN_UPLOAD',
  summary: 'Begin to send a file in chunks. Its id is then a file of any call of this connection, as upload_id in place of data or path.',
  handledBy: 'bridge',
  requires: anyOf('rpc.authenticated'),
  args: () =>
    z.strictObject({
      filename: FileName(),
      content_type: ContentType().optional(),
      bytes: wholeNumber(1, LIMITS.attachmentBytesMost.value).meta({ description: 'Size of the whole file.' }),
    }),
  data: () =>
    z.looseObject({
      upload_id: UploadId(),
      chunk_bytes: z.number().int().meta({ description: 'Maximum bytes of a chunk; the frame limit applies too.' }),
      expires_in: z
        .number()
        .int()
        .meta({ description: 'Seconds without a chunk or a call with it, after which the bridge deletes the file.' }),
    }),
  errors: ['RATE_LIMITED'],
  provenance: 'sallyport',
})

export const uploadChunk = defineCommand({
  name: 'UPLOAD_CHUNK',
  summary: 'Send the next chunk of an upload. Returns how many bytes of the file have arrived.',
  handledBy: 'bridge',
  requires: anyOf('rpc.authenticated'),
  args: () =>
    z.strictObject({
      upload_id: UploadId(),
      offset: wholeNumber(0, LIMITS.attachmentBytesMost.value).meta({ description: 'Bytes that were sent before; chunks come in order.' }),
      data: Base64()
        .max(Math.ceil(LIMITS.uploadChunkBytes.value / 3) * 4)
        .meta({ description: 'The chunk in base64.' }),
    }),
  data: () => z.looseObject({ received: z.number().int() }),
  provenance: 'sallyport',
})

export const cancelUpload = defineCommand({
  name: 'CANCEL_UPLOAD',
  summary: 'Delete an upload. No effect without one.',
  handledBy: 'bridge',
  requires: anyOf('rpc.authenticated'),
  args: () => z.strictObject({ upload_id: UploadId() }),
  data: empty,
  provenance: 'sallyport',
})
