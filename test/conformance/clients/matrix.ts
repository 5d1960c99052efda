/** The matrix for people: a row per feature, a column per client, and below it each failure, hole and obstacle with its reason. */
import { ALL_FEATURES, FEATURES } from './features.ts'
import { isBad, type Outcome, type Verdict } from './run.ts'

const featureIn = (step: string): string => step.slice(0, step.indexOf('/'))

/** `5/5`: all passed; `4/5`: one fails as its claims say; `–`: the client lacks it. */
function cell(outcomes: readonly Outcome[]): string {
  const count = (verdict: Verdict): number => outcomes.filter((outcome) => outcome.verdict === verdict).length
  const played = outcomes.length - count('lacks') - count('not here')
  if (played === 0) return count('not here') > 0 ? 'not here' : '–'
  const bad = outcomes.filter(isBad).length
  return `${bad > 0 ? 'FAILED ' : ''}${count('passed')}/${played}`
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const format = (row: readonly string[]): string => `| ${row.map((text, column) => text.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`
  return [format(rows[0] ?? []), rule, ...rows.slice(1).map(format)].join('\n')
}

/** Outcomes with the same reason in one line. */
function reasons(outcomes: readonly Outcome[], verdict: Verdict): readonly string[] {
  const chosen = outcomes.filter((outcome) => outcome.verdict === verdict)
  return [...Map.groupBy(chosen, ({ client, why }) => `${client}: ${why}`)].map(
    ([reason, same]) => `${verdict.padEnd(8)} ${same.map(({ step }) => step).join(', ')}; ${reason}`,
  )
}

/** The first row names the clients; the others have a feature and a cell for each client. */
export function cells(outcomes: readonly Outcome[]): readonly (readonly string[])[] {
  const clients = [...new Set(outcomes.map(({ client }) => client))]
  const features = ALL_FEATURES.filter((feature) => outcomes.some(({ step }) => featureIn(step) === feature))
  const rows = features.map((feature) => [
    FEATURES[feature],
    ...clients.map((client) => cell(outcomes.filter((outcome) => outcome.client === client && featureIn(outcome.step) === feature))),
  ])
  return [['feature', ...clients], ...rows]
}

export const matrixTable = (outcomes: readonly Outcome[]): string => table(cells(outcomes))

export function matrix(outcomes: readonly Outcome[]): string {
  const verdicts: readonly Verdict[] = ['FAILED', 'FIXED', 'known', 'lacks', 'not here']
  return [matrixTable(outcomes), '', ...verdicts.flatMap((verdict) => reasons(outcomes, verdict))].join('\n').trimEnd()
}
