/** The handler of every endpoint row: calls the operation as the session. */
import { BridgeError } from '@sallyport/core/errors'
import { type EndpointRow, LIMITS } from '@sallyport/protocol'
import type { Accounting } from '../../accounting/accounting.ts'
import { accountOfPlan, type ApiClient, type CallPlan } from '../../sessions/api-client.ts'
import type { KeyedCalls, KeyedLimits } from '../../sessions/keys/keyed-calls.ts'
import type { AnyHandler, CallContext } from '../context.ts'
import { CONSENT_GRACE_MS } from './authorize.ts'

export interface ForwardDeps {
  /** Calls operations of the platform. */
  readonly api: Pick<ApiClient, 'asSessionWithin' | 'plan' | 'obtainBotConsent'>
  readonly keyedCalls: Pick<KeyedCalls, 'run'>
  /** Charges the arguments of a call whose connection has ended. */
  readonly accounting: Pick<Accounting, 'charge'>
}

type Args = Readonly<Record<string, unknown>>

/** The prompt about the bot has its own time, because the user answers it. */
const PROMPT_MS = LIMITS.authorizationMs.value + CONSENT_GRACE_MS

export const forward = (row: EndpointRow, { api, keyedCalls, accounting }: ForwardDeps): AnyHandler => {
  const callOnce = (key: string, args: Args, { session }: CallContext, plan: CallPlan, limits: KeyedLimits): Promise<unknown> => {
    const { program, programKey, applicationId } = session
    const account = accountOfPlan(row, plan, session)
    const detach = (bytes: number) => accounting.charge('detachedCallBytes', program, bytes)
    return keyedCalls.run({ key, row, args, program: programKey, applicationId, account, detach }, limits, (own, follower, sent) => {
      // Another user signed in while the keys were opened.
      if (accountOfPlan(row, plan, session) !== account)
        throw new BridgeError(
          'TRANSACTION_ABORTED',
          'Another user signed in before the call was sent. Make it again for the user who is signed in now.',
        )
      return api.asSessionWithin(own, session, row, sent, plan, follower)
    })
  }
  const call = (args: Args, context: CallContext, plan: CallPlan) => {
    const { key } = context
    return context.withDeadline(
      key === undefined
        ? (limits) => api.asSessionWithin(limits, context.session, row, args, plan)
        : (limits) => callOnce(key, args, context, plan, limits),
    )
  }
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
