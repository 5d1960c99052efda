/** The current application, read and changed by its bot. */
import {
  type CurrentApplication,
  INTEGRATION_TYPES,
  type Interaction,
  INTERACTION_TYPES,
  LIMITED_INTENT_FLAGS,
  LIMITS,
  SCOPES,
  type ScopeRow,
} from '@sallyport/protocol'
import { mayRequest, redirectsOf } from '../oauth/portal-settings.ts'
import { newToken } from '../oauth/tokens.ts'
import { PlatformError } from '../platform-error.ts'
import { applicationOf, defaultUser, rememberApplication } from '../platform.ts'
import { changesOf, usersOf } from './application-flags.ts'
import { applicationView } from './application-view.ts'
import type { AsyncHandler, Handler, Handlers, Operation } from './handlers.ts'
import { imageHash } from './images.ts'
import { botView, userView } from './user-view.ts'

const getCurrentApplication: Handler<'GET_CURRENT_APPLICATION'> = (_, operation) => currentView(operation)

const editCurrentApplication: AsyncHandler<'EDIT_CURRENT_APPLICATION'> = async (args, operation) => {
  const { platform, caller } = operation
  const { store } = platform
  checkFlags(args.flags)
  await checkEventAddress(args, operation)
  await checkInteractionsAddress(args, operation)
  const before = changesOf(platform, caller.applicationId)
  const { icon, cover_image, description, install_params, integration_types_config, ...rest } = args
  const hasOwnLink = (args.custom_install_url === undefined ? before['custom_install_url'] : args.custom_install_url) != null
  const changed = {
    ...before,
    ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)),
    ...(icon === undefined ? {} : { icon: imageHash(icon, null) }),
    ...(cover_image === undefined ? {} : { cover_image: imageHash(cover_image, null) }),
    ...(install_params === undefined ? {} : { install_params: install_params && installParams(install_params) }),
    ...(integration_types_config === undefined
      ? {}
      : { integration_types_config: integration_types_config && installTypes(integration_types_config, hasOwnLink) }),
    ...(description === undefined ? {} : { description: typeof description === 'string' ? description : description.default }),
  }
  const id = caller.applicationId
  store.commit([...rememberApplication(platform, id), store.applicationSettings.put(id, { changed })])
  return currentView(operation)
}

type Changes = Parameters<typeof editCurrentApplication>[0]

/** Permissions arrive as a number or as text, and are always sent as text. */
const installParams = ({ scopes, permissions }: NonNullable<Changes['install_params']>) => ({
  scopes: scopes ?? [],
  permissions: String(permissions ?? 0),
})

/** The provided install link requests the commands in every context; a custom link requests its own scopes. */
const COMMANDS = 'applications.commands'

const installTypes = (config: NonNullable<Changes['integration_types_config']>, hasOwnLink: boolean) =>
  Object.fromEntries(
    Object.entries(config).map(([type, value]) => {
      if (!value?.oauth2_install_params) return [type, {}]
      const { scopes, permissions } = installParams(value.oauth2_install_params)
      return [type, { oauth2_install_params: { scopes: hasOwnLink ? scopes : [...new Set([...scopes, COMMANDS])], permissions } }]
    }),
  )

const FRESH_TYPE = { oauth2_install_params: { scopes: [COMMANDS], permissions: '0' } }
/** A new application can be installed in guilds and by users. */
const FRESH_TYPES = { '0': FRESH_TYPE, '1': FRESH_TYPE }

/** Only the flags of limited intents can be set. */
function checkFlags(flags: number | null | undefined): void {
  if (((flags ?? 0) & ~LIMITED_INTENT_FLAGS) === 0) return
  const message = 'Only the flags of limited intents can be changed.'
  throw new PlatformError('invalidForm', { errors: { flags: { _errors: [{ code: 'APPLICATION_FLAGS_INVALID', message }] } } })
}

/** A webhook address must first prove that it checks signatures. */
async function checkEventAddress(args: Changes, { platform, caller }: Operation): Promise<void> {
  if (args.event_webhooks_url === undefined && args.event_webhooks_status === undefined) return
  const before = changesOf(platform, caller.applicationId)
  const address = args.event_webhooks_url === undefined ? before['event_webhooks_url'] : args.event_webhooks_url
  const status = args.event_webhooks_status ?? before['event_webhooks_status']
  if (typeof address !== 'string' || status !== EVENTS_ENABLED) return
  if (await platform.webhooks.verifiesSignatures(caller.applicationId, address)) return
  const message = 'The address could not be verified: it must answer a ping with 204 and a wrong signature with 401.'
  throw new PlatformError('invalidForm', { errors: { event_webhooks_url: { _errors: [{ code: 'EVENT_WEBHOOKS_URL_INVALID', message }] } } })
}

const EVENTS_ENABLED = 2

/** An interactions endpoint must first prove that it answers a ping, and that it checks signatures. */
async function checkInteractionsAddress({ interactions_endpoint_url: address }: Changes, { platform, caller }: Operation): Promise<void> {
  if (address == null) return
  const ping: Interaction = {
    id: platform.ids.next(),
    application_id: caller.applicationId,
    type: INTERACTION_TYPES.ping,
    token: newToken(),
    version: 1,
    app_permissions: '0',
    entitlements: [],
    authorizing_integration_owners: {},
    attachment_size_limit: LIMITS.attachmentBytes.value,
  }
  if (await platform.webhooks.verifiesInteractions(caller.applicationId, address, ping)) return
  const message = 'The endpoint could not be verified: it must answer a ping with 200 and {"type":1}, and a wrong signature with 401.'
  const errors = { interactions_endpoint_url: { _errors: [{ code: 'APPLICATION_INTERACTIONS_ENDPOINT_URL_INVALID', message }] } }
  throw new PlatformError('invalidForm', { errors })
}

const isOauth = ([, row]: [string, ScopeRow]): boolean => row.kind === 'oauth' && row.expandsTo === undefined

function currentView(operation: Operation): CurrentApplication {
  const { platform, caller } = operation
  const { store } = platform
  const id = caller.applicationId
  const changes = changesOf(platform, id)
  const types = (
    changes['integration_types_config'] === undefined ? FRESH_TYPES : (changes['integration_types_config'] ?? {})
  ) as typeof FRESH_TYPES
  const own = applicationView(platform, id)
  const settings = {
    ...own,
    bot: botView(applicationOf(platform, id)),
    owner: userView(platform, defaultUser(platform)),
    team: null,
    tags: [],
    redirect_uris: [...(redirectsOf(platform, id) ?? [])],
    interactions_endpoint_url: null,
    role_connections_verification_url: null,
    event_webhooks_url: null,
    event_webhooks_status: 1,
    explicit_content_filter: 0,
    max_participants: null,
    approximate_guild_count: store.guilds.all().filter(({ botPermissions }) => botPermissions !== null).length,
    approximate_user_authorization_count: usersOf(platform, id),
    eligible_oauth2_scopes: Object.entries<ScopeRow>(SCOPES)
      .filter(isOauth)
      .map(([name]) => name)
      .filter((name) => mayRequest(platform, id, name)),
  }
  return {
    ...settings,
    ...known(changes, settings),
    flags: own.flags,
    integration_types_config: types,
    ...(Object.hasOwn(types, INTEGRATION_TYPES.user) ? { approximate_user_install_count: usersOf(platform, id, COMMANDS) } : {}),
  }
}

/** A setting that was removed is null where the platform always sends it, and left out elsewhere. */
const known = (changes: Readonly<Record<string, unknown>>, always: object) =>
  Object.fromEntries(Object.entries(changes).filter(([name, value]) => value !== null || Object.hasOwn(always, name)))

export const currentApplicationHandlers = {
  EDIT_CURRENT_APPLICATION: editCurrentApplication,
  GET_CURRENT_APPLICATION: getCurrentApplication,
} satisfies Partial<Handlers>
