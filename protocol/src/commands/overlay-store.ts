/** Commands of the overlay, the store, tickets and the old networking layer. */
import * as z from 'zod'
import { Entitlement, Sku } from '../records/entitlement.ts'
import { anyArguments, noArguments, empty, ProcessId, Snowflake, undocumented } from '../schema/index.ts'
import { anyOf } from '../scopes.ts'
import { defineCommand } from './define.ts'

export const setOverlayLocked = defineCommand({
  name: 'SET_OVERLAY_LOCKED',
  summary: 'Lock or unlock the overlay of a process.',
  handledBy: 'desktop-client',
  requires: anyOf('rpc.local'),
  args: () => z.strictObject({ locked: z.boolean(), pid: ProcessId() }),
  data: empty,
  provenance: 'observed',
})

export const openOverlayActivityInvite = defineCommand({
  name: 'OPEN_OVERLAY_ACTIVITY_INVITE',
  summary: 'Show the invite dialog in the overlay. The activity needs a party and a join secret.',
  handledBy: 'desktop-client',
  requires: anyOf('rpc.local'),
  args: () => z.strictObject({ type: z.literal(1), pid: ProcessId() }),
  data: empty,
  errors: ['NO_ELIGIBLE_ACTIVITY'],
  provenance: 'observed',
})

export const openOverlayGuildInvite = defineCommand({
  name: 'OPEN_OVERLAY_GUILD_INVITE',
  summary: 'Show a guild invite in the overlay.',
  handledBy: 'desktop-client',
  requires: anyOf('rpc.local'),
  args: () => z.strictObject({ code: z.string(), pid: ProcessId() }),
  data: empty,
  errors: ['INVALID_INVITE'],
  provenance: 'observed',
})

export const openOverlayVoiceSettings = defineCommand({
  name: 'OPEN_OVERLAY_VOICE_SETTINGS',
  summary: 'Show the voice settings in the overlay.',
  handledBy: 'desktop-client',
  requires: anyOf('rpc.local'),
  args: () => z.strictObject({ pid: ProcessId() }),
  data: empty,
  provenance: 'observed',
})

export const validateApplication = defineCommand({
  name: 'VALIDATE_APPLICATION',
  summary: 'Check that the user is entitled to the application; fails if not.',
  handledBy: 'desktop-client',
  requires: anyOf('rpc.local'),
  args: noArguments,
  data: empty,
  errors: ['INVALID_TOKEN', 'UNAUTHORIZED_FOR_APPLICATION'],
  provenance: 'observed',
})

export const getEntitlementTicket = defineCommand({
  name: 'GET_ENTITLEMENT_TICKET',
  summary: 'Get a signed ticket of the entitlements of the user.',
  handledBy: 'desktop-client',
  requires: anyOf('rpc.local'),
  args: noArguments,
  data: () => z.looseObject({ ticket: z.string() }),
  errors: ['INVALID_TOKEN'],
  provenance: 'observed',
})

export const getApplicationTicket = defineCommand({
  name: 'GET_APPLICATION_TICKET',
  summary: 'Get a signed ticket of the user and the application.',
  handledBy: 'desktop-client',
  requires: anyOf('rpc.local'),
  args: noArguments,
  data: () => z.looseObject({ ticket: z.string() }),
  errors: ['INVALID_TOKEN'],
  provenance: 'observed',
})

export const startPurchase = defineCommand({
  name: 'START_PURCHASE',
  summary: 'Let the user buy a SKU. Returns the new entitlements.',
  handledBy: 'desktop-client',
  requires: anyOf('rpc.authenticated', 'rpc.local'),
  args: () => z.strictObject({ sku_id: Snowflake(), pid: ProcessId().nullish() }),
  data: () => z.array(Entitlement()),
  errors: ['INVALID_TOKEN', 'PURCHASE_CANCELED', 'PURCHASE_ERROR'],
  provenance: 'embedded-sdk',
})

export const startPremiumPurchase = defineCommand({
  name: 'START_PREMIUM_PURCHASE',
  summary: 'Let the user buy the premium subscription of the platform.',
  handledBy: 'desktop-client',
  requires: anyOf('rpc.authenticated', 'rpc.local'),
  args: () => z.strictObject({ pid: ProcessId().nullish() }).nullish(),
  data: undocumented,
  errors: ['INVALID_TOKEN', 'PURCHASE_CANCELED', 'PURCHASE_ERROR'],
  provenance: 'observed',
})

export const getSkus = defineCommand({
  name: 'GET_SKUS',
  summary: 'Get the SKUs of the application. Without the desktop client, those of LIST_SKUS.',
  handledBy: 'bridge',
  requires: anyOf('rpc.authenticated', 'rpc.local'),
  args: noArguments,
  data: () => z.array(Sku()),
  provenance: 'embedded-sdk',
})

export const getEntitlements = defineCommand({
  name: 'GET_ENTITLEMENTS',
  summary:
    'Get the entitlements of the user for the application. Without the desktop client, those of GET_CURRENT_USER_APPLICATION_ENTITLEMENTS.',
  handledBy: 'bridge',
  requires: anyOf('rpc.authenticated', 'rpc.local'),
  args: noArguments,
  data: () => z.array(Entitlement()),
  errors: ['INVALID_TOKEN'],
  provenance: 'embedded-sdk',
})

export const getSkusEmbedded = defineCommand({
  name: 'GET_SKUS_EMBEDDED',
  summary: 'Get the SKUs of the application, wrapped in an object. Without the desktop client, those of LIST_SKUS.',
  handledBy: 'bridge',
  requires: anyOf('rpc.authenticated', 'rpc.local'),
  args: noArguments,
  data: () => z.looseObject({ skus: z.array(Sku()) }),
  provenance: 'embedded-sdk',
})

export const getEntitlementsEmbedded = defineCommand({
  name: 'GET_ENTITLEMENTS_EMBEDDED',
  summary:
    'Get the entitlements of the user for the application, wrapped in an object. Without the desktop client, those of GET_CURRENT_USER_APPLICATION_ENTITLEMENTS.',
  handledBy: 'bridge',
  requires: anyOf('rpc.authenticated', 'rpc.local'),
  args: noArguments,
  data: () => z.looseObject({ entitlements: z.array(Entitlement()) }),
  errors: ['INVALID_TOKEN'],
  provenance: 'embedded-sdk',
})

export const getNetworkingConfig = defineCommand({
  name: 'GET_NETWORKING_CONFIG',
  summary: 'Get the address and token of the old networking layer. Deprecated.',
  handledBy: 'desktop-client',
  requires: anyOf('rpc.local'),
  args: noArguments,
  data: () => z.looseObject({ address: z.string(), token: z.string() }),
  errors: ['INVALID_TOKEN'],
  provenance: 'observed',
})

export const networkingCreateToken = defineCommand({
  name: 'NETWORKING_CREATE_TOKEN',
  summary: 'Create a token of the old networking layer. Deprecated.',
  handledBy: 'desktop-client',
  requires: anyOf('rpc.local'),
  args: noArguments,
  data: () => z.looseObject({ address: z.string(), token: z.string() }),
  errors: ['INVALID_TOKEN'],
  provenance: 'observed',
})

export const networkingSystemMetrics = defineCommand({
  name: 'NETWORKING_SYSTEM_METRICS',
  summary: 'Report metrics of the old networking layer. Deprecated.',
  handledBy: 'desktop-client',
  requires: anyOf('rpc.local'),
  args: anyArguments,
  data: undocumented,
  provenance: 'observed',
})

export const networkingPeerMetrics = defineCommand({
  name: 'NETWORKING_PEER_METRICS',
  summary: 'Report metrics of a peer in the old networking layer. Deprecated.',
  handledBy: 'desktop-client',
  requires: anyOf('rpc.local'),
  args: anyArguments,
  data: undocumented,
  provenance: 'observed',
})
