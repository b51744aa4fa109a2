/** @jsxImportSource preact */
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { durationInSeconds } from '../../../views/words.ts'

/** Shows the time since `from`, in ms since the epoch. The time counts up without redrawing other parts of the page. */
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
