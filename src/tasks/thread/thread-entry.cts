/**
 * The file that piscina loads in a thread by `require`. This file is CommonJS and imports the handlers by `import()`. If it were an ES module with
 * imports, a thread that is terminated during the load would end the whole process on Node 20 (`v8::Module::IsGraphAsync must be used on an
 * instantiated module`).
 */
type Thread = typeof import('./thread.ts', { with: { 'resolution-mode': 'import' }})
type Name = Parameters<Thread['handle']>[0]

// The handlers are imported only once, because a task may change the module loader of its thread, and the change must not affect the next call.
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
