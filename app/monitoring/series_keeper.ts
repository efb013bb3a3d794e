import { as, of, select } from '#foundation/core/database/statement'
import { integer } from '#foundation/core/database/table'
import { newId } from '#foundation/core/ids'
import { refuse, refuseField } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { metricSeries } from './tables.js'

/**
 * Most series of one integration. Names and versions are few; a name that contains ids would make
 * too many series.
 */
export const MAX_SERIES = 5000

/** The key of a series within an integration. */
export interface SeriesKey {
  name: string
  /** Empty for the value itself. */
  param: string
  version: string
  /** Empty if unknown. */
  buildNumber: string
  environment: string
}

const FIND = select(
  of(metricSeries, 's', ['id', 'unit']),
  `from metric_series s where s.organization_id = :org and s.installation_id = :installationId
    and s.name = :name and s.param = :param and s.version = :version
    and s.build_number = :buildNumber and s.environment = :environment`
)
const COUNT = select(
  { count: as(integer(), 'cast(count(*) as integer)') },
  'from metric_series s where s.organization_id = :org and s.installation_id = :installationId'
)

/** Finds the series of an integration, and creates new ones. */
export class SeriesKeeper {
  readonly #known = new Map<string, { id: string; unit: string | null }>()
  #count: number | undefined

  constructor(
    private readonly scope: Scope,
    private readonly place: { appId: string; installationId: string }
  ) {}

  /**
   * @throws invalid_input for a unit that differs from the series'; conflict if there are too many
   * series
   */
  async idOf(key: SeriesKey, unit: string | null): Promise<string> {
    const series = await this.#series(key, unit)
    if (unit !== null && series.unit === null) {
      await this.scope.update(metricSeries, { id: series.id }, { unit })
      series.unit = unit
    }
    if (unit === null || series.unit === unit) return series.id
    const message = `${key.name} is measured in ${series.unit}, not in ${unit}.`
    throw refuseField('/unit', 'other_unit', message)
  }

  async #series(key: SeriesKey, unit: string | null) {
    const { scope } = this
    const text = JSON.stringify(Object.values(key))
    const known = this.#known.get(text)
    if (known) return known
    const { installationId } = this.place
    const [found] = await scope.rows(FIND, { ...key, installationId })
    const series = found ?? (await this.#create(key, unit))
    this.#known.set(text, series)
    return series
  }

  async #create(key: SeriesKey, unit: string | null) {
    const { scope, place } = this
    const { installationId } = place
    this.#count ??= (await scope.rows(COUNT, { installationId }))[0].count
    if (this.#count >= MAX_SERIES) {
      throw refuse('conflict', {
        detail: `The integration has ${MAX_SERIES} series; ${key.name} of ${key.version} would be one more.`,
      })
    }
    this.#count += 1
    const id = newId('series')
    await scope.insert(metricSeries, [{ id, ...place, ...key, unit, createdAt: scope.now }])
    return { id, unit }
  }
}
