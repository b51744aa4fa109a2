/** Ends all processes of a group; where there are no groups (Windows), its first process. That they are gone already is no error. */
export function killProcessGroup(group: number): void {
  for (const target of process.platform === 'win32' ? [group] : [-group]) {
    try {
      process.kill(target, 'SIGKILL')
      return
    } catch {
      // Not there, or no group.
    }
  }
}
