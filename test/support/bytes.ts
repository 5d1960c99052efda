/** All of a stream as one piece. */
export async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<Buffer<ArrayBuffer>> {
  const all: Uint8Array[] = []
  for await (const chunk of chunks) all.push(chunk)
  return Buffer.concat(all)
}
