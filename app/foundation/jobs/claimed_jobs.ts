import { change, of, select } from '../core/database/statement.js'
import { isPostgres } from '../core/database/connections.js'
import { jobs } from '../core/jobs/tables.js'
import { transact } from '../core/database/transact.js'
import { holdings, type Holding } from '../core/processes/holdings.js'

const OF = 'where claimed_by is not null and claimed_by in json(:lives)'

const HOLDERS = select(
  of(jobs, 'e', ['claimedBy']),
  'from jobs e where e.claimed_by is not null group by e.claimed_by'
)
const LEFT = select(of(jobs, 'e', ['id']), `from jobs e ${OF} limit 1`)
const handingBack = (locking: string) =>
  change(`update jobs set claim_id = null, claimed_by = null, visible_at = :now
    where id in (select id from jobs ${OF} ${locking}) and claimed_by in json(:lives)`)
const HAND_BACK = { sqlite: handingBack(''), postgres: handingBack('for update skip locked') }

/** Claimed jobs. The lost attempt stays counted and in doubt for the next worker. */
const claimedJobs: Holding = {
  holders: (database) =>
    transact(database, async (_client, _connection, statements) => {
      const rows = await statements.rows(HOLDERS, {})
      return rows.flatMap(({ claimedBy }) => claimedBy ?? [])
    }),
  handBack: (database, lives, now) =>
    transact(database, async (_client, _connection, statements) => {
      const bound = { lives: JSON.stringify(lives) }
      const statement = isPostgres(database) ? HAND_BACK.postgres : HAND_BACK.sqlite
      await statements.change(statement, { ...bound, now })
      return (await statements.rows(LEFT, bound)).length === 0
    }),
}

export const holdsJobs = holdings.extend(claimedJobs)
