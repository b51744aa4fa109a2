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
