import { stat } from 'node:fs/promises'

export function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false
  )
}
