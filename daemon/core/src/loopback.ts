/** Names by which this machine reaches itself: what is there needs no proxy. */

const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** `hostname` as a URL has it. */
export const isOnThisMachine = (hostname: string): boolean => LOOPBACK.test(hostname)
