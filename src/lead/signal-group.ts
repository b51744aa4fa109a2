/**
 * Sends a signal to all processes of a group. Never throws: a process of another user (`sudo`) cannot be signalled, and whoever asks
 * has others to see to.
 */
export function signalGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ESRCH') console.error(`p2p-worker: ${signal} cannot be sent to process group ${group}: ${code}`)
  }
}

/** Whether any process of a group is left. */
export function isGroupAlive(group: number): boolean {
  try {
    return process.kill(-group, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

/** The process groups that this process is to kill when it ends itself. */
const groups = new Set<number>()

/** Until the returned function is called, `killGroups` kills this one. */
export function willKill(group: number): () => void {
  groups.add(group)
  return () => void groups.delete(group)
}

export function killGroups(): void {
  for (const group of groups) signalGroup(group, 'SIGKILL')
}
