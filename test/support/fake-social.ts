/** Fakes of the platform's own client and of the launcher. Each records its calls. */
import type { PeerIdentity } from '#daemon/src/ipc/transport/transport.ts'
import type { PresenceOwner } from '#daemon/src/presence/sink.ts'
import type { Session } from '#daemon/src/sessions/session.ts'
import { type DesktopClient, noDesktopClient } from '#daemon/src/events/providers/desktop/desktop-client.ts'

/** Away, unless `linked` names the application. */
export class FakeDesktopClient implements DesktopClient {
  readonly linked = new Set<string>()
  /** The user of the client; undefined: it did not name one. */
  userId: string | undefined
  readonly calls: { readonly applicationId: string; readonly cmd: string; readonly args: unknown }[] = []
  answer: () => Promise<unknown> = async () => null

  async runs(applicationId: string): Promise<boolean> {
    return this.linked.has(applicationId)
  }
  isConnected({ applicationId, userId }: PresenceOwner): boolean {
    return this.linked.has(applicationId) && (userId === undefined || this.userId === undefined || userId === this.userId)
  }
  call(caller: Session, cmd: string, args: unknown): Promise<unknown> {
    const { applicationId } = caller
    if (!this.linked.has(applicationId)) return noDesktopClient.call(caller, cmd, args)
    this.calls.push({ applicationId, cmd, args })
    return this.answer()
  }
}

/** Starts nothing. */
export class FakeLaunches {
  readonly registered: { readonly applicationId: string; readonly command: string }[] = []
  readonly launched: string[] = []

  register(applicationId: string, _peer: PeerIdentity, command: string): void {
    this.registered.push({ applicationId, command })
  }
  async launch(applicationId: string): Promise<void> {
    this.launched.push(applicationId)
  }
}
