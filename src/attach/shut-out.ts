import type { Network, NetworkEvents } from '../network/types.ts'
import type { Attachment } from './attachment.ts'

/**
 * How long after a refusal the client may still be admitted elsewhere, in ms. Peers are tried one after the other, and
 * dead ones time out first.
 */
const SHUT_OUT_MS = 10_000

type Refused = NetworkEvents['refused']['detail']

/**
 * Detects when no peer admits the client any more: the client is attached to none, and a peer has refused its key or
 * its PeerId with certainty. (A client that merely finds no peer goes on searching: a cluster may be away for as long
 * as it takes.)
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
