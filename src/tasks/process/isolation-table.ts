/** The actions that isolation denies to tasks, one action in each row. docs/security.md has a copy of this table. */
import { HAS_SHELL, LIMITS_MEMORY, RESTRICTS_NETWORK } from './platform-features.ts'

export interface IsolationRow {
  /** The action that a task may try. */
  readonly what: string
  /** The effect of the action on platforms that enforce the row. It may add what the action can still do on other platforms. */
  readonly how: string
  /** The versions of Node and the systems that enforce the row. */
  readonly where: string
  /** Whether this machine enforces the row. */
  readonly enforced: boolean
}

function everywhere(what: string, how: string): IsolationRow {
  return { what, how, where: 'every Node from 20', enforced: true }
}

export const ISOLATION_ROWS: readonly IsolationRow[] = [
  everywhere('read files', 'refused by Node, except for its own folder and code'),
  everywhere('write files', 'refused by Node, except for its own folder'),
  everywhere('read the environment', 'it has only the listed variables'),
  everywhere("read the cluster's key", 'the key is neither in its memory nor in a file that it may read'),
  everywhere('read or change other tasks', 'each task has its own process'),
  everywhere('start processes and threads', 'refused by Node'),
  everywhere('load native code, WASI or a debugger', 'refused by Node'),
  everywhere('open SQLite databases', 'the module is missing'),
  everywhere('send signals, change priorities or its user', 'refused: these functions are taken away'),
  everywhere('send invalid messages to its peer', 'it is ended'),
  { what: 'outlive its peer', how: 'it is ended', where: 'not on Windows', enforced: HAS_SHELL },
  {
    what: 'use much memory',
    how: 'it is refused, or ended (taskMemoryBytes)',
    where: 'Linux',
    enforced: LIMITS_MEMORY
  },
  { what: 'use many file handles', how: 'they are refused (taskFiles)', where: 'not on Windows', enforced: HAS_SHELL },
  everywhere('fill the disk', 'it is ended (taskDiskBytes); checked four times a second'),
  {
    what: 'use much processor time',
    how: 'chunkTimeout and cancel end it, and so do 30 s without a call',
    where: 'nowhere',
    enforced: false
  },
  {
    what: 'use the network, Unix sockets included',
    how: 'refused by Node; elsewhere it may also create a socket wherever its user may',
    where: 'Node 25 and later',
    enforced: RESTRICTS_NETWORK
  },
  { what: 'learn whether a path exists', how: 'no content is read', where: 'nowhere', enforced: false },
  { what: 'learn about the machine (names, users, addresses)', how: 'node:os tells', where: 'nowhere', enforced: false }
]

/** Returns one line of text that lists the rows that this machine does not enforce. */
export function notEnforced(rows: readonly IsolationRow[] = ISOLATION_ROWS): string {
  return rows
    .filter(({ enforced }) => !enforced)
    .map(({ what }) => what)
    .join('; ')
}
