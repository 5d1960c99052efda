/** The error for data that a newer version of the program has migrated. An older version leaves such data unchanged. */
import { BridgeError } from '../errors.ts'

/** Callers give it an exit code of its own. */
export class NewerDataError extends BridgeError {
  override readonly name = 'NewerDataError'
}

/** `what`: the beginning of a sentence, up to the reason. */
export const newerData = (what: string, found: number, supported: number): NewerDataError =>
  new NewerDataError(
    'SERVICE_UNAVAILABLE',
    `${what}: its format version is ${found}, but this program supports up to ${supported}. ` +
      'A newer version of Sallyport has used it. Install that version again, or move the data away to start with none.',
  )
