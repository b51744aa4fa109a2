/**
 * Loads the packages of OpenTelemetry when traces are requested. Without traces, the packages need not be installed.
 */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type * as Api from '@opentelemetry/api'
import type * as Exporter from '@opentelemetry/exporter-trace-otlp-http'
import type * as Resources from '@opentelemetry/resources'
import type * as Sdk from '@opentelemetry/sdk-trace-base'
import { MissingPackageError } from '../common/errors.ts'

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

/**
 * Loads the packages from the folder that p2p-worker is installed in, or otherwise from `folder`. All packages must
 * come from the same folder, because their versions must match. An installation by npx does not contain these packages.
 *
 * @throws MissingPackageError when neither folder contains all packages
 */
export function loadOpenTelemetry(folder: string): OpenTelemetry {
  const places = [import.meta.url, join(folder, 'package.json')].map(place => createRequire(place))
  const place = places.find(require => Object.keys(PACKAGES).every(name => canResolve(require, name)))
  if (place === undefined) throw new MissingPackageError(missing(folder))
  return {
    api: place('@opentelemetry/api') as typeof Api,
    exporter: place('@opentelemetry/exporter-trace-otlp-http') as typeof Exporter,
    resources: place('@opentelemetry/resources') as typeof Resources,
    sdk: place('@opentelemetry/sdk-trace-base') as typeof Sdk
  }
}

function canResolve(require: NodeJS.Require, name: string): boolean {
  try {
    require.resolve(name)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return false
    throw error
  }
}

function missing(folder: string): string {
  const names = Object.entries(PACKAGES).map(([name, range]) => `${name}@${range}`)
  return `traces need packages of OpenTelemetry, which are not installed: run \`npm install ${names.join(' ')}\` in ${folder}, or beside p2p-worker`
}
