/**
 * `node daemon/scripts/run.mjs [--to-run] PROGRAM [ARGS]`: prepares the clone, then runs the program on the right Node. `--to-run`: the program
 * needs only what the daemon itself needs, so the packages of the tests are not installed and nothing is type-checked.
 * Not an npm pre-script, because package scripts are disabled, which includes pre-scripts.
 */
import { resolve } from 'node:path'
import { runOnRightNode } from '../bin/right-node.mjs'
import { prepare } from './prepare.mjs'

const TO_RUN = '--to-run'
const given = process.argv.slice(2)
const isAll = given[0] !== TO_RUN
const [program, ...args] = isAll ? given : given.slice(1)

if (prepare(isAll)) runOnRightNode(resolve(program), args)
else process.exitCode = 1
