/** Endpoints that return the gateway URL. */
import { GatewayAddress, GatewayBot } from '../records/gateway-address.ts'
import { NO_SCOPE } from '../scopes.ts'
import { defineEndpoint } from './define.ts'

export const getGateway = defineEndpoint({
  name: 'GET_GATEWAY',
  summary: 'Get the gateway URL; it can be cached until a connection to it fails.',
  method: 'GET',
  path: '/gateway',
  params: () => ({}),
  response: GatewayAddress,
  auth: 'none',
  requires: NO_SCOPE,
  idempotency: 'safe',
  provenance: 'documented',
})

export const getGatewayBot = defineEndpoint({
  name: 'GET_GATEWAY_BOT',
  summary: 'Get the gateway URL, the recommended number of shards, and the remaining session starts of the bot today.',
  method: 'GET',
  path: '/gateway/bot',
  params: () => ({}),
  response: GatewayBot,
  auth: 'bot',
  requires: NO_SCOPE,
  idempotency: 'safe',
  provenance: 'documented',
})
