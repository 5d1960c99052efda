/** `npm run bindings:pack [-- FOLDER] [--only NAME]`: makes the packages of the clients and lists their content. */
import { stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ARCHIVES } from './archives.ts'
import { type Made, pack, ROOT } from './pack.ts'

const WIDTH = 9

const { values, positionals } = parseArgs({ allowPositionals: true, options: { only: { type: 'string' } } })
const folder = resolve(positionals[0] ?? join(ROOT, 'bindings/dist'))

const line = (bytes: number, text: string): string => `${String(bytes).padStart(WIDTH)}  ${text}`

async function listing({ path, content }: Made): Promise<string> {
  const { size } = await stat(path)
  return [`${basename(path)}: ${size} bytes, ${content.length} files`, ...content.map(([name, bytes]) => line(bytes, name)), ''].join('\n')
}

const chosen = ARCHIVES.filter(({ name }) => values.only === undefined || values.only === name)
if (chosen.length === 0) {
  console.error(`There is no archive ${values.only}; name one of ${ARCHIVES.map(({ name }) => name).join(', ')}.`)
  process.exitCode = 2
}
for (const archive of chosen) {
  const made = await pack(archive, folder).catch((error: unknown) => {
    process.exitCode = 1
    console.error(`${archive.name} was not packed: ${error instanceof Error ? error.message : String(error)}`)
  })
  if (made !== undefined) console.log(await listing(made))
  else if (process.exitCode === undefined) console.log(`${archive.name}: nothing to pack, there is no ${archive.home}\n`)
}
console.log(`The packages are in ${folder}.`)
