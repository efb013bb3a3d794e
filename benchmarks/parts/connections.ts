import Database from 'better-sqlite3'
import { inTurn } from '../figures.js'
import type { Row } from '../part.js'
import { seed } from '../seed.js'
import { Stand } from '../stand.js'
import { besideMany, looksAt } from './ticks.js'

const FEW = 10
const MANY = 1000

/**
 * Makes connections, each with an observation in the far future; answers a function that times a
 * look for work.
 */
async function makeConnections(stand: Stand, connections: number) {
  const { service, organizationId } = await seed(stand)
  await service.stop()
  const database = new Database(stand.sqliteFile)
  const stamp = '2026-01-01T00:00:00.000Z'
  const connection = database.prepare(
    `insert into connections (id, organization_id, plugin_id, status, settings, created_at, updated_at)
     values (?, ?, 'bench', 'connected', '{}', ?, ?)`
  )
  const job = database.prepare(
    `insert into jobs (id, organization_id, nature, kind, subject, idempotency_key,
       payload, state, due_at, visible_at, created_at)
     values (?, ?, 'observation', 'integration.hook', ?, ?, '{}', 'planned',
       '2099-01-01T00:00:00.000Z', '2099-01-01T00:00:00.000Z', ?)`
  )
  database.transaction(() => {
    for (let index = 0; index < connections; index++) {
      connection.run(`bench:${index}`, organizationId, stamp, stamp)
      job.run(`job_${index}`, organizationId, `int_${index}`, `int_${index}`, stamp)
    }
  })()
  return looksAt(database)
}

/** Measures a look for work with 10 and with 1,000 connections, none of them due. */
export function measureConnections(): Promise<Row[]> {
  return Stand.use('sqlite', (first) =>
    Stand.use('sqlite', async (second) => {
      const [few, many] = [await makeConnections(first, FEW), await makeConnections(second, MANY)]
      return [besideMany('connections', [FEW, MANY], await inTurn({ few, many }))]
    })
  )
}
