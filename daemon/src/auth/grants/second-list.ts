/** The second list of refusals, in memory and in its file. */
import type { DataHealth } from '@sallyport/core/storage/data-health'
import { readChoices, type StoredChoices, writeChoices } from './choice-file.ts'
import type { Grant } from './grant.ts'
import { isChoice } from './terms.ts'

type Health = Pick<DataHealth, 'pathOf' | 'setAside' | 'notRead'>

export const keyOf = ({ platform, id }: Pick<Grant, 'platform' | 'id'>): string => JSON.stringify([platform, id])

export class SecondList {
  readonly #health: Health
  readonly #choices = new Map<string, Grant>()
  #state: 'whole' | 'missing' | 'unreadable' = 'missing'

  constructor(health: Health) {
    this.#health = health
  }

  /** Whether the file says which games are hidden. */
  get isKnown(): boolean {
    return this.#state === 'whole'
  }

  /** Sets a damaged file aside. */
  read(): StoredChoices | 'unreadable' {
    try {
      const found = readChoices(this.#file)
      if (found === 'damaged') this.#health.setAside('choices.json', new Error('the file is no list of choices'))
      if (typeof found === 'string') return found
      for (const choice of found) this.#choices.set(keyOf(choice), choice)
      this.#state = 'whole'
      return found
    } catch (failure) {
      this.#health.notRead('choices.json', failure)
      this.#state = 'unreadable'
      return 'unreadable'
    }
  }

  of(platform: string): readonly Grant[] {
    return [...this.#choices.values()].filter((choice) => choice.platform === platform)
  }

  /** Takes over what the list of grants has. `isWhole`: that list could be read, or is new. */
  adopt(grants: readonly Grant[], isWhole: boolean): void {
    const fresh = grants.filter((grant) => isChoice(grant) && !this.#choices.has(keyOf(grant)))
    for (const choice of fresh) this.#choices.set(keyOf(choice), choice)
    if (this.#state === 'missing' && !isWhole) this.#state = 'unreadable'
    if (fresh.length > 0 || (this.#state === 'missing' && grants.length > 0)) this.#write()
  }

  put(grant: Grant): void {
    const key = keyOf(grant)
    const isOld = isChoice(grant) ? this.#choices.get(key) === grant : !this.#choices.has(key)
    // The first file says that nothing is hidden, which its absence does not.
    if (isOld && this.#state !== 'missing') return
    this.#change(() => (isChoice(grant) ? this.#choices.set(key, grant) : this.#choices.delete(key)))
  }

  remove(grants: readonly Grant[]): void {
    const keys = grants.map(keyOf).filter((key) => this.#choices.has(key))
    if (keys.length > 0) this.#change(() => keys.forEach((key) => this.#choices.delete(key)))
  }

  get #file(): string {
    return this.#health.pathOf('choices.json')
  }

  /** Memory keeps what it had if the write fails. */
  #change(change: () => unknown): void {
    const before = [...this.#choices]
    change()
    try {
      this.#write()
    } catch (failure) {
      this.#choices.clear()
      for (const [key, choice] of before) this.#choices.set(key, choice)
      throw failure
    }
  }

  /** Nothing is stored over a file that cannot be read. */
  #write(): void {
    if (this.#state === 'unreadable') return
    writeChoices(this.#file, [...this.#choices.values()])
    this.#state = 'whole'
  }
}
