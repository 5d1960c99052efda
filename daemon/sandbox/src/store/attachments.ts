/** What the sandbox platform keeps of uploaded files. */

/** A file of a message, as its message knows it. */
export interface StoredAttachment {
  readonly id: string
  readonly filename: string
  readonly description: string | null
  readonly contentType: string
  /** Bytes. */
  readonly size: number
  readonly isSpoiler: boolean
}

/** The bytes of a file. */
export interface StoredFile {
  /** That of the attachment. */
  readonly id: string
  readonly base64: string
  /** Bytes before they became base64. */
  readonly size: number
}
