/** What each exit code means, for the manual and the guides. Not beside the codes, which each start loads. */
import type { EXIT } from './exit-codes.ts'

export const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  ok: 'done',
  failed: 'failed; see the message',
  usage: 'the command line, a variable or a settings file is invalid',
  noDaemon: 'no running daemon was found',
  refused: 'the daemon answered the call with an error',
  newerData: 'the data is from a newer version',
  notChecked: '`doctor` found nothing wrong, but could not check everything',
}
