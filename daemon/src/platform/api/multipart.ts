/** Multipart bodies in the format of RFC 7578 and browsers. They are streamed, so that no file is held in memory. */
import { randomUUID } from 'node:crypto'
import type { MultipartBody } from './forwarder-port.ts'

const BREAK = '\r\n'

/** Characters that would end the quoted name, escaped as in browsers. */
const ESCAPES: Readonly<Record<string, string>> = { '"': '%22', '\r': '%0D', '\n': '%0A' }
const quoted = (text: string): string => `"${text.replace(/["\r\n]/g, (character) => ESCAPES[character] ?? '')}"`

/** The body and its `content-type`. `payload` is JSON text; `fields` are text parts by name. */
export function multipart(
  payload: string | undefined,
  files: MultipartBody['files'],
  fields: MultipartBody['fields'] = {},
): { readonly contentType: string; readonly body: MultipartBody } {
  // Random, so that no file can contain it: it is created after the file was chosen.
  const boundary = `sallyport-${randomUUID()}`
  const head = (disposition: string, contentType: string): Buffer =>
    Buffer.from(`--${boundary}${BREAK}content-disposition: form-data; ${disposition}${BREAK}content-type: ${contentType}${BREAK}${BREAK}`)
  const text = (name: string, contentType: string, value: string): Buffer =>
    Buffer.concat([head(`name=${quoted(name)}`, contentType), Buffer.from(value), Buffer.from(BREAK)])
  const lead = Buffer.concat([
    ...(payload === undefined ? [] : [text('payload_json', 'application/json', payload)]),
    ...Object.entries(fields).map(([name, value]) => text(name, 'text/plain; charset=utf-8', value)),
  ])
  const parts = files.map(({ part, file }) => ({
    head: head(`name=${quoted(part)}; filename=${quoted(file.filename)}`, file.contentType),
    file,
  }))
  const tail = Buffer.from(`--${boundary}--${BREAK}`)
  const bytes = parts.reduce((sum, one) => sum + one.head.length + one.file.bytes + BREAK.length, lead.length + tail.length)

  async function* chunks(): AsyncGenerator<Uint8Array> {
    if (lead.length > 0) yield lead
    for (const part of parts) {
      yield part.head
      yield* part.file.chunks()
      yield Buffer.from(BREAK)
    }
    yield tail
  }
  return { contentType: `multipart/form-data; boundary=${boundary}`, body: { payload, fields, files, bytes, chunks } }
}
