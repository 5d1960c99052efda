/** Cuts the large arrays in the `d` of a payload out of its bytes, so that each can be parsed in batches. Pure; it does not check the JSON. */

/** Bytes of a batch; a longer element is a batch by itself. Shorter arrays are not cut. */
export const BATCH_BYTES = 65_536
/** A longer key is not the key of an array that is cut. */
const KEY_BYTES = 2048

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

/** Depths in a payload: its fields, those of `d`, the elements of an array there. */
const FIELDS = 1
const FIELDS_OF_D = 2
const ELEMENTS = 3

/** A range of bytes: from the first to the one after the last. */
export type Range = readonly [from: number, to: number]

export interface CutArray {
  readonly key: string
  /** Its elements with the commas between them. Parsed in brackets, each has at least one element if the payload is valid. */
  readonly batches: readonly Range[]
  /** Whether a later duplicate of its key, or of `d`, replaces it. */
  isReplaced: boolean
}

interface OpenArray {
  readonly key: string
  /** The byte after the bracket. */
  readonly from: number
  batchFrom: number
  readonly batches: Range[]
}

/** Reads the bytes in order, as far as the caller asks. */
export class ArrayCutter {
  readonly arrays: CutArray[] = []
  /** What is left: a payload in which the cut arrays are empty. */
  readonly rest: Range[] = []
  readonly #bytes: Uint8Array
  #at = 0
  #depth = 0
  #stringFrom: number | undefined
  /** The last string between the quotes. */
  #lastString: Range = [0, 0]
  #isInD = false
  #key = ''
  #open: OpenArray | undefined
  #restFrom = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  /** Reads about so many bytes more. Returns whether all are read. */
  read(count: number): boolean {
    const end = Math.min(this.#at + count, this.#bytes.length)
    while (this.#at < end) {
      if (this.#stringFrom === undefined) this.#readStructure(end)
      else this.#readString(this.#stringFrom, end)
    }
    if (this.#at < this.#bytes.length) return false
    this.rest.push([this.#restFrom, this.#bytes.length])
    return true
  }

  /** Up to the next string. */
  #readStructure(end: number): void {
    const bytes = this.#bytes
    for (let at = this.#at; at < end; at++) {
      const byte = bytes[at]
      if (byte === QUOTE) {
        this.#at = at + 1
        this.#stringFrom = at + 1
        return
      }
      if (byte === COMMA) {
        if (this.#depth === ELEMENTS) this.#onElementEnd(at)
      } else if (byte === COLON) {
        if (this.#depth <= FIELDS_OF_D) this.#onKey()
      } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) this.#onOpen(byte, at)
      else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) this.#onClose(byte, at)
    }
    this.#at = end
  }

  #readString(from: number, end: number): void {
    const bytes = this.#bytes
    let at = this.#at
    for (; at < end; at++) {
      const byte = bytes[at]
      // An escaped byte ends nothing. It may be the first one after `end`.
      if (byte === BACKSLASH) at++
      else if (byte === QUOTE) {
        this.#lastString = [from, at]
        this.#stringFrom = undefined
        this.#at = at + 1
        return
      }
    }
    this.#at = at
  }

  #onKey(): void {
    const key = this.#decode(this.#lastString)
    if (this.#depth === FIELDS) {
      this.#isInD = key === 'd'
      if (this.#isInD) this.#replace(() => true)
    } else if (this.#depth === FIELDS_OF_D && this.#isInD) {
      this.#key = key
      this.#replace((array) => array.key === key)
    }
  }

  #replace(isIt: (array: CutArray) => boolean): void {
    for (const array of this.arrays) if (isIt(array)) array.isReplaced = true
  }

  #onOpen(byte: number, at: number): void {
    this.#depth++
    if (this.#depth === FIELDS_OF_D && byte === OPEN_BRACKET) this.#isInD = false
    if (this.#depth !== ELEMENTS || byte !== OPEN_BRACKET || !this.#isInD) return
    // Its key would set a prototype.
    if (this.#key !== '' && this.#key !== '__proto__') this.#open = { key: this.#key, from: at + 1, batchFrom: at + 1, batches: [] }
  }

  #onClose(byte: number, at: number): void {
    this.#depth--
    const open = this.#open
    if (open === undefined || this.#depth >= ELEMENTS) return
    this.#open = undefined
    // Another closing byte is an error, which stays in the rest.
    if (at - open.from < BATCH_BYTES || byte !== CLOSE_BRACKET) return
    this.arrays.push({ key: open.key, batches: [...open.batches, [open.batchFrom, at]], isReplaced: false })
    this.rest.push([this.#restFrom, open.from])
    this.#restFrom = at
  }

  #onElementEnd(at: number): void {
    const open = this.#open
    if (open === undefined || at - open.batchFrom < BATCH_BYTES) return
    open.batches.push([open.batchFrom, at])
    open.batchFrom = at + 1
  }

  /** The text of a string; empty if it is too long or invalid, which the parser of the rest notices. */
  #decode([from, to]: Range): string {
    if (to - from > KEY_BYTES) return ''
    try {
      const text: unknown = JSON.parse(Buffer.from(this.#bytes.subarray(from - 1, to + 1)).toString('utf8'))
      return typeof text === 'string' ? text : ''
    } catch {
      return ''
    }
  }
}
