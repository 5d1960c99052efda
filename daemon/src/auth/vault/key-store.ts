/** The interface of stores for the vault key, and the reasons why a store is unavailable. */
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

/** Stores keys of 32 bytes by id. Every method may reject with KeyStoreUnavailable; a key file rejects with SERVICE_UNAVAILABLE. */
export interface KeyStore {
  /** `patient`: waits for the user to unlock the store. `brief`: uses only an unlocked store. */
  read(id: string, mode: WaitMode): Promise<Secret<Buffer> | undefined>
  /** Resolves when the key would survive a crash. */
  write(id: string, key: Secret<Buffer>): Promise<void>
  /** Resolves to false if there was none. */
  remove(id: string): Promise<boolean>
}

export type WaitMode = 'brief' | 'patient'
