type Esbuild = typeof import('esbuild')

let users = 0

/**
 * Loads esbuild on demand, and stops its service process after the last user, so that bundling a task leaves no process
 * behind.
 */
export async function withEsbuild<Result>(use: (esbuild: Esbuild) => Promise<Result>): Promise<Result> {
  const esbuild = await import('esbuild')
  users++
  try {
    return await use(esbuild)
  } finally {
    users--
    if (users === 0) await esbuild.stop()
  }
}
