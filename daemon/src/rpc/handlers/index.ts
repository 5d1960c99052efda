/** The handler of each command, from its family. A row without a handler, or a handler without a row, does not compile. */
import type { EndpointName } from '@sallyport/protocol'
import type { HandlerMap } from '../context.ts'
import type { DefaultHandlers } from '../router.ts'
import { AccountEvents, type AccountEventsDeps } from './account-events.ts'
import { type AccountTokenDeps, accountTokenHandlers } from './account-tokens.ts'
import { authenticateHandlers } from './authenticate.ts'
import { type AuthorizeDeps, authorizeHandlers } from './authorize.ts'
import { type BotTokenDeps, botTokenHandlers } from './bot-tokens.ts'
import { type BridgeDeps, bridgeHandlers } from './bridge.ts'
import { currentUserHandlers } from './current-user.ts'
import { type DesktopClientDeps, forwardToDesktopClient } from './desktop-client.ts'
import { type DeviceDeps, deviceHandlers } from './device.ts'
import { HeldCodes } from './held-sign-ins.ts'
import { type EmbeddedDeps, embeddedHandlers } from './embedded.ts'
import { forward, type ForwardDeps } from './forward.ts'
import { type GatewayDeps, gatewayHandlers } from './gateway.ts'
import { type GuildChannelDeps, guildChannelHandlers } from './guilds-channels.ts'
import { type InspectionDeps, inspectionHandlers } from './inspection.ts'
import { type OperationDeps, operationHandlers } from './operation.ts'
import { type LaunchDeps, launchHandlers } from './launch.ts'
import { type PlatformFactDeps, platformFactHandlers } from './platform-facts.ts'
import { type ActivityDeps, activityHandlers } from './presence.ts'
import { ProgramTokens, type ProgramTokensDeps } from './program-tokens.ts'
import { type ProvisionalAccountDeps, provisionalAccountHandlers } from './provisional-accounts.ts'
import { SignIn, type SignInDeps } from './sign-in.ts'
import type { SignInWithConsentDeps } from './sign-in-with-consent.ts'
import { type ShopDeps, shopHandlers } from './shop.ts'
import { type SocialDeps, socialHandlers } from './social.ts'
import { type SubscriptionDeps, subscriptionHandlers } from './subscription.ts'
import { TokenInspector, type TokenInspectorDeps } from './token-inspector.ts'
import { TokenIntake, type TokenIntakeDeps } from './token-intake.ts'
import { type TokenRevocationDeps, tokenRevocationHandlers } from './token-revocation.ts'
import { type TokenDeps, tokenHandlers } from './tokens.ts'
import { type UploadDeps, uploadHandlers } from './uploads.ts'
import { type UserMessageDeps, withHistory } from './user-messages.ts'
import { type UserDeps, userHandlers } from './users.ts'

/** What several families share; made here, once. */
interface SharedParts {
  readonly tokenInspector: TokenInspector
  readonly programTokens: ProgramTokens
  readonly accountEvents: AccountEvents
  readonly tokenIntake: TokenIntake
  readonly signIn: SignIn
  readonly heldCodes: HeldCodes
}

type SharedPartsDeps = AccountEventsDeps & ProgramTokensDeps & SignInDeps & TokenInspectorDeps & TokenIntakeDeps

type FamilyDeps = AccountTokenDeps &
  ActivityDeps &
  AuthorizeDeps &
  BotTokenDeps &
  BridgeDeps &
  DeviceDeps &
  EmbeddedDeps &
  ForwardDeps &
  GatewayDeps &
  GuildChannelDeps &
  InspectionDeps &
  LaunchDeps &
  OperationDeps &
  PlatformFactDeps &
  ProvisionalAccountDeps &
  ShopDeps &
  SignInWithConsentDeps &
  SocialDeps &
  SubscriptionDeps &
  TokenDeps &
  TokenRevocationDeps &
  UploadDeps &
  UserDeps

/** The parts of the daemon that handlers use; each family names its own. */
export type HandlerDeps = Omit<FamilyDeps & SharedPartsDeps, keyof SharedParts>

function withSharedParts(deps: HandlerDeps): HandlerDeps & SharedParts {
  const tokenInspector = new TokenInspector(deps)
  const programTokens = new ProgramTokens(deps)
  const accountEvents = new AccountEvents({ ...deps, tokenInspector, programTokens })
  const tokenIntake = new TokenIntake({ ...deps, tokenInspector, programTokens, accountEvents })
  const signIn = new SignIn({ ...deps, tokenInspector, programTokens })
  return { ...deps, tokenInspector, programTokens, accountEvents, tokenIntake, signIn, heldCodes: new HeldCodes() }
}

export function createHandlers(given: HandlerDeps): HandlerMap {
  const deps = withSharedParts(given)
  const social = socialHandlers(deps)
  return {
    ...accountTokenHandlers(deps),
    ...activityHandlers(deps),
    ...authenticateHandlers(deps),
    ...authorizeHandlers(deps),
    ...botTokenHandlers(deps),
    ...bridgeHandlers(deps),
    ...currentUserHandlers(deps),
    ...deviceHandlers(deps),
    ...embeddedHandlers(deps, social),
    ...gatewayHandlers(deps),
    ...guildChannelHandlers(deps),
    ...inspectionHandlers(deps),
    ...launchHandlers(deps),
    ...operationHandlers(deps),
    ...platformFactHandlers(deps),
    ...provisionalAccountHandlers(deps),
    ...shopHandlers(deps),
    ...social,
    ...subscriptionHandlers(deps),
    ...tokenHandlers(deps),
    ...tokenRevocationHandlers(deps),
    ...uploadHandlers(deps),
    ...userHandlers(deps),
  }
}

/** The handlers of the rows that are forwarded: operations of the platform, and commands of the desktop client. */
export const createDefaultHandlers = (deps: DesktopClientDeps & ForwardDeps & UserMessageDeps): DefaultHandlers => ({
  api: (row) => withHistory(row.name as EndpointName, forward(row, deps), deps),
  desktopClient: (row) => forwardToDesktopClient(row, deps),
})
