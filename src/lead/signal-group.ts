/**
 * Sends a signal to all processes of a group; 0 sends none. Says whether there is any left that could be sent it. Never throws: a
 * process of another user (`sudo`) cannot be signalled, and whoever asks has others to see to.
 */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ESRCH') console.error(`p2p-worker: ${signal} cannot be sent to process group ${group}: ${code}`)
    return false
  }
}
