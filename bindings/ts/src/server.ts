/** What the client knows of the server at the other end, and of what it put back after a break. */
import type { EncodingName } from '@sallyport/protocol/wire'

/** The user on whose behalf the server works, as far as it says. */
export interface ServerUser {
  readonly id: string
  readonly username: string
  readonly discriminator?: string
  readonly global_name?: string | null
  readonly avatar?: string | null
}

/** What answered: learned from READY. */
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
  readonly config?: { readonly cdn_host?: string; readonly api_endpoint?: string; readonly environment?: string }
}

/** Which of the game's wishes were applied again after a reconnect. */
export interface Restored {
  /** `none`: the game was not signed in; `failed`: the server refused or could not. */
  readonly signIn: 'none' | 'done' | 'failed'
  /** Subscriptions in force by then; a server may take its time with the others, whose `status` says how they stand since. */
  readonly subscriptions: number
  /** Subscriptions the server refused; each one's `status` and `refusal` say how it stands since. */
  readonly refused: number
  readonly presence: 'none' | 'done' | 'failed'
}
