/** Opening the files that callers hand over or name: the port, as the handlers of calls know it. */
import type { FileUpload } from '@sallyport/protocol'
import type { PeerIdentity } from '../../ipc/transport/transport.ts'

/**
 * The arguments with an OutgoingFile in place of each file that was given. Rejects with INVALID_PAYLOAD, naming the field, for a file that is
 * too large, is no regular file, cannot be read, or that the caller may not name by its path.
 */
export type OpenUpload = (
  upload: FileUpload,
  args: Readonly<Record<string, unknown>>,
  peer: PeerIdentity,
) => Promise<Readonly<Record<string, unknown>>>
