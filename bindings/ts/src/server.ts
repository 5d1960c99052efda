/** The types of the connected server and of the state restored after a reconnect. */
import type { EncodingName } from '@sallyport/protocol/wire'

/** The user of the server, if the server sent one. */
export interface ServerUser {
  readonly id: string
  readonly username: string
  readonly discriminator?: string
  readonly global_name?: string | null
  readonly avatar?: string | null
}

/** The connected server, as described by READY. */
export interface Server {
  /** Socket or pipe. */
  readonly path: string
  readonly slot: number
  readonly encoding: EncodingName
  readonly user?: ServerUser
  /** Present when the server is a Sallyport bridge. */
  readonly bridge?: { readonly name: string; readonly version: string }
  /** The contract version the server speaks, MAJOR.MINOR. */
  readonly contract?: string
  /** Whether it makes a call with a key at most once. */
  readonly callKeys?: true
  readonly config?: { readonly cdn_host?: string; readonly api_endpoint?: string; readonly environment?: string }
}

/** The parts of the desired state that were restored after a reconnect. */
export interface Restored {
  /** `none`: the game was not signed in; `failed`: the sign-in was refused or failed. */
  readonly signIn: 'none' | 'done' | 'failed'
  /** At that time; others may still be pending, see their `status`. */
  readonly activeSubscriptions: number
  /** At that time; see their `status` and `error`. */
  readonly refusedSubscriptions: number
  readonly presence: 'none' | 'done' | 'failed'
}
