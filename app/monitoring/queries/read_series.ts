import { slotOf } from '../slot.js'
import type { Instant } from '#foundation/core/clock'
import { as, of, select, variants } from '#foundation/core/database/statement'
import { integer, real } from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'
import { metricPoints } from '../tables.js'

/** The selection of an app's series. */
export interface SeriesWindow {
  appId: string
  name: string
  /** The property to read; without it, the value of the event itself. */
  param?: string
  /** In normal form. */
  version: string
  buildNumber?: string
  environment?: 'production' | 'beta'
  /** The start, rounded down to five minutes. */
  from: Instant
  /** The end, exclusive. */
  to: Instant
}

/** The values of five minutes; the mean is the sum divided by the count. */
interface SeriesPoint {
  /** Start of the five minutes. */
  at: Instant
  count: number
  sum: number
  least: number
  greatest: number
}

const POINTS = variants(
  select(
    {
      ...of(metricPoints, 'p', ['at']),
      count: as(integer(), 'cast(sum(p.count) as integer)'),
      sum: as(real(), 'sum(p.sum)'),
      least: as(real(), 'min(p.least)'),
      greatest: as(real(), 'max(p.greatest)'),
    },
    `from metric_series s join metric_points p on p.series_id = s.id
    where s.organization_id = :org and s.app_id = :appId and s.name = :name and s.param = :param
      and s.version = :version and p.at >= :from and p.at < :to`
  ),
  'group by p.at order by p.at'
)

/**
 * Reads the custom metrics of a version for health guards: over all integrations
 * of the app, and over all builds and environments if none is named.
 */
export function readSeries(
  scope: Scope,
  { from, param = '', buildNumber, environment, ...window }: SeriesWindow
): Promise<SeriesPoint[]> {
  const first = slotOf(from)
  const conditions = [
    ...(buildNumber === undefined ? [] : ['and s.build_number = :buildNumber']),
    ...(environment === undefined ? [] : ['and s.environment = :environment']),
  ]
  return scope.rows(POINTS(conditions.join(' ')), {
    ...window,
    param,
    from: first,
    ...(buildNumber === undefined ? {} : { buildNumber }),
    ...(environment === undefined ? {} : { environment }),
  })
}
