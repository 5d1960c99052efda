/** Maps schema issues to the nested error tree of code 50035. */
import type { DraftProblem } from '@sallyport/protocol'
import type * as z from 'zod'
import { type FieldErrors, PlatformError } from '../platform-error.ts'

interface Node {
  [field: string]: Node | { readonly code: string; readonly message: string }[]
}

/** Parse options that distinguish a missing field from a wrong type. */
export const PARSE_OPTIONS = { reportInput: true } as const

/** The platform's code of each kind of issue. */
const CODES: Readonly<Record<string, string>> = {
  invalid_type: 'BASE_TYPE_BAD_TYPE',
  too_big: 'BASE_TYPE_MAX',
  too_small: 'BASE_TYPE_MIN',
  invalid_format: 'STRING_TYPE_REGEX',
  invalid_value: 'BASE_TYPE_CHOICES',
}

const codeOf = (issue: z.core.$ZodIssue): string => {
  if (issue.code === 'invalid_type' && issue.input === undefined) return 'BASE_TYPE_REQUIRED'
  return CODES[issue.code] ?? 'BASE_TYPE_INVALID'
}

/** `bodyArgument` is left out of the paths, because its value is the whole body. */
export function formErrors(issues: readonly z.core.$ZodIssue[], bodyArgument: string | undefined): FieldErrors {
  const root: Node = Object.create(null) as Node
  for (const issue of issues) {
    const path = issue.path[0] === bodyArgument && bodyArgument !== undefined ? issue.path.slice(1) : issue.path
    let node = root
    for (const step of path) {
      const key = String(step)
      const next = node[key]
      const branch: Node = next === undefined || Array.isArray(next) ? (Object.create(null) as Node) : next
      node[key] = branch
      node = branch
    }
    const errors = Array.isArray(node['_errors']) ? node['_errors'] : []
    node['_errors'] = [...errors, { code: codeOf(issue), message: issue.message }]
  }
  return root
}

/** The error of a body with inconsistent parts. */
export function invalidBody(problems: readonly DraftProblem[]): PlatformError {
  const issues = problems.map(({ path, message }) => ({ code: 'custom' as const, path: [...path], message, input: undefined }))
  return new PlatformError('invalidForm', { errors: formErrors(issues, undefined) })
}
