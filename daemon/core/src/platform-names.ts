/** Names of the built-in platform, without the schema of profiles. */

/** The name of the built-in platform. */
export const SANDBOX = 'sandbox'
/** The sandbox uses this prefix too, because existing games search for it. */
export const SANDBOX_IPC_PREFIX = 'discord-ipc'

/** The socket for pipe bridges of Wine prefixes, beside the slot of the same daemon. */
export const wineSocketName = (slot: string): string => `${WINE_SOCKET_PREFIX}${slot}`
export const WINE_SOCKET_PREFIX = 'sallyport-wine-'
