import { HOUR } from '#foundation/core/durations'
import type { Scope } from '#foundation/core/scope'
import type { Stage } from './set_up.js'
import type { RehearsedService } from './service.js'
import type { MetricInput } from '#rollouts/policy/policy'
import { policiesOf } from '#rollouts/queries/policies'

/** Metrics that are sent, unless a rollout policy names others. */
const MEASURED = [{ total: 'sessions', bad: 'crashes' }]

/** Maximum number of events in one request. */
const MAX_EVENTS = 500

/** Sends measurements of a rehearsed app, as a team's own observability would. */
export class Measurements {
  #until: number

  private constructor(
    private readonly service: RehearsedService,
    private readonly stage: Stage,
    /** Ids of the integrations that receive them. */
    private readonly installations: readonly string[],
    private readonly metrics: typeof MEASURED
  ) {
    this.#until = service.clock.milliseconds()
  }

  static async of(service: RehearsedService, stage: Stage): Promise<Measurements> {
    const params = { appId: stage.appId }
    const list: { id: string; type: string }[] = await service.ask('listAppIntegrations', {
      params,
    })
    const taking = list.filter(({ type }) => type === 'generic-analytics').map(({ id }) => id)
    return new Measurements(service, stage, taking, await metricsOf(service.read(), stage.appId))
  }

  /** Sends the hours that have ended since the last call. */
  async send(): Promise<void> {
    if (this.installations.length === 0) return
    const until = Math.floor(this.service.clock.milliseconds() / HOUR) * HOUR
    if (until <= this.#until) return
    const uses = this.stage.world
      .usesIn(this.#until, until)
      .filter(({ version, sessions }) => version !== 'before' && sessions > 0)
    this.#until = until
    const events = uses.flatMap(({ version, at, sessions, crashed }) => {
      const timestamp = new Date(at).toISOString()
      return this.metrics.flatMap(({ total, bad }) => [
        { name: total, value: sessions, version, timestamp },
        { name: bad, value: crashed, version, timestamp },
      ])
    })
    for (let from = 0; from < events.length; from += MAX_EVENTS) {
      for (const integrationInstallationId of this.installations) {
        await this.service.ask('postCustomEvents', {
          params: { appId: this.stage.appId, integrationInstallationId },
          body: events.slice(from, from + MAX_EVENTS),
        })
      }
    }
  }
}

/** Returns the metrics that the guards of the app's policies compare, each once. */
async function metricsOf(scope: Scope, appId: string): Promise<typeof MEASURED> {
  const guards = (await policiesOf(scope, appId)).flatMap(({ policy }) => policy.guard ?? [])
  if (guards.length === 0) return MEASURED
  const metrics = guards.flatMap((guard) => guard.metrics.flatMap(eventsOf))
  return [...new Map(metrics.map((each) => [JSON.stringify(each), each])).values()]
}

/**
 * Returns the event names of a metric that the app reports; other sources are counted by providers.
 */
const eventsOf = ({ source = 'events', total, bad }: MetricInput) =>
  source === 'events' && total !== undefined && bad !== undefined ? [{ total, bad }] : []
