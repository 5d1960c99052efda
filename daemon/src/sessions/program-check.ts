/** Verifies the program of a session before a grant is evaluated or the user is prompted. */
import type { Grants } from '../auth/grants/grants.ts'
import type { ProgramContents } from '../identity/content.ts'
import type { Session } from './session.ts'

export interface ProgramCheckDeps {
  readonly grants: Pick<Grants, 'wasAllowed' | 'withOtherCtime' | 'updateProgram'>
  readonly contents: ProgramContents
}

/** The user allowed something on this connection, so it acts in no other right. */
const isAllowedHere = ({ signedIn, allowances }: Session): boolean => signedIn?.isManaged === true || !allowances.isEmpty

/**
 * Checks that the process still runs the same program and sends the messages itself. Otherwise the program becomes unknown, so the user is
 * prompted. A client without a contract that has no rights to lose is not checked: the prompt names the process that connected.
 * A file of which only ctime changed is read: with the same content it is the same program, and its grants are updated.
 */
export async function verifyProgram(session: Session, { grants, contents }: ProgramCheckDeps): Promise<void> {
  const { connection, applicationId } = session
  if (connection.peer.trust !== 'kernel') return
  const mustProve = session.contract !== undefined || (!isAllowedHere(session) && grants.wasAllowed(session.program, applicationId))
  if (connection.peer.process?.isUnchanged() === false || (mustProve && !(await connection.proveSender())))
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
