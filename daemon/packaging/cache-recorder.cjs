/**
 * `node cache-recorder.cjs FOLDER ARGS…`: runs the program of the folder as an executable does, and writes the code that V8 compiled for each
 * file that was read, as `FILE.cache`: of the first when another is read, of the others at the parent's message.
 */
'use strict'
const { readFileSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { START, runProgram } = require('./loader.cjs')

const [, , folder, ...args] = process.argv
const main = join(folder, START)
const scripts = new Map()
const writeCache = (name) => writeFileSync(`${join(folder, name)}.cache`, scripts.get(name).createCachedData())

process.argv = [process.execPath, main, ...args]
process.once('message', () => {
  for (const name of scripts.keys()) if (name !== START) writeCache(name)
  process.exit(0)
})
runProgram({
  main,
  read: (name) => (name.endsWith('.cache') ? undefined : readFileSync(join(folder, name))),
  onLoaded(name, script) {
    // At the ready line: every start reads this cache, so it holds no more than a start runs.
    if (scripts.size === 1) writeCache(START)
    scripts.set(name, script)
  },
})
