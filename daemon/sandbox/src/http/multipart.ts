/** Multipart bodies: the JSON of the arguments, and files. */
import type { IncomingHttpHeaders } from 'node:http'
import { PlatformError } from '../platform-error.ts'
import type { MultipartBody, ReceivedFile, SandboxRequest } from './exchange.ts'

const TYPE = 'multipart/form-data'

export const isMultipart = (headers: IncomingHttpHeaders): boolean => (headers['content-type'] ?? '').toLowerCase().startsWith(`${TYPE};`)

/** `most`: bytes of each file. Rejects with invalidForm for a malformed body, invalidJson, and tooLarge for a larger file. */
export async function readParts({ headers, body }: SandboxRequest, most: number): Promise<MultipartBody> {
  const files: ReceivedFile[] = []
  const fields: Record<string, string> = {}
  let payload: string | undefined
  for (const [part, value] of await formData(headers['content-type'] ?? '', body)) {
    if (typeof value === 'string') {
      if (part === 'payload_json') payload = value
      else fields[part] = value
    } else if (part === 'payload_json') payload = await value.text()
    else files.push(await received(part, value, most))
  }
  return { payload: payload === undefined ? undefined : parsed(payload), fields, files }
}

async function formData(contentType: string, body: Buffer): Promise<FormData> {
  try {
    return await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } }).formData()
  } catch {
    const message = 'The parts of the body cannot be read.'
    throw new PlatformError('invalidForm', { errors: { _errors: [{ code: 'BODY_INVALID', message }] } })
  }
}

async function received(part: string, file: File, most: number): Promise<ReceivedFile> {
  if (file.size > most) throw new PlatformError('tooLarge')
  return { part, filename: file.name, contentType: file.type || 'application/octet-stream', bytes: Buffer.from(await file.arrayBuffer()) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new PlatformError('invalidJson')
  }
}
