/** Emits the table of budgets as a page for operators. */
import { BUDGETS } from '@sallyport/core/budgets'
import { code, list, page, wrapped } from '#protocol/codegen/emit/text.ts'

const INTRO = `How much the daemon holds, waits and keeps. No setting changes these values, and no game depends on them: they may change in any
release. The limits that games meet are in [the reference](../../protocol/generated/reference/limits.md).`

export const budgetsPage = (): string =>
  page(
    'Budgets',
    wrapped(INTRO),
    list(Object.entries(BUDGETS).map(([name, row]) => `${code(name)}: ${row.value} ${row.unit}. ${row.summary}`)),
  )
