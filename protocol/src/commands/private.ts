/** Commands of web pages of the platform. Their scopes are not available over a local socket, so they fail with INVALID_PERMISSIONS. */
import * as z from 'zod'
import { anyArguments, undocumented } from '../schema/index.ts'
import { anyOf } from '../scopes.ts'
import { defineCommand } from './define.ts'

export const inviteBrowser = defineCommand({
  name: 'INVITE_BROWSER',
  summary: 'Open an invite in the desktop client.',
  handledBy: 'desktop-client',
  requires: anyOf('rpc.private', 'rpc.private.limited'),
  args: () => z.strictObject({ code: z.string() }),
  data: undocumented,
  errors: ['INVALID_INVITE'],
  provenance: 'observed',
})

export const guildTemplateBrowser = defineCommand({
  name: 'GUILD_TEMPLATE_BROWSER',
  summary: 'Open a guild template in the desktop client.',
  handledBy: 'desktop-client',
  requires: anyOf('rpc.private', 'rpc.private.limited'),
  args: () => z.strictObject({ code: z.string() }),
  data: undocumented,
  errors: ['INVALID_GUILD_TEMPLATE'],
  provenance: 'observed',
})

export const giftCodeBrowser = defineCommand({
  name: 'GIFT_CODE_BROWSER',
  summary: 'Open a gift code in the desktop client.',
  handledBy: 'desktop-client',
  requires: anyOf('rpc.private', 'rpc.private.limited'),
  args: () => z.strictObject({ code: z.string() }),
  data: undocumented,
  errors: ['INVALID_GIFT_CODE'],
  provenance: 'observed',
})

export const connectionsCallback = defineCommand({
  name: 'CONNECTIONS_CALLBACK',
  summary: 'Finish connecting an account.',
  handledBy: 'desktop-client',
  requires: anyOf('rpc.private'),
  args: anyArguments,
  data: undocumented,
  errors: ['INVALID_PROVIDER', 'INVALID_CONNECTION_CALLBACK_STATE', 'BAD_REQUEST_FOR_PROVIDER'],
  provenance: 'observed',
})

export const billingPopupBridgeCallback = defineCommand({
  name: 'BILLING_POPUP_BRIDGE_CALLBACK',
  summary: 'Finish a payment.',
  handledBy: 'desktop-client',
  requires: anyOf('rpc.private'),
  args: anyArguments,
  data: undocumented,
  provenance: 'observed',
})

export const browserHandoff = defineCommand({
  name: 'BROWSER_HANDOFF',
  summary: 'Transfer a sign-in from the browser.',
  handledBy: 'desktop-client',
  requires: anyOf('rpc.private'),
  args: anyArguments,
  data: undocumented,
  provenance: 'observed',
})

export const overlay = defineCommand({
  name: 'OVERLAY',
  summary: 'Exchange messages between the overlay and the client.',
  handledBy: 'desktop-client',
  requires: anyOf('rpc.private'),
  args: anyArguments,
  data: undocumented,
  provenance: 'observed',
})
