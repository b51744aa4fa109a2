/**
 * Loads the packages of OpenTelemetry when traces are requested. Without traces, the packages need not be installed.
 */
import type * as Api from '@opentelemetry/api'
import type * as Exporter from '@opentelemetry/exporter-trace-otlp-http'
import type * as Resources from '@opentelemetry/resources'
import type * as Sdk from '@opentelemetry/sdk-trace-base'
import { requireOptional } from '../common/optional-packages.ts'

/** The packages, with the versions of package.json. */
export const PACKAGES = {
  '@opentelemetry/api': '^1.9.1',
  '@opentelemetry/exporter-trace-otlp-http': '^0.223.1',
  '@opentelemetry/resources': '^2.12.1',
  '@opentelemetry/sdk-trace-base': '^2.12.1'
} as const

export interface OpenTelemetry {
  api: typeof Api
  exporter: typeof Exporter
  resources: typeof Resources
  sdk: typeof Sdk
}

/** @throws MissingPackageError when neither p2p-worker's folder nor `folder` contains all packages */
export function loadOpenTelemetry(folder: string): OpenTelemetry {
  const missing = 'traces need packages of OpenTelemetry, which are not installed'
  const require = requireOptional(PACKAGES, missing, folder)
  return {
    api: require('@opentelemetry/api') as typeof Api,
    exporter: require('@opentelemetry/exporter-trace-otlp-http') as typeof Exporter,
    resources: require('@opentelemetry/resources') as typeof Resources,
    sdk: require('@opentelemetry/sdk-trace-base') as typeof Sdk
  }
}
