/** A platform profile. Only profiles contain host names of a platform. */
export interface PlatformProfile {
  readonly name: string
  /** First part of socket and pipe names, e.g. `discord-ipc` in `discord-ipc-0`. */
  readonly ipcPrefix: string
  /** API base with its version, without a slash at the end. */
  readonly baseUrl: string
  readonly authorizeUrl: string
  readonly tokenUrl: string
  readonly revokeUrl: string
  /** Issuer of ID tokens. Default: the origin of `authorizeUrl`. */
  readonly issuer?: string | undefined
  readonly gatewayUrl?: string | undefined
  readonly cdnHost: string
  readonly activityProxyHost: string
  /** Connection types of the two removed providers of game accounts. Defaults apply to missing fields. */
  readonly removedConnections?: { readonly a?: readonly string[] | undefined; readonly b?: readonly string[] | undefined } | undefined
  /** Origins that may read the presence websocket: the platform's own web clients. */
  readonly presenceOrigins: readonly string[]
  /** Origins that may connect as any application via a websocket. */
  readonly rpcOrigins: readonly string[]
  readonly userAgent: string
  /** Name of the request header in which the platform gets the id of a call. Without it, it gets none. */
  readonly callIdHeader?: string | undefined
  /** `<prefix>-<application id>:/authorize/callback` is the default custom-scheme redirect. */
  readonly customSchemePrefix: string
}
