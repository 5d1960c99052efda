/** A platform profile. Only profiles contain host names of a platform. */
import * as z from 'zod'
import { once } from '@sallyport/protocol/once'
import { ORIGIN_RULE } from './origins.ts'

const Origins = once(() => z.array(z.string().regex(ORIGIN_RULE)).default([]))

/** The name of the built-in platform. */
export const SANDBOX = 'sandbox'
/** The sandbox uses this prefix too, because existing games search for it. */
export const SANDBOX_IPC_PREFIX = 'discord-ipc'

export const PlatformProfile = once(() =>
  z.strictObject({
    name: z.string().min(1),
    /** First part of socket and pipe names, e.g. `discord-ipc` in `discord-ipc-0`. */
    ipcPrefix: z.string().regex(/^[A-Za-z0-9_.-]+$/),
    /** API base with its version, without a slash at the end. */
    baseUrl: z.url(),
    authorizeUrl: z.url(),
    tokenUrl: z.url(),
    revokeUrl: z.url(),
    /** Issuer of ID tokens. Default: the origin of `authorizeUrl`. */
    issuer: z.url().optional(),
    gatewayUrl: z.url().optional(),
    cdnHost: z.string().min(1),
    activityProxyHost: z.string().min(1),
    /** Connection types of the two removed providers of game accounts. Defaults apply to missing fields. */
    removedConnections: z.strictObject({ a: z.array(z.string()).optional(), b: z.array(z.string()).optional() }).optional(),
    /** Origins that may read the presence websocket: the platform's own web clients. */
    presenceOrigins: Origins(),
    /** Origins that may connect as any application via a websocket. */
    rpcOrigins: Origins(),
    userAgent: z.string().min(1),
    /** `<prefix>-<application id>:/authorize/callback` is the default custom-scheme redirect. */
    customSchemePrefix: z.string().min(1),
  }),
)
export type PlatformProfile = z.infer<ReturnType<typeof PlatformProfile>>
