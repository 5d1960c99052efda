/** A setting or argument that cannot be used. The sentence is for the person who wrote it. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
}
