/**
 * `node cache-recorder.cjs FOLDER ARGS…`: runs the program of the folder (the files of parts.ts, wrapped as functions), and writes the code that
 * V8 compiled for each file that was read, as `FILE.cache`: of the first when another is read, of the others at the parent's message.
 */
'use strict'
const { existsSync, readFileSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const vm = require('node:vm')

const START = './sallyport.cjs'
const [, , folder, ...args] = process.argv
const scripts = new Map()
const parts = new Map()

const writeCache = (id) => writeFileSync(join(folder, `${id}.cache`), scripts.get(id).createCachedData())

function load(id) {
  // At the ready line: every start reads this cache, so it holds no more than a start runs.
  if (parts.size === 1) writeCache(START)
  const filename = join(folder, id)
  // The cache contains this name; a path would be that of the machine of the build.
  const script = new vm.Script(readFileSync(filename, 'latin1'), { filename: id })
  scripts.set(id, script)
  const part = { exports: {} }
  parts.set(id, part)
  script.runInThisContext()(part.exports, requirePart, part, filename, folder)
  return part
}

const isPart = (id) => id.startsWith('./') && existsSync(join(folder, id))
const requirePart = (id) => (isPart(id) ? (parts.get(id) ?? load(id)).exports : require(id))

process.argv = [process.execPath, join(folder, START), ...args]
process.once('message', () => {
  for (const id of parts.keys()) if (id !== START) writeCache(id)
  process.exit(0)
})
requirePart(START)
