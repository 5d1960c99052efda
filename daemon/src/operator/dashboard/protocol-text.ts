/** Commands and events with the schemas of their arguments, for the form of the page. */

/** Compressed by gzip, in base64. daemon/packaging/dashboard-page.ts makes it from protocol/generated/protocol.json. */
declare const DASHBOARD_PROTOCOL: string

/** As it is sent: compressed. */
export const protocolBytes = (): Buffer => Buffer.from(DASHBOARD_PROTOCOL, 'base64')
