/** Stored records of uploaded files. */

/** The metadata of a message's file. */
export interface StoredAttachment {
  readonly id: string
  readonly filename: string
  readonly description: string | null
  readonly contentType: string
  /** Bytes. */
  readonly size: number
  readonly isSpoiler: boolean
}

/** A file of an application, outside messages. */
export interface StoredApplicationAttachment extends StoredAttachment {
  readonly applicationId: string
}

/** The bytes of a file. */
export interface StoredFile {
  /** The id of the attachment. */
  readonly id: string
  readonly base64: string
  /** Bytes before base64 encoding. */
  readonly size: number
}
