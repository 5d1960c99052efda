/** The referee's table: what a careless game does, and what it meets in both sandboxes. */
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
