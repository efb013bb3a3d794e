import { change } from '#foundation/core/database/statement'
import type { Instant } from '#foundation/core/clock'
import { validateWhole } from '#foundation/api/execution/validate'
import { attempt, batchError, isDone } from '#foundation/core/problems/attempt'
import { InputErrors } from '#foundation/core/problems/input_errors'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { yieldToOthers } from '#foundation/core/yielding'
import type { IntegrationData, SelectedEvent } from '#integrations/settings'
import { recordSent } from '#integrations/last_answers'
import { findInstallation } from '#integrations/queries/find_installation'
import { normalVersion, parseVersion } from '#workflow/version'
import { checkEvent, customEventValidator, isMeasured, type CustomEvent } from '../event_input.js'
import { SeriesKeeper, type SeriesKey } from '../series_keeper.js'
import { slotOf } from '../slot.js'

/** The results of a list of events. */
interface TakenEvents {
  accepted: number
  rejected: number
  errors: { index: number; error: string; code: string }[]
}

const ADD = change(
  `insert into metric_points (series_id, organization_id, at, count, sum, least, greatest)
  values (:seriesId, :org, :at, :count, :sum, :least, :greatest)
  on conflict (series_id, at) do update set
    count = metric_points.count + excluded.count,
    sum = metric_points.sum + excluded.sum,
    least = case when excluded.least < metric_points.least
      then excluded.least else metric_points.least end,
    greatest = case when excluded.greatest > metric_points.greatest
      then excluded.greatest else metric_points.greatest end`
)

/** The values of one series within five minutes. */
interface Point {
  seriesId: string
  at: Instant
  count: number
  sum: number
  least: number
  greatest: number
}

/** Stores events that an app's own observability has measured. */
export class TakeEvents {
  readonly #points = new Map<string, Point>()

  constructor(private readonly scope: Scope) {}

  /**
   * @param events one valid event, or a list whose events are each validated separately
   * @throws not_found, conflict, invalid_input; all_items_failed if no event of a list is valid
   */
  async handle(
    { appId, installationId }: { appId: string; installationId: string },
    events: CustomEvent | unknown[]
  ): Promise<TakenEvents> {
    const { scope } = this
    const { data } = await findInstallation(scope, appId, installationId, 'generic-analytics')
    const keeper = new SeriesKeeper(scope, { appId, installationId })
    const params = selectedParams(data)
    const take = async (event: CustomEvent) => {
      const inputErrors = new InputErrors()
      await checkEvent(event, scope.now, inputErrors)
      inputErrors.throwIfAny()
      await this.#add(keeper, params, event)
    }
    const errors: TakenEvents['errors'] = []
    if (!Array.isArray(events)) await take(events)
    else {
      for (const [index, each] of events.entries()) {
        const outcome = await attempt(async () =>
          take(
            await validateWhole(customEventValidator, each, (sound, inputErrors) =>
              checkEvent(sound, scope.now, inputErrors)
            )
          )
        )
        if (!isDone(outcome)) errors.push({ index, ...batchError(outcome.problem) })
        await yieldToOthers()
      }
    }
    await this.#store()
    const given = Array.isArray(events) ? events.length : 1
    const result = { accepted: given - errors.length, rejected: errors.length, errors }
    if (result.accepted > 0) {
      await recordSent(scope, installationId)
      return result
    }
    throw refuse('all_items_failed', {
      detail: `Every event failed; the first: ${errors[0].error}`,
      members: {
        ...result,
        errors: errors.map((each) => ({ ...each, message: each.error })),
      },
    })
  }

  async #add(keeper: SeriesKeeper, params: SelectedParams, event: CustomEvent): Promise<void> {
    const { name, value, unit = null, version, timestamp = this.scope.now } = event
    const key: Omit<SeriesKey, 'param'> = {
      name,
      version: normalVersion(parseVersion(version)!),
      buildNumber: event.buildNumber ?? '',
      environment: event.environment ?? 'production',
    }
    const at = slotOf(timestamp)
    const measured = Object.entries((event.properties ?? {}) as object).flatMap(([param, each]) =>
      isMeasured(each) && params.get(name)?.has(param) ? [{ param, value: each, unit: null }] : []
    )
    const values = [{ param: '', value, unit }, ...measured]
    const ids: string[] = []
    for (const { param, unit: each } of values) ids.push(await keeper.idOf({ ...key, param }, each))
    // Counted only after all series are known to be usable, so that an event is stored whole or not
    // at all.
    for (const [index, { value: each }] of values.entries()) this.#count(ids[index], at, each)
  }

  #count(seriesId: string, at: Instant, value: number): void {
    const key = `${seriesId} ${at}`
    const point = this.#points.get(key)
    if (!point) {
      this.#points.set(key, { seriesId, at, count: 1, sum: value, least: value, greatest: value })
      return
    }
    point.count += 1
    point.sum += value
    point.least = Math.min(point.least, value)
    point.greatest = Math.max(point.greatest, value)
  }

  async #store(): Promise<void> {
    for (const point of this.#points.values()) {
      await this.scope.change(ADD, { ...point })
      await yieldToOthers()
    }
  }
}

type SelectedParams = ReadonlyMap<string, ReadonlySet<string>>

/** Returns the properties that the integration selects, by event. */
function selectedParams({ selectedEventsAndParams = [] }: IntegrationData): SelectedParams {
  const params = new Map<string, Set<string>>()
  for (const { eventName, paramName } of selectedEventsAndParams as SelectedEvent[]) {
    if (paramName === undefined) continue
    params.set(eventName, (params.get(eventName) ?? new Set()).add(paramName))
  }
  return params
}
