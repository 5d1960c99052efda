/**
 * `node daemon/scripts/run.mjs PROGRAM [ARGS]`: makes the clone ready, then runs the program on the Node that npm brought.
 * npm's own pre-scripts cannot do it, since scripts of packages are switched off and npm counts them among those.
 */
import { resolve } from 'node:path'
import { runOnRightNode } from '../bin/right-node.mjs'
import { prepare } from './prepare.mjs'

const [program, ...args] = process.argv.slice(2)

if (prepare()) await runOnRightNode(resolve(program), args)
else process.exitCode = 1
