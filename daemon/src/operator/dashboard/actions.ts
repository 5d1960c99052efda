/** The paths of the dashboard's actions. Each needs the token of this run in a header, which pages of other sites cannot send. */
import type { OperationName } from '../operations.ts'

const ACTIONS: Readonly<Record<string, OperationName>> = {
  'prompts/allow': 'allow',
  'prompts/deny': 'deny',
  'grants/revoke': 'revoke',
  'applications/link': 'link',
  'invites/accept': 'accept-invite',
  'presence/pause': 'pause-presence',
  'presence/resume': 'resume-presence',
}

const PATH = /^\/api\/(\w+)\/([a-z0-9]{1,32})\/(\w+)$/

/** The operation of a path and the id of its object; undefined for other paths. */
export function actionAt(path: string): { readonly name: OperationName; readonly id: string } | undefined {
  const [, kind = '', id = '', verb = ''] = PATH.exec(path) ?? []
  const action = `${kind}/${verb}`
  const name = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined
  return name === undefined ? undefined : { name, id }
}
