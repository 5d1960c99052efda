import { createForwarder } from './forwarder.ts'
import { systemClock } from '../core/clock.ts'
import { silentLogger } from '../core/logger.ts'
import { Secret } from '../core/secret.ts'
import { z } from 'zod'
const row = { name:'R', summary:'', method:'GET', path:'/channels/{channel_id}/x', pathParameters:['channel_id'], queryParameters:[], encoding:'json', args: z.strictObject({channel_id:z.string()}), response: z.looseObject({id:z.string()}), success:[200], auth:'user', requires:[[]], permissions:[], majorParameter:'channel_id', idempotency:'safe', audited:false, platformErrors:[], provenance:'documented', since:'1.0'} as never
const f = createForwarder({ profile: { baseUrl: 'http://x', userAgent: 'a' }, send: async () => ({status:200, headers:{}, body:'{"id":"1"}'}), clock: systemClock, log: silentLogger, random: Math.random })
const cred = { kind: 'user' as const, id: 'u', token: new Secret('tokentoken') }
for (const n of [100, 1000, 10000, 10000, 10000]) {
  const g = createForwarder({ profile: { baseUrl: 'http://x', userAgent: 'a' }, send: async () => ({status:200, headers:{}, body:'{"id":"1"}'}), clock: systemClock, log: silentLogger, random: Math.random })
  const s = new AbortController().signal
  const t = performance.now()
  await Promise.all(Array.from({length:n}, () => g.forward(row, {channel_id:'1'}, cred, process.argv[2] ? s : new AbortController().signal, Date.now()+30000)))
  console.log(n, ((performance.now()-t)*1000/n).toFixed(1))
}
