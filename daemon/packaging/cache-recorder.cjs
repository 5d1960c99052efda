/**
 * `node cache-recorder.cjs FOLDER ARGS…`: runs the program of the folder (`program.js`, `later.js`), and writes the code that V8 compiled for each
 * file: `program.cache` when the program is ready, and `later.cache` at the parent's message.
 */
'use strict'
const { readFileSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const vm = require('node:vm')

const LATER = './sallyport-later.cjs'
const [, , folder, ...args] = process.argv
const scripts = new Map()

function load(name, requireIn) {
  const filename = join(folder, `${name}.js`)
  // The cache contains this name; a path would be that of the machine of the build.
  const script = new vm.Script(readFileSync(filename, 'latin1'), { filename: `${name}.js` })
  scripts.set(name, script)
  const loaded = { exports: {} }
  script.runInThisContext()(loaded.exports, requireIn, loaded, filename, folder)
  return loaded.exports
}

process.argv = [process.execPath, join(folder, 'program.js'), ...args]
const writeCache = (name) => writeFileSync(join(folder, `${name}.cache`), scripts.get(name).createCachedData())
process.once('message', () => {
  writeCache('later')
  process.exit(0)
})
const parts = new Map()
const requirePart = (id) => {
  if (parts.has(id)) return parts.get(id)
  // At the ready line: every start reads this cache, so it holds no more than a start runs.
  writeCache('program')
  parts.set(id, load('later', require))
  return parts.get(id)
}
load('program', (id) => (id === LATER ? requirePart(id) : require(id)))
