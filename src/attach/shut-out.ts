import type { Network, NetworkEvents } from '../network/types.ts'
import type { Attachment } from './attachment.ts'

/**
 * How long after a refusal another peer may still admit the client, in ms. The client tries the peers one after the
 * other, and each attempt at a dead peer must time out first.
 */
const SHUT_OUT_MS = 10_000

type Refused = NetworkEvents['refused']['detail']

/**
 * Detects when no peer admits the client any more: the client is attached to no peer, and a peer has definitely refused
 * the key or the PeerId of the client. A client that only finds no peer continues to search without a time limit.
 *
 * @returns a function that ends the watch
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
