import type { Clock } from '#foundation/core/clock'
import type { SelectRunner } from '#foundation/core/database/runner'
import { as, select } from '#foundation/core/database/statement'
import { flag, instant, optional } from '#foundation/core/database/table'

/** Pending work, for the first worker to come. */
interface Work {
  /** Events that are no deliveries yet. */
  events: boolean
  recoveries: boolean
  /** Endpoints that may have something to start. */
  endpoints: boolean
}

const WORK = select(
  {
    events: as(
      flag(),
      `exists (select 1 from webhook_relays r
        join event_counters c on c.organization_id = r.organization_id
        where c.last > r.sequence)`
    ),
    recoveries: as(flag(), `exists (select 1 from webhook_recoveries where status = 'running')`),
    wakeAt: as(optional(instant()), '(select min(wake_at) from webhook_endpoints)'),
  },
  ''
)

/** Looks for work in one statement, without a transaction: mostly there is none. */
export class LookForWork {
  constructor(
    private readonly selects: SelectRunner,
    private readonly clock: Clock
  ) {}

  async handle(): Promise<Work> {
    const [{ wakeAt, ...work }] = await this.selects.rows(WORK, {})
    return { ...work, endpoints: wakeAt !== null && wakeAt <= this.clock.now() }
  }
}
