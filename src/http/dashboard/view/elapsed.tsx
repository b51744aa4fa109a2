/** @jsxImportSource preact */
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { durationInSeconds } from '../../../views/words.ts'

/** How long ago something was (ms since the epoch), as it goes on. Nothing else is drawn for it. */
export function Elapsed({ from }: { from: number }): JSX.Element {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) setNow(Date.now())
    }, 100)
    return () => clearInterval(timer)
  }, [])
  return <>{durationInSeconds(now - from)}</>
}
