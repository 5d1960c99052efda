/**
 * Preloaded into a daemon: when it is asked to stop, writes the files of the program that it read, the dear modules of Node that it loaded, and how many processes
 * it started, to descriptor 3, as JSON.
 */
'use strict'
const { subscribe } = require('node:diagnostics_channel')
const { writeFileSync } = require('node:fs')
const { basename } = require('node:path')

const REPORT = 3
/** Each takes a millisecond or more. */
const DEAR = ['crypto', 'http', 'http2', 'https', 'tls', 'zlib']
let processes = 0

subscribe('child_process', () => processes++)
// The first listener: what the stop itself needs does not count.
process.once('SIGTERM', () => {
  const files = Object.keys(require.cache).map((file) => basename(file))
  const loaded = new Set(process.moduleLoadList)
  const report = {
    files: files.filter((file) => file.startsWith('sallyport')).toSorted(),
    modules: DEAR.filter((name) => loaded.has(`NativeModule ${name}`)),
    processes,
  }
  writeFileSync(REPORT, JSON.stringify(report))
})
