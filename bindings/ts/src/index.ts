/** The public API of the client; everything else is internal. */
export { type ActivityMapOptions, type ActivityMapping, canonicalActivityPath, mapActivityUrl } from '@sallyport/protocol/activity-urls'
export { DEFAULT_COMMUNICATION_SCOPES, DEFAULT_PRESENCE_SCOPES } from '@sallyport/protocol/scopes'
export type { ArgsOf, CommandName, DataOf, EventArgsOf, EventDataOf, EventName } from '@sallyport/protocol'
export type {
  AccountListener,
  AccountState,
  Activity,
  CallableCommand,
  CallResult,
  CallOptions,
  CallParameters,
  ClientOptions,
  ConnectOptions,
  CurrentUser,
  PresenceListener,
  PresenceReport,
  ReconnectOptions,
  SignedIn,
  SignInOptions,
  StateListener,
  Subscription,
  SubscriptionStatus,
  WaitOptions,
} from './api.ts'
export { newCallKey } from './call-keys.ts'
export { SallyportClient } from './client.ts'
export {
  CallError,
  type CallErrorData,
  CallTimeoutError,
  ConnectionLostError,
  ForeignServerError,
  NotSentError,
  ServerNotFoundError,
  ProtocolError,
  ServerClosedError,
} from './errors.ts'
export { type Friend, type FriendsList, friendsByGroup, withGameRelationship, withRelationship } from './friends.ts'
export type { ConnectionState, WaitReason } from './machine.ts'
export type { Restored, Server, ServerUser } from './server.ts'
export { connectOwnServer } from './own-server.ts'
export { createPkce, type Pkce } from './pkce.ts'
export type { Clock, Environment } from './environment.ts'
