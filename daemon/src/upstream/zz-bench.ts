import { fork } from 'node:child_process'
import { Agent, request } from 'undici'
import { createForwarder } from './forwarder.ts'
import { createHttpSend } from './http.ts'
import { systemClock } from '../core/clock.ts'
import { silentLogger } from '../core/logger.ts'
import { Secret } from '../core/secret.ts'
import { z } from 'zod'
const server = fork('/tmp/upbench/server.mjs')
const port = await new Promise<number>((r) => server.once('message', r as never))
const base = `http://127.0.0.1:${port}/api/v10`
const row = { name:'R', summary:'', method:'GET', path:'/channels/{channel_id}/x', pathParameters:['channel_id'], queryParameters:[], encoding:'json', args: z.strictObject({channel_id:z.string()}), response: z.looseObject({id:z.string(),name:z.string(),list:z.array(z.number())}), success:[200], auth:'user', requires:[[]], permissions:[], majorParameter:'channel_id', idempotency:'safe', audited:false, platformErrors:[], provenance:'documented', since:'1.0'} as never
const agent = new Agent({ connections: 64 })
const token = 'tokentokentoken'
const direct = async (signal: AbortSignal) => {
  const r = await request(`${base}/channels/1/x`, { dispatcher: agent, method: 'GET', headers: { 'user-agent': 'a', accept: 'application/json', authorization: `Bearer ${token}` } })
  return r.body.json()
}
const directSignal = async (signal: AbortSignal) => {
  const r = await request(`${base}/channels/1/x`, { dispatcher: agent, method: 'GET', signal: AbortSignal.timeout(30000), headers: { 'user-agent': 'a', accept: 'application/json', authorization: `Bearer ${token}` } })
  return r.body.json()
}
const http = createHttpSend()
const f = createForwarder({ profile: { baseUrl: base, userAgent: 'a' }, send: http.send, clock: systemClock, log: silentLogger, random: Math.random })
const cred = { kind: 'user' as const, id: 'u', token: new Secret(token) }
const forwarded = (signal: AbortSignal) => f.forward(row, { channel_id: '1' }, cred, signal, Date.now() + 30000)
const signal = new AbortController().signal
async function run(name: string, fn: (s: AbortSignal) => Promise<unknown>, n: number, width: number) {
  const c0 = process.cpuUsage(); const t0 = performance.now()
  let left = n
  const worker = async () => { while (left-- > 0) await fn(new AbortController().signal) }
  await Promise.all(Array.from({ length: width }, worker))
  const c = process.cpuUsage(c0)
  return { name, cpu: (c.user + c.system) / n, wall: (performance.now() - t0) * 1000 / n }
}
for (const width of [1, 16, 64]) {
  const rows: Record<string, number[]> = {}
  for (let round = 0; round < 7; round++) for (const [name, fn] of [['direct', direct], ['direct+signal', directSignal], ['forward', forwarded]] as const) {
    const r = await run(name, fn, 3000, width)
    if (round > 1) (rows[name] ??= []).push(r.cpu, r.wall)
  }
  for (const [name, v] of Object.entries(rows)) console.log(width, name, 'cpu', med(v.filter((_, i) => i % 2 === 0)), 'wall', med(v.filter((_, i) => i % 2 === 1)))
}
function med(v: number[]) { return v.toSorted((a, b) => a - b)[v.length >> 1]!.toFixed(1) }
if (process.argv[2]) { const t=performance.now(); const c=process.cpuUsage(); const out = await Promise.all(Array.from({length:10000}, () => forwarded(signal))); const d=process.cpuUsage(c); console.log('10k', out.length, performance.now()-t, (d.user+d.system)/10000) }
await f.close(); await http.close(); await agent.close(); server.kill()
