import type { Database } from '@adonisjs/lucid/database'
import type { Clock } from '../core/clock.js'
import { change } from '../core/database/statement.js'
import { transact } from '../core/database/transact.js'
import { newId } from '../core/ids.js'
import type { Works } from './handlers.js'

const PLAN = change(`insert into jobs (id, nature, kind, subject, idempotency_key,
    payload, state, due_at, visible_at, attempts, doubts, replanned, created_at)
  values (:id, 'chore', :kind, :kind, :kind, '{}', 'planned', :now, :now, 0, 0, false, :now)
  on conflict (coalesce(organization_id, ''), kind, idempotency_key) do nothing`)

/** Plans the recurring jobs (chores) that no process has planned yet. */
export class PlanChores {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly works: Works
  ) {}

  async handle(): Promise<void> {
    const chores = this.works.all().filter(({ nature }) => nature === 'chore')
    await transact(this.database, async (_client, _connection, statements) => {
      const now = this.clock.now()
      for (const { name: kind } of chores) {
        await statements.change(PLAN, { id: newId('job'), kind, now })
      }
    })
  }
}
