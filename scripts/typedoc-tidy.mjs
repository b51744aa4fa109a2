// A plugin of TypeDoc for `npm run docs:api`. The plugin removes details that do not help readers of the reference: the constructors of errors
// (only p2p-worker itself creates errors), and the origins of inherited members.
import { Converter, ReflectionKind } from 'typedoc'

/** @param {import('typedoc').Application} app */
export function load(app) {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const made of project.getReflectionsByKind(ReflectionKind.Constructor)) {
      if (made.comment === undefined) project.removeReflection(made)
    }
  })
  // This handler has the lowest priority, so that it runs after all handlers that read the removed fields.
  const last = -10_000
  app.converter.on(
    Converter.EVENT_RESOLVE_END,
    ({ project }) => {
      for (const reflection of Object.values(project.reflections)) {
        delete reflection.inheritedFrom
        delete reflection.overwrites
        delete reflection.implementationOf
      }
    },
    last
  )
}
