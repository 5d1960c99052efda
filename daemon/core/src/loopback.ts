/** Host names of this machine; they need no proxy. */

const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** `hostname` as in a URL. */
export const isOnThisMachine = (hostname: string): boolean => LOOPBACK.test(hostname)
