/** Port for opening the files of an upload. */
import type { FileUpload } from '@sallyport/protocol'
import type { PeerIdentity } from '../../ipc/transport/transport.ts'

/**
 * Returns the arguments with an OutgoingFile for each file. Rejects with INVALID_PAYLOAD and the field for a file that is too large, not
 * regular, unreadable, or that the game may not name by path.
 */
export type OpenUpload = (
  upload: FileUpload,
  args: Readonly<Record<string, unknown>>,
  peer: PeerIdentity,
) => Promise<Readonly<Record<string, unknown>>>
