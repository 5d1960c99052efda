/** The handler of every endpoint row: calls the operation as the session. */
import { type EndpointRow, LIMITS } from '@sallyport/protocol'
import type { ApiClient, CallPlan } from '../../sessions/api-client.ts'
import type { AnyHandler, CallContext } from '../context.ts'
import { CONSENT_GRACE_MS } from './authorize.ts'

export interface ForwardDeps {
  /** Calls operations of the platform. */
  readonly api: Pick<ApiClient, 'asSessionWithin' | 'plan' | 'obtainBotConsent'>
}

type Args = Readonly<Record<string, unknown>>

/** The prompt about the bot has its own time, because the user answers it. */
const PROMPT_MS = LIMITS.authorizationMs.value + CONSENT_GRACE_MS

export const forward = (row: EndpointRow, { api }: ForwardDeps): AnyHandler => {
  const call = (args: Args, context: CallContext, plan: CallPlan) =>
    context.withDeadline((limits) => api.asSessionWithin(limits, context.session, row, args, plan))
  const callWithConsent = async (args: Args, context: CallContext, plan: CallPlan): Promise<unknown> => {
    await context.withDeadline((limits) => api.obtainBotConsent(context.session, limits), PROMPT_MS)
    return call(args, context, plan)
  }
  return (args, context) => {
    const given = args as Args
    const plan = api.plan(context.session, row, given)
    return plan.needsConsent ? callWithConsent(given, context, plan) : call(given, context, plan)
  }
}
