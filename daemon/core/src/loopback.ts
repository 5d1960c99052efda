/** This machine as a host. */

/** The only address on which the daemon opens TCP ports. */
export const LOOPBACK = '127.0.0.1'

/** Host names of this machine; they need no proxy. */
const NAMES = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** `hostname` as in a URL. */
export const isOnThisMachine = (hostname: string): boolean => NAMES.test(hostname)
