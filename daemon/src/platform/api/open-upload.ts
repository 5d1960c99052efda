/** Opens the files of a call, given as data or by path, for upload. */
import { basename } from 'node:path'
import { FILE_NAME, type FileInput, type FileUpload, LIMITS } from '@sallyport/protocol'
import { BridgeError } from '@sallyport/core/errors'
import type { OutgoingFile } from './forwarder-port.ts'
import type { UploadedFile } from './chunked-uploads.ts'
import { openLocalFile } from './local-file.ts'
import { pathAccessDenial } from './path-access.ts'
import type { PeerIdentity } from '../../ipc/transport/transport.ts'

/** Opens a file that the caller sent in chunks. `field`: the argument with its id. Rejects with INVALID_PAYLOAD. */
type OpenUploaded = (id: string, field: string) => Promise<UploadedFile>

/**
 * Returns the arguments with an OutgoingFile for each file. Rejects with INVALID_PAYLOAD and the field for a file that is too large, not
 * regular, unreadable, or that the game may not name by path.
 */
export async function openUpload(
  upload: FileUpload,
  args: Readonly<Record<string, unknown>>,
  peer: PeerIdentity,
  openUploaded: OpenUploaded,
): Promise<Readonly<Record<string, unknown>>> {
  const { argument, isList, limitArgument } = upload
  const given = args[argument] as FileInput | readonly FileInput[] | null | undefined
  if (given === undefined || given === null) return args
  const inputs = [given].flat() as readonly FileInput[]
  const at = (index: number): string => (isList ? `${argument}[${index}]` : argument)
  const byPath = inputs.findIndex(({ path }) => path !== undefined)
  const refused = byPath < 0 ? undefined : pathAccessDenial(peer)
  if (refused !== undefined) throw invalid(`${at(byPath)}.path`, refused)
  // Sequential, so that ten files on a slow disk do not occupy ten threads.
  const files: OutgoingFile[] = []
  // The platform checks the size again, so a game gains nothing by naming a limit that its interaction does not have.
  const most = (limitArgument === undefined ? undefined : (args[limitArgument] as number | undefined)) ?? LIMITS[upload.fileLimit].value
  for (const [index, input] of inputs.entries()) files.push(await opened(input, at(index), upload, most, openUploaded))
  return { ...args, [argument]: isList ? files : files[0] }
}

async function opened(
  { filename, content_type: contentType, data, path, upload_id: id }: FileInput,
  at: string,
  upload: FileUpload,
  most: number,
  openUploaded: OpenUploaded,
): Promise<OutgoingFile> {
  const field = `${at}.${id !== undefined ? 'upload_id' : path === undefined ? 'data' : 'path'}`
  const uploaded = id === undefined ? undefined : await openUploaded(id, field)
  const content = uploaded ?? (path === undefined ? inline(data ?? '') : await openLocalFile(path, field))
  if (content.bytes > most) throw invalid(field, `is a file of ${content.bytes} bytes; at most ${most} are allowed`)
  return {
    bytes: content.bytes,
    chunks: content.chunks,
    filename: filename ?? uploaded?.filename ?? nameFrom(path ?? '', at),
    contentType: contentType ?? uploaded?.contentType ?? upload.contentType,
  }
}

function inline(base64: string): Pick<OutgoingFile, 'bytes' | 'chunks'> {
  const content = Buffer.from(base64, 'base64')
  return {
    bytes: content.length,
    async *chunks() {
      yield content
    },
  }
}

function nameFrom(path: string, at: string): string {
  const name = basename(path)
  if (!FILE_NAME.test(name) || name.length > LIMITS.attachmentText.value)
    throw invalid(`${at}.filename`, 'is required because the last path segment is not a valid file name for the platform')
  return name
}

const invalid = (path: string, what: string): BridgeError => new BridgeError('INVALID_PAYLOAD', `"${path}" ${what}.`, { path })
