/** The page against what the command line says. */
import { expect } from 'vitest'
import type { ProcessCluster } from '../cluster/processes.ts'
import { type Dashboard, type Picture, pictureOf } from './dashboard.ts'
import { statusOf } from './served-cluster.ts'

/** Waits until the page shows what `status --json` tells meanwhile, and resolves with it. Tables and ring must agree. */
export async function sameAsStatus(cluster: ProcessCluster, dashboard: Dashboard): Promise<Picture> {
  let told: Picture | undefined
  await expect
    .poll(async () => {
      told = pictureOf(await statusOf(cluster))
      const shown = await dashboard.picture()
      const ring = await dashboard.ring()
      return { shown, ring, isSame: isSame({ ...shown, ...ring }, told) && isSame(shown, told), told }
    })
    .toMatchObject({ isSame: true })
  return told!
}

function isSame(a: Picture, b: Picture): boolean {
  const keyOf = ({ members, jobs, ...rest }: Picture): string =>
    JSON.stringify([rest, Object.entries(members).sort(), Object.entries(jobs).sort()], sorted)
  return keyOf(a) === keyOf(b)
}

/** Objects with their fields in one order. */
function sorted(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
