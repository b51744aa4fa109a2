import type { TestProject } from 'vitest/node'
import { type Engine, findEngine } from './engine.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The engine, or the reason why no engine is available. */
    engine: Engine | string
  }
}

/** Provides one engine for all tests. Stops the engine after the tests, even if tests fail. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const found = await findEngine()
  if (typeof found === 'string') {
    project.provide('engine', found)
    return async () => {}
  }
  project.provide('engine', found.engine)
  return found.stop
}
