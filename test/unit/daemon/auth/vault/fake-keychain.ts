/** A keychain in memory, which can be away for any of the reasons there are. */
import { type KeyStore, KeyStoreUnavailable, type WaitMode, type Unavailability } from '#daemon/src/auth/vault/key-store.ts'
import type { Secret } from '@sallyport/core/secret'

export class FakeKeychain implements KeyStore {
  readonly keys = new Map<string, Secret<Buffer>>()
  /** What was done, in order. */
  readonly done: string[] = []
  absent: Unavailability | undefined
  /** Writing needs it unlocked, reading may not. */
  refusesWrites: Unavailability | undefined

  #check(reason: Unavailability | undefined): void {
    if (reason !== undefined) throw new KeyStoreUnavailable(reason)
  }

  async read(id: string, patience: WaitMode): Promise<Secret<Buffer> | undefined> {
    this.done.push(`read ${patience}`)
    this.#check(this.absent)
    return this.keys.get(id)
  }
  async write(id: string, key: Secret<Buffer>): Promise<void> {
    this.done.push('write')
    this.#check(this.absent ?? this.refusesWrites)
    this.keys.set(id, key)
  }
  async remove(id: string): Promise<boolean> {
    this.done.push('remove')
    this.#check(this.absent)
    return this.keys.delete(id)
  }
}

export function noKeychain(reason: Unavailability): FakeKeychain {
  const keychain = new FakeKeychain()
  keychain.absent = reason
  return keychain
}
