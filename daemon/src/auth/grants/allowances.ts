/** What the user allowed on one connection, valid until it closes. A program that cannot be recognised has nothing else. */
import { newScopes } from './terms.ts'

export class Allowances {
  /** By user; undefined: the user that the platform selects. */
  readonly #scopes = new Map<string | undefined, readonly string[]>()

  covers(userId: string | undefined, scopes: readonly string[]): boolean {
    const held = this.#scopes.get(userId)
    return held !== undefined && newScopes(scopes, held).length === 0
  }

  get isEmpty(): boolean {
    return this.#scopes.size === 0
  }

  of(userId: string): readonly string[] | undefined {
    return this.#scopes.get(userId)
  }

  add(userId: string | undefined, scopes: readonly string[]): void {
    this.#scopes.set(userId, [...new Set([...(this.#scopes.get(userId) ?? []), ...scopes])])
  }

  clear(): void {
    this.#scopes.clear()
  }
}
