import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { METRICS as OF_STATS } from '../../src/http/metric-names.ts'
import { needs } from '../needs.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = join(root, 'deploy/prometheus')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

/** The metrics at `/metrics` that describe the peer itself: the name of each metric with its labels. */
const METRICS: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    OF_STATS.map(({ name, type, labels }) => [name, type === 'histogram' ? [...labels, 'le'] : labels])
  ),
  p2p_worker_info: ['version', 'peer_id', 'cluster']
}
/** The metrics of the HTTP server. */
const OF_SERVER = ['p2p_worker_http_requests_total', 'p2p_worker_http_event_streams']
/** The libp2p metrics that the dashboard uses. */
const OF_LIBP2P = ['libp2p_data_transfer_bytes_total']

interface Rule {
  alert: string
  expr: string
  for: string
  labels: { severity: string }
  annotations: { summary: string; description: string }
}
interface Case {
  name: string
  alert_rule_test: { alertname: string; exp_alerts: unknown[] }[]
}
interface Panel {
  id: number
  type: string
  title: string
  description?: string
  datasource?: { uid: string }
  gridPos: { h: number; w: number; x: number; y: number }
  targets?: { expr: string; refId: string; datasource: { uid: string } }[]
}
interface Dashboard {
  schemaVersion: number
  panels: Panel[]
  templating: { list: { name: string; type: string }[] }
}

const rules = (parse(read('deploy/prometheus/alerts.yml')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  ({ rules }) => rules
)
const cases = (parse(read('deploy/prometheus/alerts.test.yml')) as { tests: Case[] }).tests
const dashboard = JSON.parse(read('deploy/grafana/p2p-worker.json')) as Dashboard
const panels = dashboard.panels.filter(({ type }) => type !== 'row')
const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
const operations = read('docs/operations.md')

/** Returns the metrics that an expression names. A series of a histogram counts as the histogram. */
function metricsIn(expression: string): string[] {
  return [...expression.matchAll(/\b(?:p2p_worker|libp2p|process|nodejs)_\w+/g)].map(([name]) => {
    const whole = name.replace(/_(?:bucket|sum|count)$/, '')
    return METRICS[whole]?.includes('le') === true ? whole : name
  })
}

async function known(): Promise<Set<string>> {
  const register = new Registry()
  collectDefaultMetrics({ register })
  const ofProcess = register.getMetricsAsArray().map(({ name }) => name)
  return new Set([...Object.keys(METRICS), ...OF_SERVER, ...OF_LIBP2P, ...ofProcess])
}

describe('the alert rules', () => {
  it('the alert rules name existing metrics and labels', async () => {
    const names = await known()
    expect(rules.flatMap(({ expr }) => metricsIn(expr)).filter(name => !names.has(name))).toEqual([])
    for (const { expr } of rules) {
      for (const [, name = '', label = ''] of expr.matchAll(/(p2p_worker_\w+)\{(\w+)=/g))
        expect(METRICS[name], `${name}{${label}}`).toContain(label)
    }
  })

  it('every alert rule has a waiting time in minutes, a severity and a description', () => {
    for (const { alert, for: wait, labels, annotations } of rules) {
      expect([alert, wait]).toEqual([alert, expect.stringMatching(/^\d+m$/)])
      expect(['warning', 'critical'], alert).toContain(labels.severity)
      expect(annotations.summary.length, alert).toBeGreaterThan(20)
      expect(annotations.description.length, alert).toBeGreaterThan(100)
    }
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
  })

  it.each(rules.map(({ alert }) => alert))(
    'the alert %s has a test in which it fires and a test in which it does not fire, and docs/operations.md names the alert',
    alert => {
      const tests = cases.flatMap(test => test.alert_rule_test.filter(({ alertname }) => alertname === alert))
      expect(tests.filter(({ exp_alerts }) => exp_alerts.length > 0)).not.toEqual([])
      expect(tests.filter(({ exp_alerts }) => exp_alerts.length === 0)).not.toEqual([])
      expect(operations).toContain(`\`${alert}\``)
    }
  )
})

describe('the dashboard', () => {
  it('the dashboard names existing metrics', async () => {
    const names = await known()
    expect(expressions.length).toBeGreaterThan(25)
    expect(expressions.flatMap(metricsIn).filter(name => !names.has(name))).toEqual([])
  })

  it('the dashboard shows every metric of a peer', () => {
    const shown = new Set(expressions.flatMap(metricsIn))
    expect(Object.keys(METRICS).filter(name => !shown.has(name))).toEqual([])
  })

  it('every panel takes its data source from a variable and has a description', () => {
    expect(dashboard.schemaVersion).toBeGreaterThanOrEqual(39)
    expect(dashboard.templating.list).toContainEqual(
      expect.objectContaining({ name: 'datasource', type: 'datasource' })
    )
    for (const { title, description = '', datasource, targets = [] } of panels) {
      expect(description.length, title).toBeGreaterThan(20)
      expect(targets.length, title).toBeGreaterThan(0)
      for (const { uid } of [datasource!, ...targets.map(target => target.datasource)])
        expect(uid).toMatch(/^\$\{datasource\}$/)
    }
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length)
  })

  it('no two panels of the dashboard overlap, and no panel exceeds the width of 24', () => {
    const taken = new Map<string, string>()
    for (const { title, gridPos } of dashboard.panels) {
      expect(gridPos.x + gridPos.w, title).toBeLessThanOrEqual(24)
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          expect(taken.get(`${x} ${y}`), title).toBeUndefined()
          taken.set(`${x} ${y}`, title)
        }
      }
    }
  })
})

it('docs/operations.md explains every metric of a peer', () => {
  const explained = new Set([...operations.matchAll(/`(p2p_worker_\w+)/g)].map(([, name]) => name))
  expect([...explained].sort()).toEqual([...Object.keys(METRICS), ...OF_SERVER].sort())
})

it('the example scrape config names the job that the alerts and the dashboard select', () => {
  const { scrape_configs: jobs } = parse(read('deploy/prometheus/prometheus.yml')) as {
    scrape_configs: { job_name: string }[]
  }
  expect(jobs.map(({ job_name }) => job_name)).toEqual(['p2p-worker'])
})

needs('promtool').describe('promtool', () => {
  function promtool(...args: string[]): { status: number | null; output: string } {
    const { status, stdout, stderr } = spawnSync('promtool', args, { cwd: folder, encoding: 'utf8' })
    return { status, output: `${stdout}${stderr}` }
  }

  it.each([
    ['check', 'rules', 'alerts.yml'],
    ['test', 'rules', 'alerts.test.yml'],
    ['check', 'config', 'prometheus.yml']
  ])('promtool accepts `%s %s %s`', (...args) => {
    const { status, output } = promtool(...args)
    expect([status, output]).toEqual([0, expect.stringContaining('SUCCESS')])
  })

  it('promtool accepts every expression of the dashboard', () => {
    const temp = mkdtempSync(join(tmpdir(), 'p2p-worker-test-'))
    try {
      const file = join(temp, 'rules.json')
      const rules = expressions.map((expr, i) => ({
        record: `panel:${i}`,
        expr: expr.replaceAll('$cluster', '.*').replaceAll('$__rate_interval', '5m')
      }))
      // promtool reads JSON, since JSON is valid YAML.
      writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }))
      const { status, output } = promtool('check', 'rules', file)
      expect([status, output]).toEqual([0, expect.stringContaining('SUCCESS')])
    } finally {
      rmSync(temp, { recursive: true })
    }
  })
})
