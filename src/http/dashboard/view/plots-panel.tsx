/** @jsxImportSource preact */
/** The plots of the last ten minutes: chunks a second, and the times without a leader. */
import type { JSX } from 'preact'
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { count, duration, rate } from '../../../views/words.ts'
import type { Outage, Point } from '../model/history.ts'
import { type Model, throughput } from '../model/model.ts'
import { Plot } from './plot.ts'

/**
 * The interval between two redraws of a plot, in ms. During this interval a plot of ten minutes scrolls by one or two pixels. A plot
 * takes longer to draw than any other part of the page.
 */
const STEP_MS = 2_000

export function PlotsPanel({ model }: { model: Model }): JSX.Element {
  const { points, outages, leaderChanges, leaderlessMs, connection } = model
  const step = Math.floor((points.at(-1)?.at ?? 0) / STEP_MS)
  // biome-ignore lint/correctness/useExhaustiveDependencies: new points are drawn only at the next step
  const rates = useMemo(() => throughputData(points), [step])
  // biome-ignore lint/correctness/useExhaustiveDependencies: new points are drawn at the next step, but outages at once
  const leaderless = useMemo(() => leaderlessData(points, outages), [step, outages])
  const now = connection.state === 'open' ? `${rate(throughput(model))} chunks/s now` : 'not known now'
  const last = outages.at(-1)
  const lately = last?.ms === undefined ? '' : `, the last time ${duration(last.ms)}`
  const without = `${duration(leaderlessMs)} in all over ${count(leaderChanges, 'leadership')}${lately}`
  return (
    <div class="two even">
      <section class="panel" aria-labelledby="throughput-title">
        <h2 id="throughput-title">
          Throughput <small>{now}</small>
        </h2>
        <Canvas id="throughput" label={`Chunks a second over the last minutes: ${now}.`} kind="line" data={rates} />
      </section>
      <section class="panel" aria-labelledby="leaderless-title">
        <h2 id="leaderless-title">
          Without a leader <small>{without}</small>
        </h2>
        <Canvas
          id="leaderless"
          label={`Times without a leader over the last minutes: ${without}.`}
          kind="bars"
          data={leaderless}
        />
      </section>
    </div>
  )
}

export type PlotData = [x: number[], y: (number | null)[]]

function throughputData(points: readonly Point[]): PlotData {
  return [points.map(({ at }) => at / 1_000), points.map(point => point.rate)]
}

/** Returns the durations of the outages, over the time span of the throughput plot. The duration of a present outage grows. */
function leaderlessData(points: readonly Point[], outages: readonly Outage[]): PlotData {
  // Without points, the axis would start in 1970.
  if (points.length === 0) return [[], []]
  const from = points[0]!.at
  const now = points.at(-1)!.at
  const shown = outages.filter(outage => outage.from >= from)
  const seconds = shown.map(({ from: began, ms }) => (ms ?? Math.max(0, now - began)) / 1_000)
  return [
    [from / 1_000, ...shown.map(outage => outage.from / 1_000), now / 1_000],
    [null, ...seconds, null]
  ]
}

interface CanvasProps {
  id: string
  label: string
  kind: 'line' | 'bars'
  data: PlotData
}

function Canvas({ id, label, kind, data }: CanvasProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<Plot>(null)
  // A layout effect runs within the frame. A normal effect would cause a second frame for each redraw.
  useLayoutEffect(() => {
    plot.current = new Plot(place.current!, kind)
    return () => plot.current?.stop()
  }, [kind])
  useLayoutEffect(() => plot.current?.show(data), [data])
  return <div id={id} ref={place} class="plot" role="img" aria-label={label} />
}
