/** A server in a process of its own that says what it gets. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

const LISTENER = `
  const server = require('node:net').createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', () => process.stdout.write('received\\n'))
  })
  process.umask(0)
  server.listen(process.argv[1], () => process.stdout.write('listening\\n'))`

export interface Listener {
  readonly child: ChildProcess
  /** Lines: `listening`, then `received` for each chunk of a client. */
  said(): string
}

/** Listens at the path in a process that `spawn` starts with a script of Node and its words. */
export async function listenerAt(path: string, spawn: (script: string, ...words: readonly string[]) => ChildProcess): Promise<Listener> {
  const child = spawn(LISTENER, path)
  let said = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  if (child.stdout !== null) await once(child.stdout, 'data')
  return { child, said: () => said }
}
