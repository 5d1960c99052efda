/**
 * The main script of an executable. Runs the program, whose files are assets, with the code that V8 compiled when the program ran during
 * the build. Node's own code cache for executables is made without running, so it holds little beyond the outermost function.
 */
'use strict'
const sea = require('node:sea')
const vm = require('node:vm')

/** The assets of the files that the program loads later. */
const PARTS = { './sallyport-later.cjs': 'later', './sallyport-tray.cjs': 'tray' }
const keys = sea.getAssetKeys()
const bytesOf = (name) => Buffer.from(sea.getRawAsset(name))

function load(name, requireIn) {
  const script = new vm.Script(bytesOf(`${name}.js`).latin1Slice(), {
    filename: name === 'program' ? __filename : `${__filename}/${name}`,
    // Made on the platform of the build only.
    cachedData: keys.includes(`${name}.cache`) ? bytesOf(`${name}.cache`) : undefined,
  })
  // The build starts each executable once and fails on this line.
  if (script.cachedDataRejected) process.stderr.write('sallyport: the code cache was rejected, so this start is slow\n')
  const loaded = { exports: {} }
  script.runInThisContext()(loaded.exports, requireIn, loaded, __filename, __dirname)
  return loaded.exports
}

const parts = new Map()
const requirePart = (id) => {
  if (!parts.has(id)) parts.set(id, load(PARTS[id], require))
  return parts.get(id)
}
load('program', (id) => (Object.hasOwn(PARTS, id) ? requirePart(id) : require(id)))
