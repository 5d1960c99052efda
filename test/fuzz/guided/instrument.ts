/**
 * Puts counters into JavaScript: one for each branch, as istanbul and jazzer.js do. A comparison also reports its operands, so that the fuzzer can
 * try the value that the code compares with.
 */
import { type AnyNode, type Node, parse } from 'acorn'

/** The functions that instrumented code calls, on the global object. */
export const HIT = '__fuzzHit'
export const COMPARED = '__fuzzCompared'

export interface Instrumented {
  readonly code: string
  /** How many counters it has. */
  readonly branches: number
  readonly comparisons: number
}

const COMPARISONS: readonly string[] = ['===', '!==', '<', '<=', '>', '>=']

const isNode = (value: unknown): value is AnyNode => typeof (value as Node | null)?.type === 'string'

const childrenOf = (node: AnyNode): readonly AnyNode[] =>
  Object.values(node)
    .flatMap((value: unknown) => (Array.isArray(value) ? (value as unknown[]) : [value]).filter(isNode))
    .toSorted((a, b) => a.start - b.start)

/** What runs on one side of a branch: statements, or a value. */
interface Sides {
  readonly statements: readonly (AnyNode | null | undefined)[]
  readonly values: readonly AnyNode[]
}

const NONE: Sides = { statements: [], values: [] }

function sidesOf(node: AnyNode): Sides {
  switch (node.type) {
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      return node.body.type === 'BlockStatement' ? { ...NONE, statements: [node.body] } : { ...NONE, values: [node.body] }
    case 'IfStatement':
      return { ...NONE, statements: [node.consequent, node.alternate] }
    case 'ForStatement':
    case 'ForOfStatement':
    case 'ForInStatement':
    case 'WhileStatement':
    case 'CatchClause':
      return { ...NONE, statements: [node.body] }
    case 'SwitchCase':
      return { ...NONE, statements: node.consequent.slice(0, 1) }
    case 'ConditionalExpression':
      return { ...NONE, values: [node.consequent, node.alternate] }
    case 'LogicalExpression':
      return { ...NONE, values: [node.right] }
    default:
      return NONE
  }
}

/** `source`: an ECMAScript module. `first`: the numbers of its first counter and comparison. */
export function instrument(source: string, first: { readonly branch: number; readonly comparison: number }): Instrumented {
  let next = first.branch
  let comparison = first.comparison
  const statements = new Set<Node>()
  const values = new Set<Node>()

  const inner = (node: AnyNode): string => {
    const sides = sidesOf(node)
    for (const side of sides.statements) if (side != null) statements.add(side)
    for (const side of sides.values) values.add(side)
    if (node.type === 'BinaryExpression' && COMPARISONS.includes(node.operator) && isNode(node.left))
      return `${COMPARED}(${comparison++},${JSON.stringify(node.operator)},(${rendered(node.left)}),(${rendered(node.right)}))`
    let text = ''
    let at = node.start
    for (const child of childrenOf(node)) {
      // A short property has one name for both its nodes.
      if (child.start < at) continue
      text += source.slice(at, child.start) + rendered(child)
      at = child.end
    }
    return text + source.slice(at, node.end)
  }

  const rendered = (node: AnyNode): string => {
    const isStatement = statements.has(node)
    if (!isStatement && !values.has(node)) return inner(node)
    const counted = `${HIT}(${next++})`
    if (!isStatement) return `(${counted},${inner(node)})`
    return node.type === 'BlockStatement' ? `{${counted};${inner(node).slice(1)}` : `{${counted};${inner(node)}}`
  }

  const program = parse(source, { ecmaVersion: 'latest', sourceType: 'module' })
  // A program begins at its first statement, and may have comments around.
  const code = source.slice(0, program.start) + inner(program) + source.slice(program.end)
  return { code, branches: next - first.branch, comparisons: comparison - first.comparison }
}
