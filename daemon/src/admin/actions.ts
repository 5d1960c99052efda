/** The actions of the dashboard, by path. Each needs the token of this run in a header, which pages of other sites cannot send. */

export interface DashboardActions {
  /** Answers a prompt. False when no such prompt is open. */
  answer(id: string, isAllowed: boolean): boolean
  /** Revokes a grant. False when it does not exist. Rejects when its data could not be deleted. */
  revoke(id: string): Promise<boolean>
  /** Requests the games of an application to link the account. False without a subscriber. */
  link(applicationId: string): boolean
  /** While presence is paused, no activity is shown outside. */
  pausePresence(isPaused: boolean): void
  /** Accepts an invite to a game for its receiver. False when it is not open. Rejects when the platform rejects it. */
  acceptInvite(messageId: string): Promise<boolean>
}

type Action = (id: string, actions: DashboardActions) => boolean | Promise<boolean>

function paused(actions: DashboardActions, isPaused: boolean): boolean {
  actions.pausePresence(isPaused)
  return true
}

const ACTIONS: Readonly<Record<string, Action>> = {
  'questions/allow': (id, actions) => actions.answer(id, true),
  'questions/deny': (id, actions) => actions.answer(id, false),
  'grants/revoke': (id, actions) => actions.revoke(id),
  'applications/link': (id, actions) => actions.link(id),
  'presence/pause': (_, actions) => paused(actions, true),
  'presence/resume': (_, actions) => paused(actions, false),
  'invites/take': (id, actions) => actions.acceptInvite(id),
}

const PATH = /^\/api\/(\w+)\/([a-z0-9]{1,32})\/(\w+)$/

/** The action of a path; undefined for other paths. It returns false when its object no longer exists. */
export function actionAt(path: string): ((actions: DashboardActions) => boolean | Promise<boolean>) | undefined {
  const [, kind = '', id = '', verb = ''] = PATH.exec(path) ?? []
  const name = `${kind}/${verb}`
  const act = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined
  return act === undefined ? undefined : (actions) => act(id, actions)
}
