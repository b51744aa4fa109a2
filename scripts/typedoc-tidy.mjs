// A plugin of TypeDoc, for `npm run docs:api`: leaves out what tells readers of the reference nothing. Constructors are of errors, which only
// p2p-worker makes, and where a member is inherited from is not where it is used.
import { Converter, ReflectionKind } from 'typedoc'

/** @param {import('typedoc').Application} app */
export function load(app) {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const made of project.getReflectionsByKind(ReflectionKind.Constructor)) {
      if (made.comment === undefined) project.removeReflection(made)
    }
  })
  // After all that looks at them.
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
