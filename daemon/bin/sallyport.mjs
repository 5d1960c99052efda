#!/usr/bin/env node
/** Starts the command line on the right Node. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { runOnRightNode } from './right-node.mjs'

const program = fileURLToPath(new URL('../dist/sallyport.cjs', import.meta.url))

if (existsSync(program)) {
  await runOnRightNode(program, process.argv.slice(2))
} else {
  console.error('sallyport: this is a source tree that has not been built. Run: npm run build')
  process.exitCode = 1
}
