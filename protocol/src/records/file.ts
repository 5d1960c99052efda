/** Files that go with a call: handed over within it, or named by their path on the machine of game and daemon. */
import * as z from 'zod'
import { LIMITS } from '../limits.ts'

/** No folders and no control characters; neither `.` nor `..`. */
export const FILE_NAME = /^(?!\.{1,2}$)[^\p{Cc}/\\]+$/u
const MEDIA_TYPE = /^[A-Za-z0-9!#$&^_.+-]{1,127}\/[A-Za-z0-9!#$&^_.+-]{1,127}$/
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
/** Longest path that any of the systems takes. */
const PATH_CHARACTERS = 32_767

export const FileInput = z
  .strictObject({
    filename: z
      .string()
      .min(1)
      .max(LIMITS.attachmentText.value)
      .regex(FILE_NAME, 'must be a file name without a folder')
      .optional()
      .meta({ description: 'Name that the platform shows; needed with data, else the last part of path.' }),
    content_type: z
      .string()
      .regex(MEDIA_TYPE, 'must be a media type such as image/png')
      .optional()
      .meta({ description: 'The kind of the file, when the platform is not to find it out by itself.' }),
    data: z
      .string()
      .regex(BASE64, 'must be base64')
      .optional()
      .meta({ description: 'The bytes in base64, in MessagePack too; bounded by the largest frame, so for small files.' }),
    path: z.string().min(1).max(PATH_CHARACTERS).optional().meta({
      description: 'Absolute path of a regular file that the daemon reads; refused for callers that see other files than it does.',
    }),
  })
  .check((context) => {
    const { data, path, filename } = context.value
    const refuse = (at: string, message: string) => context.issues.push({ code: 'custom', path: [at], message, input: context.value })
    if ((data === undefined) === (path === undefined)) refuse('path', 'or data must be given, and not both')
    if (data !== undefined && filename === undefined) refuse('filename', 'is needed with data')
  })
  .meta({ id: 'FileInput', description: 'A file to send: data with filename, or path.' })
export type FileInput = z.output<typeof FileInput>

export const FileInputs = z
  .array(FileInput)
  .max(LIMITS.messageAttachments.value)
  .meta({
    description: `Files to send, each of at most ${LIMITS.attachmentBytes.value} bytes; entries of attachments name them by their place here.`,
  })
