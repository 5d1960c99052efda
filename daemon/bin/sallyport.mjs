#!/usr/bin/env node
/** Starts the command line on the right Node. */
import { existsSync } from 'node:fs'
import { BRIDGE, runOnRightNode } from './right-node.mjs'

if (existsSync(BRIDGE)) {
  runOnRightNode(BRIDGE, process.argv.slice(2))
} else {
  console.error('sallyport: this source tree is not built. Run: npm run build')
  process.exitCode = 1
}
