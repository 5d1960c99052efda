/** The referee's table: what a careless game does, and what it meets in both sandboxes. */
import { DEVELOPMENT_LIMITS } from '@sallyport/protocol'
import { approvalLimit, GLOBAL_LIMIT, LIMIT_GROUPS, OTHER_READS, OTHER_WRITES } from '@sallyport/sandbox/strict/limit-table'
import { STRICT_RULES } from '@sallyport/sandbox/strict/rules'
import { STEPS } from './game.ts'

const cells = (row: readonly string[]): string => `| ${row.join(' | ')} |`

/** As Markdown; the answers are those that were seen, or those that are expected. */
export const refereeTable = (
  relaxed: readonly string[] = STEPS.map(() => 'ok'),
  strict: readonly string[] = STEPS.map((step) => step.strict),
): string =>
  [
    cells(['The game', 'Relaxed', 'Strict']),
    cells(['---', '---', '---']),
    ...STEPS.map(({ name }, index) => cells([name, relaxed[index] ?? '', strict[index] ?? ''])),
  ].join('\n')

/** The rules of the strict sandbox, as Markdown. */
export const rulesTable = (): string =>
  [
    cells(['Rule', 'The platform answers', 'Source']),
    cells(['---', '---', '---']),
    ...Object.entries(STRICT_RULES).map(([name, { answer, source }]) => cells([`\`${name}\``, answer, source])),
  ].join('\n')

const perWindow = ({ limit, windowMs }: { readonly limit: number; readonly windowMs: number }): string => `${limit} in ${windowMs / 1000} s`

/** The limits of the strict sandbox, as Markdown. */
export const limitsTable = (): string =>
  [
    cells(['Requests', 'Limit', 'Source']),
    cells(['---', '---', '---']),
    cells(['all of one caller', perWindow(GLOBAL_LIMIT), GLOBAL_LIMIT.source]),
    ...[...DEVELOPMENT_LIMITS].map(([route]) =>
      cells([`\`${route}\`, before the approval`, perWindow(approvalLimit(route) ?? GLOBAL_LIMIT), 'published']),
    ),
    ...LIMIT_GROUPS.flatMap((group) => group.routes.map((route) => cells([`\`${route}\``, perWindow(group), group.source]))),
    cells(['each other read', perWindow(OTHER_READS), OTHER_READS.source]),
    cells(['each other request', perWindow(OTHER_WRITES), OTHER_WRITES.source]),
  ].join('\n')
