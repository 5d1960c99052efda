/** Files of a call: base64 data in the call, or a path on the machine of the game and the daemon. */
import * as z from 'zod'
import { once } from '../once.ts'
import { LIMITS } from '../limits.ts'
import { text } from '../schema/index.ts'

/** A file name without folders and control characters; not `.` or `..`. */
export const FILE_NAME = /^(?!\.{1,2}$)[^\p{Cc}/\\]+$/u
const MEDIA_TYPE = /^[A-Za-z0-9!#$&^_.+-]{1,127}\/[A-Za-z0-9!#$&^_.+-]{1,127}$/
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
/** Maximum path length of the supported operating systems. */
const PATH_CHARACTERS = 32_767

export const FileName = once(() =>
  z.string().min(1).max(LIMITS.attachmentText.value).regex(FILE_NAME, 'must be a file name without a folder'),
)
export const ContentType = once(() => z.string().regex(MEDIA_TYPE, 'must be a media type such as image/png'))
export const Base64 = once(() => z.string().regex(BASE64, 'must be base64'))

/** As BEGIN_UPLOAD returns it. */
export const UploadId = once(() => z.string().regex(/^[0-9a-f-]{36}$/, 'must be an id that BEGIN_UPLOAD returned'))

export const FileInput = once(() =>
  z
    .strictObject({
      filename: FileName().optional().meta({
        description: 'File name that the platform shows; required with data, default: the last part of path, or the name of the upload.',
      }),
      content_type: ContentType().optional().meta({ description: 'Media type of the file; default: detected by the platform.' }),
      data: Base64().optional().meta({
        description: 'File content in base64, also in MessagePack. The frame limit applies, so use it for small files only.',
      }),
      path: z.string().min(1).max(PATH_CHARACTERS).optional().meta({
        description:
          'Absolute path of a regular file that the daemon reads; rejected for callers with a different view of the file system.',
      }),
      upload_id: UploadId().optional().meta({ description: 'A complete upload of this connection: BEGIN_UPLOAD, UPLOAD_CHUNK.' }),
    })
    .check((context) => {
      const { data, path, filename, upload_id: upload } = context.value
      const refuse = (at: string, message: string) => context.issues.push({ code: 'custom', path: [at], message, input: context.value })
      if ([data, path, upload].filter((one) => one !== undefined).length !== 1)
        refuse('path', 'or data or upload_id is required, and only one')
      if (data !== undefined && filename === undefined) refuse('filename', 'is required with data')
    })
    .meta({ id: 'FileInput', description: 'A file to send: data with filename, or path, or upload_id.' }),
)
export type FileInput = z.output<ReturnType<typeof FileInput>>

export const FileInputs = once(() =>
  z
    .array(FileInput())
    .max(LIMITS.messageAttachments.value)
    .meta({
      description: `Files to send, each of at most ${LIMITS.attachmentBytes.value} bytes; entries of attachments refer to them by their index.`,
    }),
)

/** Which files a user may choose. */
export const FileTypes = once(() =>
  z
    .array(text(1, LIMITS.channelName.value))
    .max(LIMITS.fileTypes.value)
    .meta({ description: 'Kinds of files that the user may choose, as the platform names them.' }),
)
