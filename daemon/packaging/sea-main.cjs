/**
 * The main script of an executable. Runs the program, which is an asset, with the code that V8 compiled when the program ran during the build.
 * Node's own code cache for executables is made without running, so it holds little beyond the outermost function.
 */
'use strict'
const sea = require('node:sea')
const vm = require('node:vm')

const bytesOf = (name) => Buffer.from(sea.getRawAsset(name))
// Made on the platform of the build only.
const cachedData = sea.getAssetKeys().includes('program.cache') ? bytesOf('program.cache') : undefined
const script = new vm.Script(bytesOf('program.js').latin1Slice(), {
  filename: __filename,
  cachedData,
  importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
})
// The build starts each executable once and fails on this line.
if (script.cachedDataRejected) process.stderr.write('sallyport: the code cache was rejected, so this start is slow\n')
script.runInThisContext()(exports, require, module, __filename, __dirname)
