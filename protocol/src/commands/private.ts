/** Commands of web pages that the platform owns. Nobody on a local socket holds their scopes, so the gate refuses them. */
import * as z from 'zod'
import { anyArguments, undescribed } from '../schema/index.ts'
import { anyOf } from '../scopes.ts'
import { defineCommand } from './define.ts'

export const inviteBrowser = defineCommand({
  name: 'INVITE_BROWSER',
  summary: 'Open an invite in the desktop client.',
  answeredBy: 'desktop-client',
  requires: anyOf('rpc.private', 'rpc.private.limited'),
  args: z.strictObject({ code: z.string() }),
  data: undescribed,
  errors: ['INVALID_INVITE'],
  provenance: 'observed',
})

export const guildTemplateBrowser = defineCommand({
  name: 'GUILD_TEMPLATE_BROWSER',
  summary: 'Open a guild template in the desktop client.',
  answeredBy: 'desktop-client',
  requires: anyOf('rpc.private', 'rpc.private.limited'),
  args: z.strictObject({ code: z.string() }),
  data: undescribed,
  errors: ['INVALID_GUILD_TEMPLATE'],
  provenance: 'observed',
})

export const giftCodeBrowser = defineCommand({
  name: 'GIFT_CODE_BROWSER',
  summary: 'Open a gift code in the desktop client.',
  answeredBy: 'desktop-client',
  requires: anyOf('rpc.private', 'rpc.private.limited'),
  args: z.strictObject({ code: z.string() }),
  data: undescribed,
  errors: ['INVALID_GIFT_CODE'],
  provenance: 'observed',
})

export const connectionsCallback = defineCommand({
  name: 'CONNECTIONS_CALLBACK',
  summary: 'Finish connecting an account.',
  answeredBy: 'desktop-client',
  requires: anyOf('rpc.private'),
  args: anyArguments,
  data: undescribed,
  errors: ['INVALID_PROVIDER', 'INVALID_CONNECTION_CALLBACK_STATE', 'BAD_REQUEST_FOR_PROVIDER'],
  provenance: 'observed',
})

export const billingPopupBridgeCallback = defineCommand({
  name: 'BILLING_POPUP_BRIDGE_CALLBACK',
  summary: 'Finish a payment.',
  answeredBy: 'desktop-client',
  requires: anyOf('rpc.private'),
  args: anyArguments,
  data: undescribed,
  provenance: 'observed',
})

export const browserHandoff = defineCommand({
  name: 'BROWSER_HANDOFF',
  summary: 'Hand a sign-in over from the browser.',
  answeredBy: 'desktop-client',
  requires: anyOf('rpc.private'),
  args: anyArguments,
  data: undescribed,
  provenance: 'observed',
})

export const overlay = defineCommand({
  name: 'OVERLAY',
  summary: 'Messages between the overlay and the client.',
  answeredBy: 'desktop-client',
  requires: anyOf('rpc.private'),
  args: anyArguments,
  data: undescribed,
  provenance: 'observed',
})
