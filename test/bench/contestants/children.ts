/** Processes that must not outlive this one, however it ends. */
import type { ChildProcess } from 'node:child_process'

const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

export function endsWithUs<Child extends ChildProcess>(child: Child): Child {
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}
