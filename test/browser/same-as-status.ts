/** Compares the page with the output of `status`. */
import { expect } from 'vitest'
import type { ProcessCluster } from '../cluster/processes.ts'
import { type Dashboard, type Picture, pictureOf } from './dashboard.ts'
import { statusOf } from './served-cluster.ts'

/** Waits until the tables and the ring of the page agree with `status --json`, and resolves with the picture of the page. */
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

/** A replacer for JSON.stringify that sorts the fields of objects. */
function sorted(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
