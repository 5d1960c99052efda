/** An invalid setting or argument. The message is for the user. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
}
