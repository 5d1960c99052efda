/** What an operator can do: one table for the local protocol, the dashboard, the tray and the command line. */
import type { ArgsOf } from '@sallyport/protocol'
import type { AccountKey } from '@sallyport/core/account-key'
import type { ConsentChoice } from '../auth/consent/consent-prompts.ts'
import type { ChoiceDetails, GrantChoice } from '../sessions/grant-choices.ts'
import { accountOfId } from './state-rows.ts'

export type OperationName = ArgsOf<'OPERATE_BRIDGE'>['action']

/** What the operations act on. */
interface OperationPorts {
  /** False when no such prompt is open. */
  readonly answer: (promptId: string, isAllowed: boolean, choice?: ConsentChoice) => boolean
  /** False when no such grant exists. Rejects when its data could not be deleted. */
  readonly revoke: (grantId: string) => Promise<boolean>
  /** What the user chooses for a grant or a connected game. False when there is no such one. Rejects when it could not be done. */
  readonly choose: (id: string, choice: GrantChoice, details: ChoiceDetails) => Promise<boolean>
  /** Ends the stored sign-in of a user. False when there is none. Rejects when its data could not be deleted. */
  readonly signOut: (account: AccountKey) => Promise<boolean>
  /** Requests the games of an application to link the account. False without a subscriber. */
  readonly link: (applicationId: string) => boolean
  /** Accepts an invite for its receiver. False when it is not open. Rejects when the platform rejects it. */
  readonly acceptInvite: (messageId: string) => Promise<boolean>
  /** While presence is paused, no activity is shown outside. */
  readonly pausePresence: (isPaused: boolean) => void
  readonly openVault: () => Promise<void>
  /** Ends the bridge. */
  readonly stop: () => void
  /** The state may have changed. */
  readonly changed: () => void
}

type Operation = (ports: OperationPorts, id: string, details: ChoiceDetails) => boolean | Promise<boolean>

const choice =
  (name: GrantChoice): Operation =>
  ({ choose }, id, details) =>
    choose(id, name, details)

const OPERATIONS: Readonly<Record<OperationName, Operation>> = {
  allow: ({ answer }, id, { scopes: deniedScopes = [] }) => answer(id, true, { deniedScopes, lasts: 'kept' }),
  'allow-once': ({ answer }, id, { scopes: deniedScopes = [] }) => answer(id, true, { deniedScopes, lasts: 'session' }),
  deny: ({ answer }, id) => answer(id, false),
  revoke: ({ revoke }, id) => revoke(id),
  block: choice('block'),
  narrow: choice('narrow'),
  hide: choice('hide'),
  'hide-now': choice('hide-now'),
  show: choice('show'),
  'for-session': choice('for-session'),
  keep: choice('keep'),
  'choose-places': choice('choose-places'),
  link: ({ link }, id) => link(id),
  'sign-out': ({ signOut }, id) => {
    const account = accountOfId(id)
    return account === undefined ? false : signOut(account)
  },
  'accept-invite': ({ acceptInvite }, id) => acceptInvite(id),
  'pause-presence': ({ pausePresence }) => {
    pausePresence(true)
    return true
  },
  'resume-presence': ({ pausePresence }) => {
    pausePresence(false)
    return true
  },
  'open-vault': async ({ openVault }) => {
    await openVault()
    return true
  },
  stop: ({ stop }) => {
    stop()
    return true
  },
}

/** Does it. False when its object does not exist; rejects when it failed. */
export type Operate = (name: OperationName, id?: string, details?: ChoiceDetails) => Promise<boolean>

export const createOperate =
  (ports: OperationPorts): Operate =>
  async (name, id = '', details = {}) => {
    try {
      return await OPERATIONS[name](ports, id, details)
    } finally {
      ports.changed()
    }
  }
