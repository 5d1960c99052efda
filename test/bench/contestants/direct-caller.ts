/**
 * A program that makes the HTTP call itself, with undici and nothing between. It does as many calls, one after the other, as a
 * line of its standard input says, and answers each line with the ms they took. node direct-caller.ts API-BASE TOKEN
 */
import { createInterface } from 'node:readline'
import { Pool } from 'undici'

const [, , base = '', token = ''] = process.argv
const pool = new Pool(base)
const headers = { authorization: `Bearer ${token}`, 'user-agent': 'sallyport-bench', accept: 'application/json' }

for await (const line of createInterface({ input: process.stdin })) {
  const calls = Number(line)
  const from = performance.now()
  for (let call = 0; call < calls; call++) {
    const { statusCode, body } = await pool.request({ path: '/api/v10/users/@me/guilds', method: 'GET', headers })
    const guilds = await body.json()
    if (statusCode !== 200 || !Array.isArray(guilds)) throw new Error(`the call was answered ${statusCode}`)
  }
  process.stdout.write(`${performance.now() - from}\n`)
}
