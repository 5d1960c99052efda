/** A part of the page that is replaced only when it changed, so that clicks and selections survive and a screen reader does not repeat it. */

const SETTLE_MS = 500

const lookOf = (child: HTMLElement | string): string => (typeof child === 'string' ? child : child.outerHTML)

/** New buttons are disabled for a moment, so that a click meant for the previous content does not hit them. */
function settle(element: HTMLElement): void {
  const buttons = [...element.querySelectorAll('button')]
  for (const button of buttons) button.disabled = true
  setTimeout(() => {
    for (const button of buttons) button.disabled = false
  }, SETTLE_MS)
}

export class Region {
  readonly #element: HTMLElement
  #look: string | undefined

  /** Throws if the page has no such element. */
  constructor(id: string) {
    const element = document.getElementById(id)
    if (element === null) throw new Error(`the page has no element ${id}`)
    this.#element = element
  }

  fill(...children: readonly (HTMLElement | string)[]): void {
    const look = children.map(lookOf).join('\n')
    if (this.#look === look) return
    this.#look = look
    this.#element.replaceChildren(...children)
    settle(this.#element)
  }
}
