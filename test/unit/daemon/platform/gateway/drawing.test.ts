/** The documentation page matches the state machine. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { GATEWAY_PHASES } from '#daemon/src/platform/gateway/machine.ts'
import { closeCodes, drawing } from './drawing.ts'

const FILE = join(import.meta.dirname, '../../../../../daemon/docs/gateway-connection.md')
const between = (name: string, text: string) => `<!-- ${name}: follows the code -->\n\n${text}\n\n<!-- end of ${name} -->`

// To bring the page up to date after a change, run this file with WRITE_DOCS=1.
test('daemon/docs/gateway-connection.md draws what the machine does', async () => {
  const parts = [
    ['drawing', drawing()],
    ['close codes', closeCodes()],
  ] as const
  let page = await readFile(FILE, 'utf8')
  if (process.env['WRITE_DOCS'] === '1') {
    for (const [name, text] of parts)
      page = page.replace(new RegExp(`<!-- ${name}: [^]*<!-- end of ${name} -->`), () => between(name, text))
    await writeFile(FILE, page)
  }
  for (const [name, text] of parts) expect(page).toContain(between(name, text))
})

test('every state can be reached', () => {
  const drawn = drawing()
  for (const phase of GATEWAY_PHASES) expect(drawn).toContain(`--> ${phase}`)
})
