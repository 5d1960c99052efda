/**
 * Preloaded into a daemon: when it is asked to stop, writes the files of the program that it read, the dear modules of Node that it loaded, and how many processes
 * it started for games, to descriptor 3, as JSON.
 */
'use strict'
const { subscribe } = require('node:diagnostics_channel')
const { writeFileSync } = require('node:fs')
const { basename } = require('node:path')

const REPORT = 3
/** Of the script that removes the names of a killed daemon: the clock starts it, without a game too (name-keeper.ts). */
const KEEPER = 'read -r pin'
/** Each takes a millisecond or more. */
const DEAR = ['crypto', 'http', 'http2', 'https', 'tls', 'zlib']
const started = []

// What it runs is not known yet.
subscribe('child_process', (message) => started.push(message.process))
// The first listener: what the stop itself needs does not count.
process.once('SIGTERM', () => {
  const files = Object.keys(require.cache).map((file) => basename(file))
  const loaded = new Set(process.moduleLoadList)
  const report = {
    files: files.filter((file) => file.startsWith('sallyport')).toSorted(),
    modules: DEAR.filter((name) => loaded.has(`NativeModule ${name}`)),
    processes: started.filter(({ spawnargs }) => !spawnargs.some((word) => word.includes(KEEPER))).length,
  }
  writeFileSync(REPORT, JSON.stringify(report))
})
