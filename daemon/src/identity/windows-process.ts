/** Processes on Windows, opened with a handle so that their PID is not reused: program, user, and whether they are confined. */
import type * as ffiModule from 'node:ffi'
import { programAt } from './program-at.ts'
import type { ProgramFacts } from './program.ts'
import { wordsOfLine } from './windows-command-line.ts'

const SYNCHRONIZE = 0x0010_0000
const PROCESS_QUERY_LIMITED_INFORMATION = 0x1000
const WAIT_TIMEOUT = 258
const TOKEN_QUERY = 8

/** TOKEN_INFORMATION_CLASS */
const TOKEN_USER = 1
const TOKEN_INTEGRITY_LEVEL = 25
const TOKEN_IS_APP_CONTAINER = 29
/** SECURITY_MANDATORY_MEDIUM_RID: integrity level of an unconfined program. */
const MEDIUM_INTEGRITY = 0x2000

/** PROCESSINFOCLASS; Windows 8.1. */
const PROCESS_COMMAND_LINE_INFORMATION = 60
/** struct UNICODE_STRING { USHORT Length; USHORT MaximumLength; PWSTR Buffer; } and the text behind it. */
const UNICODE_STRING = { text: 8, bytes: 16 }
const MOST_TEXT_BYTES = 65_536
const MOST_PATH_CHARACTERS = 32_767

/** Fields are undefined when the system denies access. */
interface TokenFacts {
  /** The security identifier of its user, as bytes. */
  readonly user: Buffer | undefined
  /** Runs in an AppContainer, or with an integrity below medium. */
  readonly isConfined: boolean | undefined
}

export type WindowsProcesses = ReturnType<typeof openWindowsProcesses>
export type WindowsProcess = NonNullable<ReturnType<WindowsProcesses['open']>>

export function openWindowsProcesses(ffi: typeof ffiModule) {
  const { functions: k } = ffi.dlopen('kernel32.dll', {
    OpenProcess: { arguments: ['uint32', 'int32', 'uint32'], return: 'pointer' },
    GetCurrentProcess: { arguments: [], return: 'pointer' },
    WaitForSingleObject: { arguments: ['pointer', 'uint32'], return: 'uint32' },
    QueryFullProcessImageNameW: { arguments: ['pointer', 'uint32', 'buffer', 'buffer'], return: 'int32' },
    CloseHandle: { arguments: ['pointer'], return: 'int32' },
  })
  const { functions: a } = ffi.dlopen('advapi32.dll', {
    OpenProcessToken: { arguments: ['pointer', 'uint32', 'buffer'], return: 'int32' },
    GetTokenInformation: { arguments: ['pointer', 'int32', 'buffer', 'uint32', 'buffer'], return: 'int32' },
  })
  const { functions: n } = ffi.dlopen('ntdll.dll', {
    NtQueryInformationProcess: { arguments: ['pointer', 'int32', 'buffer', 'uint32', 'buffer'], return: 'int32' },
  })
  // Reused: the system writes them at every call, and they are read before the next one.
  const text = Buffer.alloc(UNICODE_STRING.bytes + MOST_TEXT_BYTES)
  const size = Buffer.alloc(4)
  const cell = Buffer.alloc(8)

  /** The target of a pointer within the same buffer. */
  const pointedTo = (at: number): Buffer | undefined => {
    const offset = text.readBigUInt64LE(at) - ffi.getRawPointer(text)
    return offset >= 0n && offset < BigInt(text.length) ? text.subarray(Number(offset)) : undefined
  }

  const imageOf = (handle: bigint): string => {
    size.writeUInt32LE(MOST_PATH_CHARACTERS)
    if (k.QueryFullProcessImageNameW(handle, 0, text, size) === 0) throw new Error('The system returned no path for this process.')
    return text.toString('utf16le', 0, size.readUInt32LE(0) * 2)
  }

  const argvOf = (handle: bigint): readonly string[] | undefined => {
    if (n.NtQueryInformationProcess(handle, PROCESS_COMMAND_LINE_INFORMATION, text, text.length, size) !== 0) return undefined
    const bytes = text.readUInt16LE(0)
    const line = pointedTo(UNICODE_STRING.text)
    return line === undefined || line.length < bytes ? undefined : wordsOfLine(line.toString('utf16le', 0, bytes))
  }

  /** SID: a revision, the count of its parts, six bytes of authority, and the parts of four bytes. */
  const sidOf = (token: bigint, kind: number): Buffer | undefined => {
    if (a.GetTokenInformation(token, kind, text, text.length, size) === 0) return undefined
    const sid = pointedTo(0)
    const parts = sid?.[1]
    return sid === undefined || parts === undefined ? undefined : Buffer.from(sid.subarray(0, 8 + 4 * parts))
  }

  const isConfined = (token: bigint): boolean | undefined => {
    if (a.GetTokenInformation(token, TOKEN_IS_APP_CONTAINER, text, text.length, size) === 0) return undefined
    if (text.readUInt32LE(0) !== 0) return true
    const level = lastPart(sidOf(token, TOKEN_INTEGRITY_LEVEL))
    return level === undefined ? undefined : level < MEDIUM_INTEGRITY
  }

  const tokenOf = (handle: bigint): TokenFacts => {
    if (a.OpenProcessToken(handle, TOKEN_QUERY, cell) === 0) return { user: undefined, isConfined: undefined }
    const token = cell.readBigUInt64LE(0)
    const facts = { user: sidOf(token, TOKEN_USER), isConfined: isConfined(token) }
    k.CloseHandle(token)
    return facts
  }

  return {
    own: tokenOf(k.GetCurrentProcess()),
    /** Undefined when it has exited, or access is denied. */
    open(pid: number) {
      const handle = k.OpenProcess(SYNCHRONIZE | PROCESS_QUERY_LIMITED_INFORMATION, 0, pid)
      if (handle === 0n) return undefined
      return {
        isAlive: (): boolean => k.WaitForSingleObject(handle, 0) === WAIT_TIMEOUT,
        /** Throws when the path cannot be read. Windows does not expose the working folder, so a script with a relative path is not found. */
        program: (): ProgramFacts => programAt({ executable: imageOf(handle), argv: () => argvOf(handle), folder: () => undefined }),
        token: tokenOf(handle),
        close: (): void => void k.CloseHandle(handle),
      }
    },
  }
}

/** Of a SID: the relative id of a user, or the level of an integrity label. */
export const lastPart = (sid: Buffer | undefined): number | undefined =>
  sid === undefined || sid.length < 4 ? undefined : sid.readUInt32LE(sid.length - 4)
