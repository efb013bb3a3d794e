import Database from 'better-sqlite3'
import { FindDueWork } from '#foundation/jobs/find_due_work'
import type { SelectRunner } from '#foundation/core/database/runner'
import { rowOf, type Select } from '#foundation/core/database/statement'
import type { Stored } from '#foundation/core/database/table'
import { fixed, inTurn, median, ratio, timings, reported } from '../figures.js'
import type { Row } from '../part.js'
import { addReleases, makeApp, seed } from '../seed.js'
import { Stand } from '../stand.js'

const FEW = 100
const MANY = 100_000

/** Looks for work that are timed together: one alone is too short for the clock. */
const TOGETHER = 200

/**
 * Makes idle releases with timers in the far future; answers a function that times a look for work.
 */
async function makeIdle(stand: Stand, releases: number) {
  const seeded = await seed(stand)
  const appId = await makeApp(seeded, 'Idle')
  addReleases(seeded, appId, releases)
  await seeded.service.stop()
  const database = new Database(stand.sqliteFile)
  database.exec(`insert into jobs (id, organization_id, nature, kind, subject,
      idempotency_key, payload, state, due_at, visible_at, created_at)
    select 'job_' || id, organization_id, 'timer', 'release.nextEvaluation', id, id,
      '{"appId":"' || app_id || '"}', 'planned', '2099-01-01T00:00:00.000Z',
      '2099-01-01T00:00:00.000Z', created_at from releases`)
  return looksAt(database)
}

/** Answers a function that measures the milliseconds of one look for work. */
export function looksAt(database: Database.Database): () => Promise<number> {
  const looks = new FindDueWork(uncached(database))
  const tick = async () => {
    for (let look = 0; look < TOGETHER; look++) await looks.handle()
  }
  return async () => median(await timings(50, tick)) / TOGETHER
}

/** Runs prepared statements and keeps no results between two looks. */
function uncached(database: Database.Database): SelectRunner {
  const prepared = new Map<Select, Database.Statement>()
  return {
    async rows<Found>(statement: Select<Found>) {
      let found = prepared.get(statement)
      if (!found) {
        const list = statement.columns.map(([, { sql }]) => sql).join(', ')
        found = database.prepare(`select ${list} ${statement.rest}`).raw()
        prepared.set(statement, found)
      }
      return (found.all() as Stored[][]).map((row) => rowOf<Found>(statement.columns, row))
    },
  }
}

/** The row that compares looks for work with few and with many of something. */
export function besideMany(
  things: string,
  [few, many]: [number, number],
  figures: Record<'few' | 'many', number[]>
): Row {
  const microseconds = (values: number[]) =>
    reported(
      values.map((each) => each * 1000),
      'µs',
      1
    )
  return {
    what: `look of a worker for what is due, SQLite, ${fixed(many)} ${things}`,
    service: microseconds(figures.many),
    beside: `${fixed(few)}: ${microseconds(figures.few)}`,
    ratio: ratio(figures.many, figures.few),
    aim: 'at most 1.2',
  }
}

/** Measures a look for work with 100 and with 100,000 releases, none of them due. */
export function measureTicks(): Promise<Row[]> {
  return Stand.use('sqlite', (first) =>
    Stand.use('sqlite', async (second) => {
      const [few, many] = [await makeIdle(first, FEW), await makeIdle(second, MANY)]
      const what = 'idle releases with a time'
      return [besideMany(what, [FEW, MANY], await inTurn({ few, many }))]
    })
  )
}
