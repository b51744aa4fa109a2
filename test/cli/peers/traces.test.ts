import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { tracesUrl } from '../../../src/cli/peers/traces.ts'
import { createProgram } from '../../../src/cli/program.ts'
import { bareEnvironment, cli, type Running, start } from '../process.ts'

describe('--traces', () => {
  it('--traces takes a URL, whose path may be left out, or no value', () => {
    expect(tracesUrl('http://jaeger:4318')).toBe('http://jaeger:4318/v1/traces')
    expect(tracesUrl('https://collector/tenant/v1/traces')).toBe('https://collector/tenant/v1/traces')
    // An empty text stands for the option without a value. The text 1 is the variable that switches the option on.
    expect([tracesUrl(''), tracesUrl('1')]).toEqual([true, true])
    expect(() => tracesUrl('jaeger:4318')).toThrow(/http or https URL/)
    expect(() => tracesUrl('http://user:secret@jaeger:4318')).toThrow(/OTEL_EXPORTER_OTLP_HEADERS/)
  })

  it.each([
    [['run', '--traces', 'task.ts'], '', ['task.ts']],
    [['run', '--traces', 'http://jaeger:4318', 'task.ts'], 'http://jaeger:4318/v1/traces', ['task.ts']],
    [['run', '--local', '--traces', 'task.ts'], '', ['task.ts']],
    [['join', '--traces', 'p2pw1_token'], '', ['p2pw1_token']],
    [['lead', '--traces', '--', 'service', '--traces', 'x'], '', ['service', '--traces', 'x']]
  ])('%j gives --traces a value only if the next word is a URL', ([name, ...words], traces, operands) => {
    const command = createProgram(() => {}).commands.find(known => known.name() === name)!
    expect(command.parseOptions(words!).operands).toEqual(operands)
    expect(command.opts().traces).toBe(traces === '' ? true : traces)
  })
})

describe('the packages of OpenTelemetry', () => {
  let home: string
  let running: Running | undefined

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'p2p-worker-test-'))
  })

  afterEach(async () => {
    running?.child.kill('SIGKILL')
    await running?.finished
    running = undefined
    await rm(home, { recursive: true, force: true })
  })

  /** Starts and ends a peer. Resolves with the packages of OpenTelemetry that the peer has loaded. */
  async function loadedBy(args: string[]): Promise<string[]> {
    const [hook, list] = [join(home, 'hook.cjs'), join(home, 'loaded')]
    await writeFile(
      hook,
      `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(list)}, Object.keys(require.cache).join('\\n')))`
    )
    running = start(
      ['join', '--insecure', '--no-mdns', '--listen', '/ip4/127.0.0.1/tcp/0', '--json', ...args],
      bareEnvironment(home, { NODE_OPTIONS: `--require ${hook}` })
    )
    await new Promise(resolve => running!.child.stdout!.once('data', resolve))
    running.child.kill('SIGTERM')
    expect((await running.finished).code).toBe(0)
    return (await readFile(list, 'utf8')).split('\n').filter(file => file.includes('@opentelemetry'))
  }

  it('the packages of OpenTelemetry are loaded only by a peer that sends traces', async () => {
    expect(await loadedBy([])).toEqual([])
    // No process listens at this address, and the peer has no spans to send.
    expect((await loadedBy(['--traces', 'http://127.0.0.1:9'])).length).toBeGreaterThan(10)
  })

  it('run --local needs no packages of OpenTelemetry', async () => {
    const { code, stderr } = await cli(['run', '--local', '--traces', 'task.ts'], bareEnvironment(home))
    expect(code).toBe(2)
    expect(stderr).toContain('--traces needs a cluster')
  })
})
