/** Files of messages: stored with their message, and served until newer files need the space. */
import { ATTACHMENT_IS_SPOILER, type Attachment } from '@sallyport/protocol'
import { FILES_KEPT_BYTES } from '../constants.ts'
import type { RouteHandler, ReceivedFile, SandboxReply } from '../http/exchange.ts'
import { PlatformError } from '../platform-error.ts'
import type { Platform } from '../platform.ts'
import type { StoredAttachment } from '../store/attachments.ts'
import type { Write } from '../store/collection.ts'
import { formErrors } from './form-errors.ts'

/** The fields of an attachment in a request. */
interface AttachmentRequest {
  readonly id: string
  readonly filename?: string | null | undefined
  readonly description?: string | null | undefined
  readonly is_spoiler?: boolean | null | undefined
}

const SPOILER_PREFIX = 'SPOILER_'
export const ATTACHMENT_PATH = '/attachments/{channel_id}/{attachment_id}/{filename}'

/** White space in names becomes an underscore. */
const stored = (id: string, file: ReceivedFile, said: AttachmentRequest | undefined): StoredAttachment => ({
  id,
  filename: (said?.filename ?? file.filename).replace(/\s+/g, '_'),
  description: said?.description ?? null,
  contentType: file.contentType,
  size: file.bytes.length,
  isSpoiler: said?.is_spoiler ?? false,
})

/** Throws tooLarge for a file of more than `most` bytes. */
export function checkSizes(files: readonly ReceivedFile[], most: number): void {
  if (files.some(({ bytes }) => bytes.length > most)) throw new PlatformError('tooLarge')
}

/** Returns the new attachments of a message, with their request fields, and the writes that store the files. */
export function received(
  { store, ids }: Platform,
  files: readonly ReceivedFile[],
  requested: readonly AttachmentRequest[],
): { readonly attachments: StoredAttachment[]; readonly writes: Write[] } {
  const attachments = files.map((file, place) =>
    stored(
      ids.next(),
      file,
      requested.find(({ id }) => id === String(place)),
    ),
  )
  const contents = files.map((file, place) => {
    const id = attachments[place]?.id ?? ''
    return store.files.put(id, { id, base64: file.bytes.toString('base64'), size: file.bytes.length })
  })
  return { attachments, writes: [...evictionWrites(store, files), ...contents] }
}

/** Deletes the oldest files until the new ones fit. */
function evictionWrites(store: Platform['store'], files: readonly ReceivedFile[]): Write[] {
  const kept = store.files.all()
  let excess = [...kept.map(({ size }) => size), ...files.map(({ bytes }) => bytes.length)].reduce((a, b) => a + b, 0) - FILES_KEPT_BYTES
  return kept.flatMap(({ id, size }) => {
    if (excess <= 0) return []
    excess -= size
    return [store.files.delete(id)]
  })
}

/**
 * The attachments after an edit: listed ones stay with their new fields; new files are added; without a list all stay.
 * Throws invalidForm for an unknown id.
 */
export function retained(
  platform: Platform,
  before: readonly StoredAttachment[],
  files: readonly ReceivedFile[],
  requested: readonly AttachmentRequest[] | null | undefined,
): { readonly attachments: StoredAttachment[]; readonly writes: Write[] } {
  const isNew = ({ id }: AttachmentRequest): boolean => Number(id) < files.length
  const named = (requested ?? []).filter((one) => !isNew(one))
  const unknown = named.find(({ id }) => !before.some((one) => one.id === id))
  if (unknown !== undefined) {
    const place = String((requested ?? []).indexOf(unknown))
    throw invalidAttachment(place, `There is no file ${unknown.id}.`)
  }
  const kept = requested === undefined ? before : named.flatMap((one) => before.filter(({ id }) => id === one.id).map(changedBy(one)))
  const dropped = before.filter(({ id }) => !kept.some((one) => one.id === id))
  const added = received(platform, files, (requested ?? []).filter(isNew))
  return {
    attachments: [...kept, ...added.attachments],
    writes: [...dropped.map(({ id }) => platform.store.files.delete(id)), ...added.writes],
  }
}

const changedBy =
  ({ description, is_spoiler: isSpoiler }: AttachmentRequest) =>
  (one: StoredAttachment): StoredAttachment => ({
    ...one,
    ...(description === undefined ? {} : { description }),
    ...(isSpoiler === undefined || isSpoiler === null ? {} : { isSpoiler }),
  })

const invalidAttachment = (place: string, message: string): PlatformError =>
  new PlatformError('invalidForm', {
    errors: formErrors([{ code: 'custom', path: ['attachments', place, 'id'], message, input: undefined }], undefined),
  })

export function attachmentView(
  platform: Platform,
  channelId: string,
  { id, filename, description, contentType, size, isSpoiler }: StoredAttachment,
): Attachment {
  const url = `${platform.origin()}/attachments/${channelId}/${id}/${encodeURIComponent(filename)}`
  return {
    id,
    filename,
    ...(description === null ? {} : { description }),
    content_type: contentType,
    size,
    url,
    proxy_url: url,
    flags: isSpoiler || filename.startsWith(SPOILER_PREFIX) ? ATTACHMENT_IS_SPOILER : 0,
  }
}

/** Types that browsers only display. Any other type could be a page that acts with the sandbox's origin. */
const HARMLESS = /^(?:image\/(?:png|jpeg|gif|webp|avif)|audio\/[a-z0-9.+-]+|video\/[a-z0-9.+-]+)$/

/** Serves the bytes of a file. */
export const serveAttachment =
  ({ store }: Platform): RouteHandler =>
  ({ params }): SandboxReply => {
    const { channel_id: channelId = '', attachment_id: id = '', filename = '' } = params
    const ofMessages = store.channelMessages.group(channelId).flatMap(({ attachments = [] }) => attachments)
    // The group of a file outside messages is its application.
    const attachment = [...ofMessages, ...store.applicationAttachments.group(channelId)].find(
      (one) => one.id === id && one.filename === filename,
    )
    const file = store.files.get(id)
    if (attachment === undefined || file === undefined) throw new PlatformError('notFound')
    return {
      status: 200,
      headers: {
        'content-type': HARMLESS.test(attachment.contentType) ? attachment.contentType : 'application/octet-stream',
        'content-security-policy': "default-src 'none'; sandbox",
        'x-content-type-options': 'nosniff',
      },
      body: Buffer.from(file.base64, 'base64'),
    }
  }
