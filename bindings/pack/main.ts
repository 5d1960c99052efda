/** `npm run bindings:pack [-- FOLDER] [--only NAME]`: makes the packages of the clients and lists their content. */
import { stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Archive, ARCHIVES } from './archives.ts'
import { pack, ROOT } from './pack.ts'

const WIDTH = 9

const { values, positionals } = parseArgs({ allowPositionals: true, options: { only: { type: 'string' } } })
const folder = resolve(positionals[0] ?? join(ROOT, 'bindings/dist'))

/** Its name and size, then each file with its size. */
async function listing(archive: Archive): Promise<string> {
  const made = await pack(archive, folder)
  const { size } = await stat(made.path)
  const files = made.content.map(([name, bytes]) => `${String(bytes).padStart(WIDTH)}  ${name}`)
  return [`${basename(made.path)}: ${size} bytes, ${made.content.length} files`, ...files, ''].join('\n')
}

const chosen = ARCHIVES.filter(({ name }) => values.only === undefined || values.only === name)
if (chosen.length === 0) {
  console.error(`There is no archive ${values.only}; name one of ${ARCHIVES.map(({ name }) => name).join(', ')}.`)
  process.exitCode = 2
}
for (const archive of chosen)
  await listing(archive).then(
    (text) => console.log(text),
    (error: unknown) => {
      console.error(`${archive.name} was not packed: ${error instanceof Error ? error.message : String(error)}\n`)
      process.exitCode = 1
    },
  )
if (process.exitCode === undefined) console.log(`The packages are in ${folder}.`)
