import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { silent } from '../../src/common/logger.ts'
import { type SpanRecord, spanIdOf, traceIdOf } from '../../src/common/tracing.ts'
import { PACKAGES } from '../../src/telemetry/packages.ts'
import { startTelemetry, type Telemetry } from '../../src/telemetry/telemetry.ts'
import { OtlpReceiver } from './otlp-receiver.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

function span(traceId: string, more: Partial<SpanRecord> = {}): SpanRecord {
  const spanId = spanIdOf(traceId, 'span')
  return { name: 'chunk', kind: 'consumer', traceId, spanId, start: 1_000.5, end: 1_002.75, attributes: {}, ...more }
}

describe('spans', () => {
  let receiver: OtlpReceiver
  let telemetry: Telemetry | undefined

  beforeEach(async () => {
    receiver = await OtlpReceiver.start()
  })

  afterEach(async () => {
    vi.unstubAllEnvs()
    await telemetry?.stop()
    telemetry = undefined
    await receiver.stop()
  })

  it('a span arrives with its ids, times, parent and attributes', async () => {
    telemetry = startTelemetry({ url: `${receiver.url}/v1/traces`, logger: silent })
    const traceId = traceIdOf('job', 'lab', 'j1')
    const parentId = spanIdOf(traceId, 'job')
    telemetry.tracer.record(
      span(traceId, {
        parentId,
        attributes: { 'p2p_worker.chunk.index': 7, 'p2p_worker.peer': 'a' },
        error: 'RangeError: no'
      })
    )
    telemetry.tracer.record(span(traceId, { name: 'job', kind: 'internal', spanId: parentId }))
    await telemetry.stop()
    expect(receiver.spans).toEqual([
      expect.objectContaining({
        name: 'chunk',
        traceId,
        spanId: spanIdOf(traceId, 'span'),
        parentSpanId: parentId,
        start: 1_000.5,
        end: 1_002.75,
        status: { code: 2, message: 'RangeError: no' },
        attributes: { 'p2p_worker.chunk.index': 7, 'p2p_worker.peer': 'a' },
        resource: expect.objectContaining({ 'service.name': 'p2p-worker', 'process.pid': process.pid })
      }),
      expect.objectContaining({ name: 'job', spanId: parentId, parentSpanId: undefined })
    ])
  })

  it('the OTEL_ variables set the endpoint and the service name of spans', async () => {
    vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', receiver.url)
    vi.stubEnv('OTEL_SERVICE_NAME', 'rack-7')
    vi.stubEnv('OTEL_RESOURCE_ATTRIBUTES', 'deployment.environment=test')
    telemetry = startTelemetry({ url: undefined, logger: silent })
    telemetry.tracer.record(span(traceIdOf('a')))
    await telemetry.stop()
    expect(receiver.spans[0]?.resource).toMatchObject({
      'service.name': 'rack-7',
      'deployment.environment': 'test'
    })
    expect([...receiver.paths]).toEqual(['/v1/traces'])
  })

  it('the sampler keeps or drops all spans of a trace', async () => {
    vi.stubEnv('OTEL_TRACES_SAMPLER', 'parentbased_traceidratio')
    vi.stubEnv('OTEL_TRACES_SAMPLER_ARG', '0.5')
    telemetry = startTelemetry({ url: `${receiver.url}/v1/traces`, logger: silent })
    const traces = Array.from({ length: 40 }, (_, i) => traceIdOf('job', i))
    for (const traceId of traces)
      telemetry.tracer.record(span(traceId, { name: 'job', spanId: spanIdOf(traceId, 'job') }))
    // The spans of the jobs alternate, as in a cluster that computes chunks of several jobs.
    for (const traceId of [...traces, ...traces])
      telemetry.tracer.record(span(traceId, { parentId: spanIdOf(traceId, 'job') }))
    await telemetry.stop()
    const counts = traces.map(traceId => receiver.spans.filter(span => span.traceId === traceId).length)
    expect(new Set(counts)).toEqual(new Set([0, 3]))
  })

  it('spans that cannot be sent cause one warning and do not block the stop', async () => {
    const { url } = receiver
    await receiver.stop()
    const warn = vi.fn()
    vi.stubEnv('OTEL_EXPORTER_OTLP_TIMEOUT', '100')
    vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '10')
    telemetry = startTelemetry({ url: `${url}/v1/traces`, logger: { ...silent, warn } })
    telemetry.tracer.record(span(traceIdOf('a')))
    await vi.waitFor(() => expect(warn).toHaveBeenCalledTimes(1), 30_000)
    telemetry.tracer.record(span(traceIdOf('b')))
    await telemetry.stop()
    expect(warn.mock.calls).toEqual([[expect.objectContaining({ error: expect.any(Error) }), expect.any(String)]])
  })

  it('the first successful export after a failure is logged', async () => {
    let answer = 400
    const collector = createServer((request, response) => {
      request.resume().on('end', () => response.writeHead(answer).end())
    })
    await once(collector.listen(0, '127.0.0.1'), 'listening')
    const warn = vi.fn()
    vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '10')
    const { port } = collector.address() as AddressInfo
    telemetry = startTelemetry({ url: `http://127.0.0.1:${port}/v1/traces`, logger: { ...silent, warn } })
    try {
      telemetry.tracer.record(span(traceIdOf('a')))
      await vi.waitFor(() => expect(warn).toHaveBeenCalledTimes(1), 30_000)
      answer = 200
      telemetry.tracer.record(span(traceIdOf('b')))
      await vi.waitFor(() => expect(warn).toHaveBeenCalledTimes(2), 30_000)
    } finally {
      await telemetry.stop()
      collector.closeAllConnections()
      collector.close()
    }
    expect(warn).toHaveBeenLastCalledWith({}, 'spans can be sent again')
  })

  it('an aborted stop drops the unsent spans', async () => {
    telemetry = startTelemetry({ url: `${receiver.url}/v1/traces`, logger: silent })
    telemetry.tracer.record(span(traceIdOf('a')))
    await telemetry.stop(AbortSignal.abort())
  })
})

describe('the packages of OpenTelemetry', () => {
  it('the OpenTelemetry packages are optional peer dependencies of package.json', async () => {
    const { peerDependencies, peerDependenciesMeta, dependencies } = JSON.parse(
      await readFile(join(root, 'package.json'), 'utf8')
    )
    expect(peerDependencies).toMatchObject(PACKAGES)
    for (const name of Object.keys(PACKAGES)) {
      expect(peerDependenciesMeta[name]).toEqual({ optional: true })
      expect(dependencies).not.toHaveProperty(name)
    }
  })

  it('the sources import only types from the OpenTelemetry packages', () => {
    const src = join(root, 'src')
    const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.ts'))
    const imports = files.flatMap(name => {
      const text = readFileSync(join(src, name), 'utf8')
      const found = text.matchAll(
        /^(import|export)\b(?! type\b)[^;'"]*?from '@opentelemetry|import\(['"]@opentelemetry/gm
      )
      return [...found].map(([statement]) => `${name}: ${statement}`)
    })
    expect(imports).toEqual([])
  })
})

describe('an installation without the packages of OpenTelemetry', () => {
  let folder: string

  /** Copies the loader to a folder from which the packages cannot be resolved. */
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'p2p-worker-test-'))
    await cp(join(root, 'src', 'telemetry'), join(folder, 'installed', 'telemetry'), { recursive: true })
    for (const file of ['common/errors.ts', 'common/optional-packages.ts'])
      await cp(join(root, 'src', file), join(folder, 'installed', file))
  })

  afterEach(async () => {
    await rm(folder, { recursive: true, force: true })
  })

  it('the error for missing packages names the command to install them, and the loader finds packages in the given folder', async () => {
    const installed = join(folder, 'installed', 'telemetry', 'packages.ts')
    const { loadOpenTelemetry } = (await import(installed)) as typeof import('../../src/telemetry/packages.ts')
    const names = Object.entries(PACKAGES).map(([name, range]) => `${name}@${range}`)
    expect(() => loadOpenTelemetry(folder)).toThrow(
      expect.objectContaining({
        name: 'MissingPackageError',
        message: expect.stringContaining(`\`npm install ${names.join(' ')}\` in ${folder}`)
      })
    )
    await mkdir(join(folder, 'node_modules'))
    await symlink(join(root, 'node_modules', '@opentelemetry'), join(folder, 'node_modules', '@opentelemetry'))
    expect(loadOpenTelemetry(folder).sdk.BasicTracerProvider).toBeTypeOf('function')
  })
})
