/** Variables that hold a secret itself (and not the name of a file that does). */
export const SECRET_VARIABLES = ['P2P_WORKER_KEY', 'P2P_WORKER_TOKEN'] as const

/**
 * This process's environment without the cluster's key: for threads, processes and commands that run for others, or for the user, and
 * have no business with it. What a program that embeds this library has in its own environment stays there.
 */
export function environmentWithoutSecrets(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const clean = { ...env }
  for (const name of SECRET_VARIABLES) delete clean[name]
  return clean
}
