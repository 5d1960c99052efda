/** Internal subcommand that runs the program as the keychain child. */
export const KEYCHAIN_SUBCOMMAND = 'keychain-answer'
