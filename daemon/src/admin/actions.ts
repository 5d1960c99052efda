/** What can be done from the dashboard, by path. Each needs the run's token in a header, which no page of another site can send. */

export interface DashboardActions {
  /** False when no such question is open. */
  answer(id: string, isAllowed: boolean): boolean
  /** False when there is no such grant. Rejects when something could not be deleted. */
  revoke(id: string): Promise<boolean>
  /** Asks the games of an application to link the account. False when none listens. */
  link(applicationId: string): boolean
  /** Takes an invite to a game for its receiver. False when it is not open. Rejects when the platform refuses. */
  takeInvite(messageId: string): Promise<boolean>
}

type Act = (id: string, actions: DashboardActions) => boolean | Promise<boolean>

const ACTS: Readonly<Record<string, Act>> = {
  'questions/allow': (id, actions) => actions.answer(id, true),
  'questions/deny': (id, actions) => actions.answer(id, false),
  'grants/revoke': (id, actions) => actions.revoke(id),
  'applications/link': (id, actions) => actions.link(id),
  'invites/take': (id, actions) => actions.takeInvite(id),
}

const PATH = /^\/api\/(\w+)\/([a-z0-9]{1,32})\/(\w+)$/

/** The action that a path stands for; undefined for every other path. What it gives is false when its object is gone. */
export function actionAt(path: string): ((actions: DashboardActions) => boolean | Promise<boolean>) | undefined {
  const [, kind = '', id = '', verb = ''] = PATH.exec(path) ?? []
  const name = `${kind}/${verb}`
  const act = Object.hasOwn(ACTS, name) ? ACTS[name] : undefined
  return act === undefined ? undefined : (actions) => act(id, actions)
}
