/** What isolation keeps from tasks, row by row. docs/security.md has a copy of this table. */
import { HAS_SHELL, LIMITS_MEMORY, RESTRICTS_NETWORK } from './platform-features.ts'

export interface IsolationRow {
  /** What a task may try. */
  readonly what: string
  /** What happens where the row is enforced; else what bounds it, if anything does. */
  readonly how: string
  /** The versions of Node and the systems that enforce it. */
  readonly where: string
  /** Whether this machine enforces it. */
  readonly enforced: boolean
}

const ALL = 'every Node from 20'

export const ISOLATION_ROWS: readonly IsolationRow[] = [
  { what: 'read files', how: 'refused by Node, but for its own folder and code', where: ALL, enforced: true },
  { what: 'write files', how: 'refused by Node, but for its own folder', where: ALL, enforced: true },
  { what: 'read the environment', how: 'it has none but what is listed', where: ALL, enforced: true },
  {
    what: "read the cluster's key",
    how: 'it is neither in its memory nor in what it may read',
    where: ALL,
    enforced: true
  },
  { what: 'read or change other tasks', how: 'each has a process of its own', where: ALL, enforced: true },
  { what: 'start processes and threads', how: 'refused by Node', where: ALL, enforced: true },
  { what: 'load native code, WASI or a debugger', how: 'refused by Node', where: ALL, enforced: true },
  { what: 'open SQLite databases', how: 'the module is not there', where: ALL, enforced: true },
  {
    what: 'send signals, change priorities or its user',
    how: 'refused: these functions are taken away',
    where: ALL,
    enforced: true
  },
  { what: 'say things to its peer that no task says', how: 'it is ended', where: ALL, enforced: true },
  { what: 'outlive its peer', how: 'it is ended', where: 'not on Windows', enforced: HAS_SHELL },
  {
    what: 'use much memory',
    how: 'it is refused, or ended (taskMemoryBytes)',
    where: 'Linux',
    enforced: LIMITS_MEMORY
  },
  { what: 'use many file handles', how: 'they are refused (taskFiles)', where: 'not on Windows', enforced: HAS_SHELL },
  {
    what: 'fill the disk',
    how: 'it is ended (taskDiskBytes); looked at four times a second',
    where: ALL,
    enforced: true
  },
  {
    what: 'use much processor time',
    how: 'chunkTimeout and cancel end it, and so does having no call for 30 s',
    where: 'nowhere',
    enforced: false
  },
  {
    what: 'use the network, Unix sockets included',
    how: 'refused by Node; else it may also make a socket wherever its user may',
    where: 'Node 25 and later',
    enforced: RESTRICTS_NETWORK
  },
  { what: 'learn whether a path exists', how: 'no content is read', where: 'nowhere', enforced: false },
  { what: 'learn about the machine (names, users, addresses)', how: 'node:os tells', where: 'nowhere', enforced: false }
]

/** Lists what this machine does not enforce, in one line. */
export function notEnforced(rows: readonly IsolationRow[] = ISOLATION_ROWS): string {
  return rows
    .filter(({ enforced }) => !enforced)
    .map(({ what }) => what)
    .join('; ')
}
