/** What the tests of the accounting share: programs, connections and the frames that they hold. */
import { Accounting } from '#daemon/src/accounting/accounting.ts'
import type { ConnectionUsage, MeteredConnection } from '#daemon/src/accounting/connections.ts'
import type { Program } from '#daemon/src/identity/program.ts'
import { FakeClock } from '#test/support/fake-clock.ts'

export const programAt = (executable: string): Program => ({ kind: 'native', uid: 1, executable, file: `1:${executable}:3:4:5` })

/** A connection as the session would have it. */
export class TestConnection implements MeteredConnection {
  readonly account: ConnectionUsage
  closedWith: number | undefined
  isPaused = false

  constructor(accounting: Accounting, program: Program) {
    this.account = accounting.connect(program, this)
    if (this.account.isRefused) this.close(4002)
    else this.applyBackpressure()
  }

  applyBackpressure(): void {
    if (this.closedWith === undefined) this.isPaused = this.account.isPaused
  }

  close(code: number): void {
    this.closedWith = code
    this.account.setUnfinishedBytes(0, false)
  }

  drop(): void {
    this.closedWith = 1006
    this.account.setUnsentBytes(0)
  }

  /** As a session does with each chunk that leaves a frame unfinished, or finishes one. */
  hold(bytes: number, isAnother = false): void {
    this.account.setUnfinishedBytes(bytes, isAnother)
    this.applyBackpressure()
  }

  end(): void {
    this.account.end()
  }
}

export function world(isGranted: (program: Program) => boolean = () => false) {
  const clock = new FakeClock()
  const held: number[] = []
  const accounting = new Accounting(clock, isGranted, (bytes) => held.push(bytes))
  const connect = (path: string) => new TestConnection(accounting, programAt(path))
  const charged = (name: string) => accounting.usage().find((one) => one.name === name)?.charged
  return { clock, accounting, connect, charged, held }
}
