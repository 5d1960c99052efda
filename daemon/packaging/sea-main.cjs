/**
 * The main script of an executable. Runs the program, whose files are assets, with the code that V8 compiled when the program ran during the
 * build. Node's own code cache for executables is made without running, so it holds little beyond the outermost function.
 */
'use strict'
const sea = require('node:sea')
const vm = require('node:vm')

const START = './sallyport.cjs'
const assets = new Set(sea.getAssetKeys())
const bytesOf = (name) => Buffer.from(sea.getRawAsset(name))
const parts = new Map()

function load(id) {
  const name = id.slice(2)
  const script = new vm.Script(bytesOf(name).latin1Slice(), {
    filename: id === START ? __filename : `${__filename}/${name}`,
    // Made on the platform of the build only, and of the files that a daemon for players reads.
    cachedData: assets.has(`${name}.cache`) ? bytesOf(`${name}.cache`) : undefined,
  })
  // The build starts each executable once and fails on this line.
  if (script.cachedDataRejected) process.stderr.write('sallyport: the code cache was rejected, so this start is slow\n')
  const part = { exports: {} }
  // Before it runs, because the other parts require what the first exports.
  parts.set(id, part)
  script.runInThisContext()(part.exports, requirePart, part, __filename, __dirname)
  return part
}

const isPart = (id) => id.startsWith('./') && assets.has(id.slice(2))
const requirePart = (id) => (isPart(id) ? (parts.get(id) ?? load(id)).exports : require(id))
requirePart(START)
