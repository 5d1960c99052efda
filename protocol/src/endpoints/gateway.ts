/** Endpoints that say where the gateway is. */
import { GatewayAddress, GatewayBot } from '../records/gateway-address.ts'
import { NO_SCOPE } from '../scopes.ts'
import { defineEndpoint } from './define.ts'

export const getGateway = defineEndpoint({
  name: 'GET_GATEWAY',
  summary: 'The address of the gateway, to be kept until it is no good any more.',
  method: 'GET',
  path: '/gateway',
  params: {},
  response: GatewayAddress,
  auth: 'none',
  requires: NO_SCOPE,
  idempotency: 'safe',
  provenance: 'documented',
})

export const getGatewayBot = defineEndpoint({
  name: 'GET_GATEWAY_BOT',
  summary: 'The address of the gateway, how many shards the bot should open, and how many sessions it may still begin today.',
  method: 'GET',
  path: '/gateway/bot',
  params: {},
  response: GatewayBot,
  auth: 'bot',
  requires: NO_SCOPE,
  idempotency: 'safe',
  provenance: 'documented',
})
