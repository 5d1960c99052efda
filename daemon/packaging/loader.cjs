/**
 * Runs the program from its files (parts.ts, wrapped as functions), each with the code that V8 compiled when the program ran during the build. The
 * main script of an executable, whose assets the files are; cache-recorder.cjs runs the same during the build. Node's own code cache for
 * executables is made without running, so it holds little beyond the outermost function.
 */
'use strict'
const path = require('node:path')
const sea = require('node:sea')
const vm = require('node:vm')

const START = 'sallyport.cjs'

/**
 * `main`: the path of the program. `read(name)`: the bytes of a file, undefined if there is none; `FILE.cache` is the compiled code of FILE.
 * `onLoaded(name, script)`: called for each file before it runs.
 */
function runProgram({ main, read, onLoaded }) {
  const parts = new Map()
  function load(name) {
    // The name, because the cache contains it, and a path would be that of the machine of the build.
    const script = new vm.Script(read(name).latin1Slice(), { filename: name, cachedData: read(`${name}.cache`) })
    onLoaded(name, script)
    const part = { exports: {} }
    // Before it runs, because the other parts require what the first exports.
    parts.set(name, part)
    script.runInThisContext()(part.exports, requirePart, part, main, path.dirname(main))
    return part
  }
  const requirePart = (id) => {
    if (!id.startsWith('./')) return require(id)
    const name = id.slice('./'.length)
    return (parts.get(name) ?? load(name)).exports
  }
  requirePart(`./${START}`)
}

function runAssets() {
  const assets = new Set(sea.getAssetKeys())
  runProgram({
    main: __filename,
    // Only the files that a daemon for players reads have a cache, and only for the platform of the build.
    read: (name) => (assets.has(name) ? Buffer.from(sea.getRawAsset(name)) : undefined),
    onLoaded(_name, script) {
      // The build starts each executable once and fails on this line.
      if (script.cachedDataRejected) process.stderr.write('sallyport: the code cache was rejected, so this start is slow\n')
    },
  })
}

if (sea.isSea()) runAssets()
else module.exports = { START, runProgram }
