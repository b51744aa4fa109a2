/** Implements `--traces`: sends spans to an OpenTelemetry collector. */
import { InvalidOptionError } from '../../common/errors.ts'
import type { Logger } from '../../common/logger.ts'
import type { Telemetry } from '../../telemetry/telemetry.ts'
import { groups, option } from '../options/flags.ts'
import { WITHOUT_VALUE } from '../options/options.ts'

export interface TracesFlag {
  /**
   * The URL of the collector. With `true`, OpenTelemetry's own variables contain the URL; without them, the collector
   * is on this machine.
   */
  traces?: string | true
}

const PATH = '/v1/traces'

/** Parses the URL of a collector. The URL may have no path. */
export function tracesUrl(text: string): string | true {
  // The value 1 of the environment variable switches traces on without a URL.
  if (text === WITHOUT_VALUE || text === '1') return true
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new InvalidOptionError('It must be an http or https URL, such as http://127.0.0.1:4318.')
  }
  if (url.username !== '' || url.password !== '') {
    throw new InvalidOptionError(
      'It must hold no password, which others would see: OTEL_EXPORTER_OTLP_HEADERS takes "authorization=…".'
    )
  }
  if (url.pathname === '/') url.pathname = PATH
  return url.href
}

export const tracesOption = option(
  '--traces [url]',
  'send spans of jobs, chunks and elections there by OTLP over HTTP (default: as the OTEL_EXPORTER_OTLP_ variables say, else http://127.0.0.1:4318/v1/traces); needs packages of OpenTelemetry',
  tracesUrl
).helpGroup(groups.diagnostics)

/** Starts the telemetry. Without `--traces`, resolves with undefined and loads no module of OpenTelemetry. */
export async function startTraces({ traces }: TracesFlag, logger: Logger): Promise<Telemetry | undefined> {
  if (traces === undefined) return undefined
  const { startTelemetry } = await import('../../telemetry/telemetry.ts')
  return startTelemetry({ url: traces === true ? undefined : traces, logger })
}
