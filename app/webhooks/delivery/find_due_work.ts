import type { Clock } from '#foundation/core/clock'
import type { SelectRunner } from '#foundation/core/database/runner'
import { as, select } from '#foundation/core/database/statement'
import { flag, instant, optional } from '#foundation/core/database/table'

/** The kinds of work that are pending. */
interface Work {
  /** There are events without deliveries. */
  events: boolean
  recoveries: boolean
  /** There are endpoints that may have due deliveries. */
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

/** Looks for work in one statement, without a transaction, as usually there is none. */
export class FindDueWork {
  constructor(
    private readonly selects: SelectRunner,
    private readonly clock: Clock
  ) {}

  async handle(): Promise<Work> {
    const [{ wakeAt, ...work }] = await this.selects.rows(WORK, {})
    return { ...work, endpoints: wakeAt !== null && wakeAt <= this.clock.now() }
  }
}
