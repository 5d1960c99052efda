/**
 * Finds any of many texts in another one, by the automaton of Aho and Corasick: each character costs a few steps, however many texts there are
 * and however much they repeat.
 */

/** Of a state: where each next character leads, and where to go on if there is no such character. */
interface State {
  readonly next: Map<string, State>
  otherwise: State | undefined
  isEnd: boolean
}

const newState = (): State => ({ next: new Map(), otherwise: undefined, isEnd: false })

/** The state after this character; the start, if no sought text goes on like this. */
function step(from: State, character: string, start: State): State {
  for (let state: State | undefined = from; state !== undefined; state = state.otherwise) {
    const next = state.next.get(character)
    if (next !== undefined) return next
  }
  return start
}

export class TextSearch {
  readonly #start = newState()
  readonly #isEmpty: boolean

  /** An empty text is ignored. Takes memory for each character of the texts. */
  constructor(texts: readonly string[]) {
    const sought = texts.filter((text) => text !== '')
    this.#isEmpty = sought.length === 0
    for (const text of sought) this.#add(text)
    this.#link()
  }

  #add(text: string): void {
    let state = this.#start
    for (let at = 0; at < text.length; at++) {
      const character = text.charAt(at)
      const next = state.next.get(character) ?? newState()
      state.next.set(character, next)
      state = next
    }
    state.isEnd = true
  }

  /** Shorter states first, so that the state to go on with is complete. */
  #link(): void {
    const remaining = [this.#start]
    for (const state of remaining)
      for (const [character, next] of state.next) {
        next.otherwise = state.otherwise === undefined ? this.#start : step(state.otherwise, character, this.#start)
        next.isEnd ||= next.otherwise.isEnd
        remaining.push(next)
      }
  }

  /** Whether one of the texts is in this one. */
  isIn(text: string): boolean {
    if (this.#isEmpty) return false
    let state = this.#start
    for (let at = 0; at < text.length; at++) {
      state = step(state, text.charAt(at), this.#start)
      if (state.isEnd) return true
    }
    return false
  }
}
