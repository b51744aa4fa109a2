/** Implements `--traces`: sends spans to an OpenTelemetry collector. */
import { InvalidOptionError } from '../../common/errors.ts'
import type { Logger } from '../../common/logger.ts'
import type { Telemetry } from '../../telemetry/telemetry.ts'
import { groups, option } from '../options/flags.ts'
import { WITHOUT_VALUE } from '../options/options.ts'

export interface TracesFlag {
  /** The collector's URL; true: the one in OpenTelemetry's own variables, or this machine. */
  traces?: string | true
}

const PATH = '/v1/traces'

/** Parses the URL of a collector; its path may be missing. */
export function tracesUrl(text: string): string | true {
  // The variable's value 1 switches traces on without a URL.
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

/** Starts the telemetry; undefined without `--traces`, and then no module of OpenTelemetry is loaded. */
export async function startTraces({ traces }: TracesFlag, logger: Logger): Promise<Telemetry | undefined> {
  if (traces === undefined) return undefined
  const { startTelemetry } = await import('../../telemetry/telemetry.ts')
  return startTelemetry({ url: traces === true ? undefined : traces, logger })
}
