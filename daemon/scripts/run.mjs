/**
 * `node daemon/scripts/run.mjs PROGRAM [ARGS]`: prepares the clone, then runs the program on the right Node.
 * Not an npm pre-script, because package scripts are disabled, which includes pre-scripts.
 */
import { resolve } from 'node:path'
import { runOnRightNode } from '../bin/right-node.mjs'
import { prepare } from './prepare.mjs'

const [program, ...args] = process.argv.slice(2)

if (prepare()) await runOnRightNode(resolve(program), args)
else process.exitCode = 1
