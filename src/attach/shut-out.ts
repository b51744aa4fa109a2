import type { Network, NetworkEvents } from '../network/types.ts'
import type { Attachment } from './attachment.ts'

/** So long after a refusal nobody else may have taken a client in, in ms. Others are tried one after the other, and those that are gone first time out. */
const SHUT_OUT_MS = 10_000

type Refused = NetworkEvents['refused']['detail']

/**
 * Tells when a client that was attached is let in nowhere any more: it is attached to nobody, and somebody has said for certain that its key or its PeerId
 * is not let in. (One that merely finds nobody goes on looking: a cluster may be away for as long as it takes.)
 *
 * @returns what ends the watch
 */
export function watchShutOut(
  network: Network,
  attachment: Attachment,
  onShutOut: (refused: Refused) => void
): () => void {
  const over = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const reset = (): void => {
    clearTimeout(timer)
    timer = undefined
  }
  const onRefused = ({ detail }: NetworkEvents['refused']): void => {
    if (!detail.certain || attachment.peer !== undefined || timer !== undefined) return
    timer = setTimeout(() => {
      reset()
      if (attachment.peer === undefined) onShutOut(detail)
    }, SHUT_OUT_MS)
  }
  network.addEventListener('refused', onRefused, { signal: over.signal })
  attachment.addEventListener('view', reset, { signal: over.signal })
  return () => {
    over.abort()
    reset()
  }
}
