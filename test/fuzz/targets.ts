/** All fuzz targets. */
import { targetOf } from './run.ts'
import { simpleTarget } from './simple-target.ts'
import { SUBJECTS } from './subjects/all.ts'
import { frames } from './subjects/frames.ts'
import { payload } from './subjects/payload.ts'
import { reports } from './subjects/reports.ts'
import type { Target } from './target.ts'

export const TARGETS: readonly Target[] = [...SUBJECTS.map(targetOf), ...[frames, payload, reports].map(simpleTarget)]

export function targetNamed(name: string): Target {
  const target = TARGETS.find(each => each.name === name)
  if (target === undefined)
    throw new Error(
      `nothing is fuzzed that is called ${name}: it is one of ${TARGETS.map(each => each.name).join(', ')}`
    )
  return target
}
