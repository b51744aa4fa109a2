/**
 * What piscina loads in a thread, and by `require`: a thread that is ended while it so loads a module with imports takes the whole process of Node 20
 * with it (`v8::Module::IsGraphAsync must be used on an instantiated module`). So this is CommonJS, and imports the handlers itself.
 */
type Thread = typeof import('./thread.ts', { with: { 'resolution-mode': 'import' }})
type Name = Parameters<Thread['handle']>[0]

// Once: what a task does to the module loader of its thread must not affect the next call.
let thread: Promise<Thread> | undefined

const NAMES: readonly Name[] = ['runBatch', 'runDriver', 'runInspection', 'runNothing', 'runResult', 'runWhole']

export = Object.fromEntries(
  NAMES.map(name => [
    name,
    async (raw: never): Promise<unknown> => {
      thread ??= import('./thread.ts')
      return (await thread).handle(name, raw)
    }
  ])
)
