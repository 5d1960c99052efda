/** Emits the table of log events as a page for operators. */
import { LOG_EVENTS } from '@sallyport/core/log-events'
import { code, list, page, wrapped } from '#protocol/codegen/emit/text.ts'

const INTRO = 'Every line of the log has one of these names in `event`. A name keeps its meaning in all releases of a major version.'

export const logEventsPage = (): string =>
  page('Log events', wrapped(INTRO), list(Object.entries(LOG_EVENTS).map(([name, meaning]) => `${code(name)}: ${meaning}`)))
