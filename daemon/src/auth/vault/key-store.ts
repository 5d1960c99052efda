/** Where the key of the sealed file rests, as a port; and the reasons for which a store may not be there. */
import type { Secret } from '@sallyport/core/secret'

/** Why a keychain cannot be used now. */
export type Unavailability = 'no-bus' | 'no-service' | 'locked' | 'dismissed' | 'no-answer' | 'no-addon' | 'failed'

export class KeyStoreUnavailable extends Error {
  override readonly name = 'KeyStoreUnavailable'
  readonly reason: Unavailability

  constructor(reason: Unavailability, options?: ErrorOptions) {
    super(`the key store is not available: ${reason}`, options)
    this.reason = reason
  }
}

/** Holds keys of 32 bytes by their id. Everything may reject with KeyStoreUnavailable; a key file rejects with SERVICE_UNAVAILABLE. */
export interface KeyStore {
  /** How long a person may take to answer (`patient`), or whether only a store that is open counts (`brief`). */
  read(id: string, patience: Patience): Promise<Secret<Buffer> | undefined>
  /** Resolves when the key would survive a crash. */
  write(id: string, key: Secret<Buffer>): Promise<void>
  remove(id: string): Promise<void>
}

export type Patience = 'brief' | 'patient'
