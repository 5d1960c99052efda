/** The calls of the page's form, as the daemon takes them. */
import type { FormCall, FormCallEnd } from '@sallyport/core/dashboard-messages'

export interface FormCalls {
  make(call: FormCall): Promise<FormCallEnd>
  /** No page shows the calls any more: ends what they subscribed to. */
  end(): Promise<void>
}

/** The bridge repeats unknown names in errors, so other text, which may be a secret, is not sent. */
const NAME = /^[A-Z_]{1,64}\d?$/
const APPLICATION = /^\d{1,20}$/

const isMissing = (value: unknown): value is undefined | null => value === undefined || value === null
const isText = (value: unknown, pattern: RegExp): value is string => typeof value === 'string' && pattern.test(value)

/** Undefined for anything else than a call. */
export function formCallOf(given: unknown): FormCall | undefined {
  if (typeof given !== 'object' || given === null) return undefined
  const { command, event, application, confirmed, args } = given as Readonly<Record<string, unknown>>
  if (!isText(command, NAME)) return undefined
  if (!isMissing(event) && !isText(event, NAME)) return undefined
  if (!isMissing(application) && !isText(application, APPLICATION)) return undefined
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return undefined
  return {
    command,
    event: event ?? undefined,
    application: application ?? undefined,
    confirmed: typeof confirmed === 'string' ? confirmed : undefined,
    args,
  }
}
