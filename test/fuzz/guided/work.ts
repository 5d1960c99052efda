/** What a thread gets, and what it gives back. */
export interface Work {
  /** The built target. */
  readonly file: string
  readonly seed: number
  readonly isGuided: boolean
  readonly corpus: readonly Uint8Array[]
  /** Ends after the ms, or the inputs. */
  readonly forMs: number
  readonly forInputs: number
  /** The number of inputs so far, the length of the current one, and its bytes. */
  readonly current: SharedArrayBuffer
}

export const HEAD_NUMBERS = 2

export interface Done {
  readonly inputs: number
  readonly reached: readonly number[]
  readonly corpus: readonly Uint8Array[]
  readonly finding: { readonly input: Uint8Array; readonly error: string } | undefined
}
