/** The paths of the dashboard's actions. Each needs a header that pages of other sites cannot send. */
import { LIMITS } from '@sallyport/protocol/limits'
import type { ChoiceDetails } from '../../sessions/grant-choices.ts'
import type { OperationName } from '../operations.ts'

const ACTIONS: Readonly<Record<string, OperationName>> = {
  'prompts/allow': 'allow',
  'prompts/allow-once': 'allow-once',
  'prompts/deny': 'deny',
  'grants/revoke': 'revoke',
  'grants/narrow': 'narrow',
  'grants/for-session': 'for-session',
  'grants/keep': 'keep',
  'programs/block': 'block',
  'programs/hide': 'hide',
  'programs/hide-now': 'hide-now',
  'programs/show': 'show',
  'programs/choose-places': 'choose-places',
  'accounts/sign-out': 'sign-out',
  'applications/link': 'link',
  'invites/accept': 'accept-invite',
  'presence/pause': 'pause-presence',
  'presence/resume': 'resume-presence',
}

const PATH = /^\/api\/(\w+)\/([a-z0-9-]{1,64})\/([a-z-]+)$/
const SCOPE = /^[a-z_.]{1,64}$/
const PLACE = /^[a-z0-9-]{1,64}$/

export interface Action {
  readonly name: OperationName
  readonly id: string
  /** See OPERATE_BRIDGE. */
  readonly details: ChoiceDetails
}

/** The operation of an address and its arguments; undefined for other addresses. */
export function actionAt({ pathname, searchParams }: Pick<URL, 'pathname' | 'searchParams'>): Action | undefined {
  const [, kind = '', id = '', verb = ''] = PATH.exec(pathname) ?? []
  const action = `${kind}/${verb}`
  const name = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined
  const scopes = searchParams.getAll('scope')
  const places = searchParams.getAll('place')
  const isWell =
    scopes.every((scope) => SCOPE.test(scope)) && places.length <= LIMITS.places.value && places.every((place) => PLACE.test(place))
  if (name === undefined || !isWell) return undefined
  return { name, id, details: { scopes, ...(places.length === 0 ? {} : { places }) } }
}
