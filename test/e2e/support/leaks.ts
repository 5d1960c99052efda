/** Searches all output and files of a run for its secrets, in every encoding. */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { inspect } from 'node:util'

interface Planted {
  readonly name: string
  readonly spellings: readonly Buffer[]
  /** Places that may hold it. */
  readonly mayBeIn: RegExp | undefined
}

interface Place {
  readonly name: string
  readonly content: Buffer
}

/** What of the base64 of a longer text is decided by this part of it alone, for each way in which it can lie there. */
function base64Within(secret: Buffer): string[] {
  return [0, 1, 2].map((before) => {
    const coded = Buffer.concat([Buffer.alloc(before), secret]).toString('base64')
    const first = Math.ceil((before * 4) / 3)
    const end = Math.floor(((before + secret.length) * 8) / 6)
    return coded.slice(first, end)
  })
}

const toUrlAlphabet = (base64: string): string => base64.replaceAll('+', '-').replaceAll('/', '_')

/** Shorter ones would be found by chance. */
const LEAST_BYTES = 8

export function spellingsOf(secret: Buffer): readonly Buffer[] {
  const text = secret.toString()
  const isText = Buffer.from(text).equals(secret)
  const base64 = base64Within(secret)
  const texts = [
    ...(isText
      ? [text, JSON.stringify(text).slice(1, -1), encodeURIComponent(text), new URLSearchParams({ '': text }).toString().slice(1)]
      : []),
    secret.toString('hex'),
    secret.toString('hex').toUpperCase(),
    ...base64,
    ...base64.map(toUrlAlphabet),
  ]
  const bytes = [
    secret,
    ...texts.map((one) => Buffer.from(one)),
    ...(isText ? [Buffer.from(text, 'utf16le'), Buffer.from(text, 'utf16le').swap16()] : []),
  ]
  return [...new Map(bytes.map((one) => [one.toString('latin1'), one])).values()]
}

/** A daemon that runs removes files at any time, such as the journals of its stores. */
export function unlessGone<Value>(look: () => Value): Value | undefined {
  try {
    return look()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return undefined
  }
}

const filesBelow = (folder: string): string[] =>
  (unlessGone(() => readdirSync(folder, { withFileTypes: true })) ?? []).flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesBelow(path) : entry.isFile() ? path : []
  })

export class Leaks {
  readonly #planted: Planted[] = []
  readonly #places: Place[] = []

  /** Notes a secret and gives it back. Throws for one that is missing or too short to be searched for. */
  plant(name: string, secret: string | Buffer | null | undefined, mayBeIn?: RegExp): string {
    const bytes = Buffer.from(secret ?? '')
    if (bytes.length < LEAST_BYTES) throw new Error(`${name} is no secret that can be searched for`)
    this.#planted.push({ name, spellings: spellingsOf(bytes), mayBeIn })
    return bytes.toString()
  }

  /** A place to search: text, or a value with all that inspecting it shows. */
  watch(name: string, content: unknown): void {
    const text =
      typeof content === 'string'
        ? content
        : `${inspect(content, { depth: 20, showHidden: true, maxStringLength: null })} ${JSON.stringify(content)}`
    this.#places.push({ name, content: Buffer.from(text) })
  }

  /** Every file below the folder, as it is now. Gives their paths. */
  watchFiles(folder: string, moment: string): readonly string[] {
    return filesBelow(folder).filter((file) => {
      const content = unlessGone(() => readFileSync(file))
      if (content !== undefined) this.#places.push({ name: `${basename(file)} ${moment}`, content })
      return content !== undefined
    })
  }

  get placeNames(): readonly string[] {
    return this.#places.map(({ name }) => name)
  }

  /** The planted, by name. */
  get plantedNames(): readonly string[] {
    return this.#planted.map(({ name }) => name)
  }

  /** One sentence for each place that holds what it must not. */
  found(): readonly string[] {
    return this.#planted.flatMap(({ name: secret, spellings, mayBeIn }) =>
      this.#places
        .filter(({ name }) => mayBeIn?.test(name) !== true)
        .filter(({ content }) => spellings.some((one) => content.includes(one)))
        .map(({ name }) => `${secret} stands in ${name}`),
    )
  }
}
