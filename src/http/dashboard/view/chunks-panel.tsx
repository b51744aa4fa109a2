/** @jsxImportSource preact */
/** The panel of a job's chunks: a map of the peers' chunks, and a table of their counts. */
import type { JSX } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { count, number, shortId, shortJob } from '../../../views/words.ts'
import { ChunkFeed, type ChunkListener, type ChunksEnd } from '../chunk-feed.ts'
import type { ChunkMap, Range } from '../model/chunk-map.ts'
import { Redraw } from '../redraw.ts'
import { Painter } from './painter.ts'
import { DARK, given, LIGHT, type Palette, peerColour } from './palette.ts'
import { Scroll } from './scroll.tsx'
import { Titles } from './titles.tsx'

/**
 * The shortest interval between two redraws of the map, in ms. It is slightly more than two redraw intervals of the page, so that the
 * map and the page share a frame.
 */
const EVERY_MS = 2_200
/**
 * The interval for a map of more than `LARGE` chunks, which takes longer to draw. It is slightly more than three redraw intervals of the
 * page.
 */
const LARGE_EVERY_MS = 3_300
const LARGE = 20_000
/** How long the page collects the pieces of a complete map before it draws the map, in ms, so that it shows no half map. */
const WHOLE_MS = 500

interface Props {
  jobId: string
  task: string | undefined
  isOver: boolean
  onClose: () => void
}

export function ChunksPanel({ jobId, task, isOver, onClose }: Props): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const [only, setOnly] = useState<number>()
  const [end, setEnd] = useState<ChunksEnd>()
  const [trouble, setTrouble] = useState<string>()
  const { map, palette, times } = useChunks(jobId, canvas, only, { ended: setEnd, troubled: setTrouble })
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    heading.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  // The page is often redrawn for other reasons, so the rows of the peers are computed only when the map has changed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the map is always the same object, and `times` changes with its content
  const legend = useMemo(
    () => map !== undefined && <Legend map={map} palette={palette} only={only} onOnly={setOnly} />,
    [times, palette, only]
  )
  const perCell = Number(canvas.current?.dataset.chunksPerCell ?? 1)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `times` changes with the content of the map
  const label = useMemo(() => labelOf(map), [times])
  return (
    <section id="chunks" class="panel" aria-labelledby="chunks-title">
      <div class="head">
        <h2 id="chunks-title" ref={heading} tabIndex={-1}>
          Chunks of job {shortJob(jobId)} <small class="task">{task}</small>
        </h2>
        <button type="button" aria-label="Close the chunk map" onClick={onClose}>
          Close
        </button>
      </div>
      <p class="muted">{saysOf(map, end, isOver, perCell)}</p>
      {trouble !== undefined && end === undefined && (
        <p class="problem">Nothing new comes: {trouble}. It is tried again.</p>
      )}
      <div class="map">
        <div class="cells">
          <canvas ref={canvas} data-job={jobId} hidden={map === undefined} role="img" aria-label={label} />
        </div>
        {legend}
      </div>
    </section>
  )
}

function saysOf(map: ChunkMap | undefined, end: ChunksEnd | undefined, isOver: boolean, perCell: number): string {
  if (end === 'missing') return 'This peer does not show the chunks of jobs.'
  if (end !== undefined && 'gone' in end) return `The leader cannot tell: ${end.gone}.`
  if (map === undefined) return isOver ? 'Asking the leader what it still knows…' : 'Asking the leader…'
  const cell = perCell === 1 ? 'One cell is one chunk' : `One cell is ${perCell} chunks, in the colour of most of them`
  const again =
    map.peers.length > LIGHT.peers.length
      ? `, the colours come again after ${LIGHT.peers.length} peers: "Only" shows one`
      : ''
  const older = map.first > 0 ? `; chunks before ${number(map.first)} are no longer recorded` : ''
  const over =
    end === undefined ? '' : ` The job has ${end.ended === 'completed' ? 'completed' : `ended: ${end.ended}`}.`
  return `${cell}; pale ones are given out and not done yet${again}${older}.${over}`
}

function labelOf(map: ChunkMap | undefined): string {
  const done = map === undefined ? 0 : map.peers.reduce((sum, _, peer) => sum + map.countOf(peer).done, map.doneBefore)
  const all = map === undefined ? 0 : map.end - map.first
  return `Chunk map: ${number(done)} of ${count(all, 'chunk')} are done. The table has the counts of each peer.`
}

interface Chunks {
  /** The chunk map. Undefined before the first data. */
  map: ChunkMap | undefined
  palette: Palette
  /** How often the map was painted. */
  times: number
}

/** Follows the job's chunks, paints the changes, and redraws the panel each time. */
function useChunks(
  jobId: string,
  canvas: { current: HTMLCanvasElement | null },
  only: number | undefined,
  listener: Omit<ChunkListener, 'changed'>
): Chunks {
  const [palette, setPalette] = useState(paletteNow)
  const [times, draw] = useState(0)
  const map = useRef<ChunkMap | undefined>(undefined)
  const repaint = useRef<() => void>(() => {})
  const look = useRef({ palette, only })
  look.current = { palette, only }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the other values never change for one job
  useEffect(() => {
    const painter = new Painter(canvas.current!)
    let waiting: Range[] | undefined = []
    const redraw = new Redraw(
      () => {
        if (map.current === undefined) return
        painter.paint(map.current, waiting, look.current.palette, look.current.only)
        waiting = []
        draw(times => times + 1)
      },
      () => (isLarge(map.current) ? LARGE_EVERY_MS : EVERY_MS)
    )
    repaint.current = () => {
      waiting = undefined
      redraw.wanted(true)
    }
    let wholeAt = Number.NEGATIVE_INFINITY
    const feed = new ChunkFeed(jobId, {
      changed(ranges) {
        if (ranges === undefined) wholeAt = performance.now()
        map.current = feed.map
        if (ranges === undefined || waiting === undefined) waiting = undefined
        else waiting.push(...ranges)
        redraw.wanted(performance.now() - wholeAt < WHOLE_MS)
      },
      ended(why) {
        redraw.wanted(true)
        listener.ended(why)
      },
      troubled: listener.troubled
    })
    const resized = new ResizeObserver(() => redraw.wanted(true))
    resized.observe(canvas.current!.parentElement!)
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    const onScheme = (): void => setPalette(paletteNow())
    scheme.addEventListener('change', onScheme)
    return () => {
      feed.stop()
      redraw.stop()
      resized.disconnect()
      scheme.removeEventListener('change', onScheme)
    }
  }, [jobId])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of these values requires a new painting
  useEffect(() => repaint.current(), [palette, only])
  return { map: map.current, palette, times }
}

function isLarge(map: ChunkMap | undefined): boolean {
  return map !== undefined && map.end - map.first > LARGE
}

function paletteNow(): Palette {
  return matchMedia('(prefers-color-scheme: dark)').matches ? DARK : LIGHT
}

interface LegendProps {
  map: ChunkMap
  palette: Palette
  /** The only peer that the map shows in colour. Undefined when the map shows all peers in colour. */
  only: number | undefined
  onOnly: (peer: number | undefined) => void
}

function Legend({ map, palette, only, onOnly }: LegendProps): JSX.Element {
  return (
    <Scroll label="Chunks of each peer" tall>
      <table>
        <Titles titles={['Peer']} numbers={['Done', 'Given out']} hidden="Show" />
        <tbody>
          {map.peers.map((id, peer) => {
            const { done, given: there } = map.countOf(peer)
            const colour = peerColour(palette, peer)
            return (
              <tr key={id} data-chunk-peer={id} data-done={done}>
                <th scope="row">
                  <Swatch done={colour} there={given(colour, palette.ground)} /> <code title={id}>{shortId(id)}</code>
                </th>
                <td class="end">{number(done)}</td>
                <td class="end">{number(there)}</td>
                <td class="actions">
                  <button
                    type="button"
                    aria-pressed={only === peer}
                    aria-label={`Show only the chunks of ${shortId(id)}`}
                    onClick={() => onOnly(only === peer ? undefined : peer)}
                  >
                    Only
                  </button>
                </td>
              </tr>
            )
          })}
          {map.doneBefore > 0 && (
            <tr>
              <th scope="row">
                <Swatch done={palette.done} there={palette.done} /> under an earlier leader
              </th>
              <td class="end">{number(map.doneBefore)}</td>
              <td class="end">–</td>
              <td />
            </tr>
          )}
          <tr>
            <th scope="row">
              <Swatch done={palette.waiting} there={palette.waiting} /> waiting
            </th>
            <td class="end">–</td>
            <td class="end">{number(map.waiting)}</td>
            <td />
          </tr>
        </tbody>
      </table>
    </Scroll>
  )
}

function Swatch({ done, there }: { done: string; there: string }): JSX.Element {
  return (
    <svg class="mark" viewBox="0 0 12 12" aria-hidden="true">
      <rect width="6" height="12" fill={done} />
      <rect x="6" width="6" height="12" fill={there} />
    </svg>
  )
}
