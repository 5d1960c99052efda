/** The program: the words of its command line go to the command line's table. */
import { runProcess } from './cli/process-io.ts'

void runProcess()
