/** Names of the built-in platforms and of what packages place, without the schema of profiles. */

/** The name of the built-in platform. */
export const SANDBOX = 'sandbox'
/** The users who can sign in at the sandbox; the first one unless a request names another. */
export const SANDBOX_USERS = ['ada', 'grace', 'linus', 'mary'] as const
export type SandboxUser = (typeof SANDBOX_USERS)[number]
/** What an installed daemon runs unless its user names another: a player never meets the sandbox unasked. */
export const INSTALLED_PLATFORM = 'discord'
/** The file of a package that says so to its program, as JSON: `{"platform": "discord"}`. */
export const PACKAGE_FILE = 'sallyport-package.json'
/** The sandbox uses this prefix too, because existing games search for it. */
export const SANDBOX_IPC_PREFIX = 'discord-ipc'

/** The socket for pipe bridges of Wine prefixes, beside the slot of the same daemon. */
export const wineSocketName = (slot: string): string => `${WINE_SOCKET_PREFIX}${slot}`
export const WINE_SOCKET_PREFIX = 'sallyport-wine-'
