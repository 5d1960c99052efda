/** Verifies the program of a session before a grant is evaluated or the user is prompted. */
import type { Grants } from '../auth/grants/grants.ts'
import type { ProgramContents } from '../identity/content.ts'
import type { Session } from './session.ts'

export interface ProgramCheckDeps {
  readonly grants: Pick<Grants, 'withOtherCtime' | 'updateProgram'>
  readonly contents: ProgramContents
}

/**
 * Checks that the process still runs the same program, and via PING that it sends the messages itself. Otherwise the program becomes unknown.
 * A file of which only ctime changed is read: with the same content it is the same program, and its grants are updated.
 * `mustAnswer`: also sends a PING to peers without a contract, and a peer that does not answer fails the check.
 */
export async function verifyProgram(session: Session, { grants, contents }: ProgramCheckDeps, mustAnswer = false): Promise<void> {
  const { connection, applicationId } = session
  if (connection.peer.trust !== 'kernel') return
  const isPinged = mustAnswer || session.contract !== undefined
  if (connection.peer.process?.isUnchanged() === false || (isPinged && !(await connection.proveSender())))
    return session.markProgramUnknown()
  const changed = grants.withOtherCtime(session.program, applicationId)
  if (changed.length === 0) return
  await readDigest(session, contents)
  const { digest } = session.program
  if (digest === undefined) return
  for (const grant of changed) if (grant.program.digest === digest) grants.updateProgram(grant, session.program)
}

/** Sets the digest of the session's program, which grants and prompts store. */
export async function readDigest(session: Session, contents: ProgramContents): Promise<void> {
  if (session.program.digest !== undefined) return
  session.setDigest(await contents.of(session.connection.peer))
}
