/** What is kept from tasks in processes of their own, row by row: docs/security.md is the copy for readers. */
import { HAS_SHELL, HOLDS_MEMORY, HOLDS_NETWORK } from './features.ts'

export interface IsolationRow {
  /** What a task might try. */
  readonly what: string
  /** What comes of it where it is enforced; else what keeps it within bounds, if anything does. */
  readonly how: string
  /** On this Node and system. */
  readonly enforced: boolean
}

export const ISOLATION_ROWS: readonly IsolationRow[] = [
  { what: 'read files', how: 'refused by Node, but for its own folder and code', enforced: true },
  { what: 'write files', how: 'refused by Node, but for its own folder', enforced: true },
  { what: 'read the environment', how: 'it has none but what is listed', enforced: true },
  { what: "read the cluster's key", how: 'it is neither in its memory nor in what it may read', enforced: true },
  { what: 'read or change other tasks', how: 'each has a process of its own', enforced: true },
  { what: 'start processes and threads', how: 'refused by Node', enforced: true },
  { what: 'load native code, WASI or a debugger', how: 'refused by Node', enforced: true },
  { what: 'open SQLite databases', how: 'the module is not there', enforced: true },
  { what: 'send signals, change priorities', how: 'refused: these functions are taken away', enforced: true },
  { what: 'say things to its peer that no task says', how: 'it is ended', enforced: true },
  { what: 'outlive its peer', how: 'it is ended', enforced: HAS_SHELL },
  { what: 'use much memory', how: 'it is refused, or ended (taskMemoryBytes)', enforced: HOLDS_MEMORY },
  { what: 'use many file handles', how: 'they are refused (taskFiles)', enforced: HAS_SHELL },
  { what: 'fill the disk', how: 'it is ended (taskDiskBytes); looked at four times a second', enforced: true },
  { what: 'use much processor time', how: 'no more than its slots; chunkTimeout and cancel end it', enforced: false },
  { what: 'use the network, Unix sockets included', how: 'refused by Node', enforced: HOLDS_NETWORK },
  { what: 'learn whether a path exists', how: 'no content is read', enforced: false },
  { what: 'learn about the machine (names, users, addresses)', how: 'node:os tells', enforced: false }
]

/** One line for those that are not enforced here. */
export function notEnforced(rows: readonly IsolationRow[] = ISOLATION_ROWS): string {
  return rows
    .filter(({ enforced }) => !enforced)
    .map(({ what }) => what)
    .join('; ')
}
