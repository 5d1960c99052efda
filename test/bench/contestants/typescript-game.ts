/** A game with the TypeScript client: makes calls one after the other, and prints its own CPU time per call. `typescript-game RUNTIME_DIR CALLS`. */
import { SallyportClient } from '@sallyport/client'

const WARM_CALLS = 3_000
const [runtimeDir = '', calls = '0'] = process.argv.slice(2)

const client = await SallyportClient.connect({ applicationId: '42', runtimeDir, timeoutMs: 10_000 })

async function play(count: number): Promise<void> {
  for (let call = 0; call < count; call++) await client.setActivity({ details: 'Unloading the Copper Wren', state: '12 crates ashore' })
}

await play(WARM_CALLS)
const before = process.cpuUsage()
await play(Number(calls))
const { user, system } = process.cpuUsage(before)
console.log(JSON.stringify({ call_us: (user + system) / Number(calls) }))
await client.close()
