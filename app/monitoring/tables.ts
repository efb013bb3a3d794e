import { instant, integer, optional, real, table, text } from '#foundation/core/database/table'

/**
 * Series of numbers from custom observability, by name, property, version, build and environment.
 */
export const metricSeries = table('metric_series', {
  id: text(),
  organizationId: text(),
  appId: text(),
  installationId: text(),
  name: text(),
  /** The property of the event; empty for the value of the event itself. */
  param: text(),
  unit: optional(text()),
  /** In normal form. */
  version: text(),
  /** Empty if unknown. */
  buildNumber: text(),
  environment: text(),
  createdAt: instant(),
})

/** Values of series in intervals of five minutes. */
export const metricPoints = table('metric_points', {
  seriesId: text(),
  organizationId: text(),
  /** Start of the five minutes. */
  at: instant(),
  count: integer(),
  sum: real(),
  least: real(),
  greatest: real(),
})

declare module '#foundation/core/database/table' {
  interface Tables {
    metric_series: typeof metricSeries
    metric_points: typeof metricPoints
  }
}
