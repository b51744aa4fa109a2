/** @jsxImportSource preact */
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { durationInSeconds } from '../../../views/words.ts'

/** The time since an event (ms since the epoch), which counts up without redrawing anything else. */
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
