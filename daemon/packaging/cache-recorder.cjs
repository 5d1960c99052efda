/** `node cache-recorder.cjs PROGRAM CACHE ARGS…`: runs the program, and at the parent's message writes the code that V8 compiled for it. */
'use strict'
const { readFileSync, writeFileSync } = require('node:fs')
const vm = require('node:vm')

const [, , program, cache, ...args] = process.argv
const script = new vm.Script(readFileSync(program, 'latin1'), {
  filename: program,
  importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
})
process.argv = [process.execPath, program, ...args]
process.once('message', () => {
  writeFileSync(cache, script.createCachedData())
  process.exit(0)
})
script.runInThisContext()({}, require, module, program, __dirname)
