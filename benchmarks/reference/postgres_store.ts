import pg from 'pg'
import * as sql from './statements.js'
import type { Store } from './store.js'
import { changesOf, requireKey, itemEntity, partsOfKey, versionOf, type Row } from './work.js'

const POOL = 10

/** A statement that each connection prepares once under its name. */
function named(name: string, text: string) {
  let place = 0
  const numbered = text.replace(/\?/g, () => `$${++place}`)
  return (...values: unknown[]) => ({ name, text: numbered, values })
}

const statements = {
  release: named('release', sql.RELEASE),
  steps: named('steps', sql.STEPS),
  items: named('items', sql.ITEMS),
  key: named('key', sql.KEY),
  app: named('app', sql.APP),
  setStatus: named('set_status', sql.SET_STATUS),
  takeNumbers: named('take_numbers', sql.TAKE_NUMBERS),
  addEvent: named('add_event', sql.ADD_EVENT),
}

type Statement = ReturnType<ReturnType<typeof named>>

async function rowsOf(client: pg.ClientBase, statement: Statement): Promise<Row[]> {
  return (await client.query<Row>(statement)).rows
}

/** pg with a pool of ten connections and named prepared statements. */
export class PostgresStore implements Store {
  private constructor(private readonly pool: pg.Pool) {}

  static async open(url: string): Promise<PostgresStore> {
    const pool = new pg.Pool({ connectionString: url, max: POOL })
    for (const statement of sql.TABLES) await pool.query(statement)
    return new PostgresStore(pool)
  }

  detail(appId: string, releaseId: string): Promise<Row> {
    return this.#connected(async (client) => {
      const [found] = await rowsOf(client, statements.release(appId, ...versionOf(releaseId)))
      const steps = await rowsOf(client, statements.steps(found.id))
      return { ...found, steps, items: await rowsOf(client, statements.items(found.id)) }
    })
  }

  setStatuses(...given: Parameters<Store['setStatuses']>): Promise<object[]> {
    return this.#connected(async (client) => {
      await client.query('BEGIN')
      try {
        const answer = await this.#change(client, ...given)
        await client.query('COMMIT')
        return answer
      } catch (error) {
        await client.query('ROLLBACK')
        throw error
      }
    })
  }

  async #change(client: pg.ClientBase, ...given: Parameters<Store['setStatuses']>) {
    const [givenKey, appId, releaseId, wanted] = given
    const { id, hash } = partsOfKey(givenKey)
    const key = requireKey((await rowsOf(client, statements.key(id)))[0], hash)
    const [app] = await rowsOf(client, statements.app(appId, key.organization_id))
    const [release] = await rowsOf(client, statements.release(appId, ...versionOf(releaseId)))
    const steps = await rowsOf(client, statements.steps(release.id))
    const items = await rowsOf(client, statements.items(release.id))
    const changes = changesOf({ key, app, release, steps, items }, wanted)
    for (const { update } of changes) await client.query(statements.setStatus(...update))
    const numbers = statements.takeNumbers(changes.length, key.organization_id)
    const [last] = await rowsOf(client, numbers)
    let sequence = Number(last.sequence) - changes.length
    for (const { event } of changes) await client.query(statements.addEvent(...event(++sequence)))
    return changes.map(({ item }) => itemEntity(item))
  }

  async #connected<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    const client = await this.pool.connect()
    try {
      return await work(client)
    } finally {
      client.release()
    }
  }
}
