/** Pictures and files that embeds and components name by address; `attachment://` is a file of the same message. */
import type { Attachment } from '@sallyport/protocol'

/** An object as its sender wrote it: null stands for a field that is left out. */
export type Sent = Readonly<Record<string, unknown>>

/** Without the fields that are null, also in the objects inside. */
export const filledIn = (sent: Sent): Sent =>
  Object.fromEntries(Object.entries(sent).flatMap(([name, value]) => (value == null ? [] : [[name, inside(value)]])))

const inside = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(inside) : typeof value === 'object' && value !== null ? filledIn(value as Sent) : value

export interface MediaView {
  /** The address of the file itself. */
  address(url: string): string
  /** Media of a component. */
  unfurled(url: string): object
  /** Name and size of a file of the message. */
  nameAndSize(url: string): object
}

/** `messageId`: media outside of the message have ids after it. */
export function mediaOf(messageId: string, attachments: readonly Attachment[]): MediaView {
  let count = 0n
  const fileOf = (url: string): Attachment | undefined => {
    const name = /^attachment:\/\/(.*)$/.exec(url)?.[1]
    return name === undefined ? undefined : attachments.find(({ filename }) => filename === name)
  }
  return {
    address: (url) => fileOf(url)?.url ?? url,
    unfurled(url) {
      count += 1n
      const file = fileOf(url)
      const own = { id: String(BigInt(messageId) + count), url: file?.url ?? url, proxy_url: file?.proxy_url ?? url }
      return file === undefined ? own : { ...own, content_type: file.content_type, attachment_id: file.id }
    },
    nameAndSize(url) {
      const file = fileOf(url)
      return { name: file?.filename ?? null, size: file?.size ?? null }
    },
  }
}
