/** One plot over time, drawn by uPlot, in the width of its container and the colours of the page. */
import uPlot from 'uplot'
import { durationInSeconds, timeOfDay } from '../../../views/words.ts'

const HEIGHT = 150
/** The shortest time span of a plot, in s. The plot does not scroll before the data fills this span. */
const LEAST_SECONDS = 120

export class Plot {
  readonly #place: HTMLElement
  readonly #kind: 'line' | 'bars'
  readonly #scheme = matchMedia('(prefers-color-scheme: dark)')
  readonly #resized: ResizeObserver
  readonly #onScheme = (): void => this.#make()
  #plot: uPlot | undefined
  #data: uPlot.AlignedData = [[], []]

  constructor(place: HTMLElement, kind: 'line' | 'bars') {
    this.#place = place
    this.#kind = kind
    this.#resized = new ResizeObserver(() => this.#plot?.setSize({ width: this.#width, height: HEIGHT }))
    this.#resized.observe(place)
    this.#scheme.addEventListener('change', this.#onScheme)
    this.#make()
  }

  show(data: uPlot.AlignedData): void {
    this.#data = data
    this.#plot?.setData(data)
  }

  stop(): void {
    this.#resized.disconnect()
    this.#scheme.removeEventListener('change', this.#onScheme)
    this.#plot?.destroy()
  }

  get #width(): number {
    return Math.max(120, Math.floor(this.#place.clientWidth))
  }

  #make(): void {
    this.#plot?.destroy()
    const colours = getComputedStyle(document.documentElement)
    const colour = (name: string): string => colours.getPropertyValue(name).trim()
    const isLine = this.#kind === 'line'
    const line = colour(isLine ? '--good' : '--bad')
    const axis: uPlot.Axis = {
      stroke: colour('--muted'),
      font: '11px system-ui, sans-serif',
      grid: { stroke: colour('--line'), width: 1 },
      ticks: { show: false }
    }
    const series: uPlot.Series = isLine
      ? { stroke: line, fill: `${line}26`, width: 1.5, points: { show: false } }
      : { stroke: line, fill: line, width: 0, points: { show: false }, paths: uPlot.paths.bars!({ size: [0.9, 7, 3] }) }
    this.#plot = new uPlot(
      {
        width: this.#width,
        height: HEIGHT,
        padding: [8, 8, 0, 0],
        legend: { show: false },
        cursor: { show: false },
        scales: {
          x: { range: (_, from, to) => [from, Math.max(to, from + LEAST_SECONDS)] },
          y: { range: (_, _from, most) => [0, isLine ? Math.max(1, most * 1.1) : Math.max(1, (most ?? 0) * 1.15)] }
        },
        axes: [
          { ...axis, size: 26, space: 70, values: (_, ticks) => ticks.map(tick => timeOfDay(tick * 1_000)) },
          {
            ...axis,
            size: 46,
            space: 28,
            values: (_, ticks) => ticks.map(tick => (isLine ? compact(tick) : durationInSeconds(tick * 1_000)))
          }
        ],
        series: [{}, series]
      },
      this.#data,
      this.#place
    )
  }
}

/** Formats a number as `1500` or `15k`. */
function compact(value: number): string {
  return value >= 10_000 ? `${Math.round(value / 1_000)}k` : String(value)
}
