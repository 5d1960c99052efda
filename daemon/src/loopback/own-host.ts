/** The names by which this machine reaches a port of the daemon. */

/**
 * Values of the Host header that are allowed on the port. Any other one may be DNS rebinding: a page of another site that has the browser send
 * requests here under its own name.
 */
export const ownHosts = (port: number): ReadonlySet<string> => new Set([`127.0.0.1:${port}`, `localhost:${port}`])
