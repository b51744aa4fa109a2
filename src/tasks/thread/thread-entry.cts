/**
 * What piscina loads in a thread, and by `require`: a thread that is ended while it so loads a module with imports takes the whole process of Node 20
 * with it (`v8::Module::IsGraphAsync must be used on an instantiated module`). So this is CommonJS, and imports the handlers itself.
 */
type Handlers = typeof import('./thread.ts', { with: { 'resolution-mode': 'import' }})

// Once: what a task does to the module loader of its thread is no concern of the next call.
let handlers: Promise<Handlers> | undefined

const loaded =
  (name: keyof Handlers) =>
  async (raw: never): Promise<unknown> => {
    handlers ??= import('./thread.ts')
    return (await handlers)[name](raw)
  }

export = {
  runBatch: loaded('runBatch'),
  runDriver: loaded('runDriver'),
  runInspection: loaded('runInspection'),
  runNothing: loaded('runNothing'),
  runResult: loaded('runResult'),
  runWhole: loaded('runWhole')
}
