import type { TestProject } from 'vitest/node'
import { type Engine, findEngine } from './engine.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The engine, or why there is none. */
    engine: Engine | string
  }
}

/** An engine for all tests, which ends with them whatever becomes of them. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const found = await findEngine()
  if (typeof found === 'string') {
    project.provide('engine', found)
    return async () => {}
  }
  project.provide('engine', found.engine)
  return found.stop
}
