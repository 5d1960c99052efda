/** A platform is data. No host name of a platform stands outside profiles. */
import * as z from 'zod'
import { ORIGIN_RULE } from './origins.ts'

const Origins = z.array(z.string().regex(ORIGIN_RULE)).default([])

/** The platform inside the daemon. */
export const SANDBOX = 'sandbox'
/** Existing games look for these names, so the sandbox answers to them too. */
export const SANDBOX_IPC_PREFIX = 'discord-ipc'

export const PlatformProfile = z.strictObject({
  name: z.string().min(1),
  /** First part of socket and pipe names; `discord-ipc` gives `discord-ipc-0`. */
  ipcPrefix: z.string().regex(/^[A-Za-z0-9_.-]+$/),
  /** API base with its version, without a slash at the end. */
  baseUrl: z.url(),
  authorizeUrl: z.url(),
  tokenUrl: z.url(),
  revokeUrl: z.url(),
  /** Of ID tokens; the origin of `authorizeUrl` when absent. */
  issuer: z.url().optional(),
  gatewayUrl: z.url().optional(),
  cdnHost: z.string().min(1),
  activityProxyHost: z.string().min(1),
  /** Kinds of connection of the two providers of game accounts that were dropped; what is left out stays as it is known. */
  removedConnections: z.strictObject({ a: z.array(z.string()).optional(), b: z.array(z.string()).optional() }).optional(),
  /** Pages that may read the presence websocket: the platform's own web clients. */
  bridgeOrigins: Origins,
  /** Pages that may speak for any application over a websocket. */
  rpcOrigins: Origins,
  userAgent: z.string().min(1),
  /** `<prefix>-<application id>:/authorize/callback` is the default custom-scheme redirect. */
  customSchemePrefix: z.string().min(1),
})
export type PlatformProfile = z.infer<typeof PlatformProfile>
