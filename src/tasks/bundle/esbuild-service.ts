type Esbuild = typeof import('esbuild')

let users = 0

/**
 * Loads esbuild on demand, and stops the service process of esbuild when no caller uses it any more. So bundling a task
 * leaves no process behind.
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
