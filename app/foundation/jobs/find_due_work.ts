import { NATURES, type Nature } from '../core/jobs/kinds.js'
import type { Instant } from '../core/clock.js'
import type { SelectRunner } from '../core/database/runner.js'
import { as, select } from '../core/database/statement.js'
import { instant, optional } from '../core/database/table.js'

const first = (nature: Nature) =>
  as(
    optional(instant()),
    `(select min(visible_at) from jobs where nature = '${nature}' and visible_at is not null)`
  )

const FIRST = select(
  {
    urgent: first('urgent'),
    timer: first('timer'),
    command: first('command'),
    observation: first('observation'),
    chore: first('chore'),
  },
  ''
)

/** The first due time of each nature; null if nothing is planned. */
type FirstDue = Record<Nature, Instant | null>

/** Finds due work with one statement of five index lookups, because usually nothing is due. */
export class FindDueWork {
  constructor(private readonly selects: SelectRunner) {}

  async handle(): Promise<FirstDue> {
    const [due] = await this.selects.rows(FIRST, {})
    return due
  }
}

/** Returns the natures of which something is due at an instant. */
export function dueAt(due: FirstDue, now: Instant): Nature[] {
  return NATURES.filter((nature) => {
    const at = due[nature]
    return at !== null && at <= now
  })
}
