/** `npm run npm:pack [-- FOLDER]`: writes the archive of each published npm package, and prints a line of JSON for each. Publishes nothing. */
import { stat } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { packPublished } from './pack.ts'
import { PUBLISHED } from './published.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const folder = resolve(process.argv[2] ?? join(ROOT, 'daemon/dist/npm'))

for (const published of PUBLISHED) {
  const { path, files } = await packPublished(ROOT, published, folder)
  const { size } = await stat(path)
  console.log(JSON.stringify({ package: published.name, file: relative(ROOT, path), bytes: size, files: files.length }))
}
