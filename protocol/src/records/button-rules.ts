/** Fields that a button can have by its style. The common schema of all styles cannot express it. */
import { COMPONENT_TYPES } from './components.ts'

/** Styles with a meaning beyond a color. */
export const BUTTON_STYLES = { link: 5, premium: 6 } as const

interface StyleRule {
  readonly named: string
  readonly needs: 'custom_id' | 'url' | 'sku_id'
  readonly excludes: readonly string[]
}

const PLAIN: StyleRule = { named: 'of the styles 1 to 4', needs: 'custom_id', excludes: ['url', 'sku_id'] }
const STYLE_RULES: Readonly<Record<number, StyleRule>> = {
  [BUTTON_STYLES.link]: { named: 'of style 5 (link)', needs: 'url', excludes: ['custom_id', 'sku_id'] },
  [BUTTON_STYLES.premium]: { named: 'of style 6 (premium)', needs: 'sku_id', excludes: ['custom_id', 'label', 'url', 'emoji'] },
}

export interface ButtonProblem {
  readonly path: readonly (string | number)[]
  readonly message: string
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== ''

function problemsOf(button: Readonly<Record<string, unknown>>, path: readonly (string | number)[]): ButtonProblem[] {
  const rule = STYLE_RULES[Number(button['style'])] ?? PLAIN
  const missing = isGiven(button[rule.needs]) ? [] : [{ path: [...path, rule.needs], message: `is required for a button ${rule.named}` }]
  const extra = rule.excludes
    .filter((name) => isGiven(button[name]))
    .map((name) => ({ path: [...path, name], message: `is not allowed on a button ${rule.named}` }))
  return [...missing, ...extra]
}

type Node = Readonly<Record<string, unknown>> & { readonly type: number; readonly components?: readonly Node[]; readonly accessory?: Node }

export interface PlacedButton {
  readonly button: Readonly<Record<string, unknown>>
  readonly path: readonly (string | number)[]
}

/** Returns all buttons in these components, including nested ones, with their paths. */
export const buttonsIn = (components: readonly object[], path: readonly (string | number)[] = ['components']): PlacedButton[] =>
  (components as readonly Node[]).flatMap((one, index) => buttonsBelow(one, [...path, index]))

function buttonsBelow(node: Node, path: readonly (string | number)[]): PlacedButton[] {
  if (node.type === COMPONENT_TYPES.button) return [{ button: node, path }]
  return [
    ...buttonsIn(node.components ?? [], [...path, 'components']),
    ...(node.accessory === undefined ? [] : buttonsBelow(node.accessory, [...path, 'accessory'])),
  ]
}

/** Returns the problems of all buttons in these components, including nested ones. */
export const buttonProblems = (components: readonly object[]): ButtonProblem[] =>
  buttonsIn(components).flatMap(({ button, path }) => problemsOf(button, path))
