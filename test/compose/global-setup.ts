import type { TestProject } from 'vitest/node'
import { type Engine, findEngine } from './engine.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The engine, or the reason why there is none. */
    engine: Engine | string
  }
}

/** Provides one engine for all tests, and stops it after them even if they fail. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const found = await findEngine()
  if (typeof found === 'string') {
    project.provide('engine', found)
    return async () => {}
  }
  project.provide('engine', found.engine)
  return found.stop
}
