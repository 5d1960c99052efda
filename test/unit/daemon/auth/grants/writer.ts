/** Writes grants until it is killed, and says each one aloud once it counts. Run by store.test.ts. */
import { openGrantStore } from '#daemon/src/auth/grants/store.ts'
import { sampleGrant } from './sample.ts'

const [, , file = ''] = process.argv
const store = openGrantStore(file)
for (let count = 0; ; count++) {
  const id = `${process.pid}x${count}`
  store.put(sampleGrant(id))
  process.stdout.write(`${id}\n`)
}
