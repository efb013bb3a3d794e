import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from '@japa/runner'
import type { TestContext } from '@japa/runner/core'
import BetterSqlite3 from 'better-sqlite3'
import { SqliteSnapshotRunner } from '../core/database/sqlite_runner.js'
import { as, select } from '../core/database/statement.js'
import { integer } from '../core/database/table.js'
import { tuneSqlite } from '#database/sqlite_tuning'

/** More statements than the cache holds. */
const MANY = 1500

/** Records the texts that SQLite connections prepare during a test. */
function watchPrepared(context: TestContext): string[] {
  const { prototype } = BetterSqlite3 as unknown as { prototype: BetterSqlite3.Database }
  const { prepare } = prototype
  const seen: string[] = []
  prototype.prepare = function (this: BetterSqlite3.Database, sql: string) {
    seen.push(sql)
    return prepare.call(this, sql)
  } as typeof prepare
  context.cleanup(() => void (prototype.prepare = prepare))
  return seen
}

const timesIn = (seen: readonly string[], sql: string) =>
  seen.filter((each) => each.includes(sql)).length

test.group('Prepared statements of SQLite', () => {
  test('stay prepared on the writing connection if they are used all the time', (context) => {
    const { assert, cleanup } = context
    const seen = watchPrepared(context)
    const connection = new BetterSqlite3(':memory:')
    cleanup(() => void connection.close())
    tuneSqlite(connection, () => {})
    const list = (count: number) => `select 1 where 1 in (${Array(count).fill('?').join(', ')})`
    for (let count = 1; count <= MANY; count++) {
      connection.prepare('BEGIN').run()
      connection.prepare(list(count)).all(Array(count).fill(1))
      connection.prepare('COMMIT').run()
    }
    assert.deepEqual(
      ['BEGIN', 'COMMIT', list(MANY)].map((sql) => timesIn(seen, sql)),
      [1, 1, 1]
    )
    // The last used ones are still prepared; a further one replaces a single one.
    seen.length = 0
    for (let count = MANY; count > MANY - 900; count--) connection.prepare(list(count))
    assert.deepEqual(seen, [])
    connection.prepare(list(1))
    assert.equal(seen.length, 1)
  })

  test('stay prepared on the reading connection if they are used all the time', async (context) => {
    const { assert, cleanup } = context
    const seen = watchPrepared(context)
    const folder = mkdtempSync(join(tmpdir(), 'tarmac-statements-'))
    const file = join(folder, 'one.sqlite')
    new BetterSqlite3(file).exec('create table one (id integer)').close()
    const runner = new SqliteSnapshotRunner(file)
    cleanup(() => {
      runner.close()
      rmSync(folder, { recursive: true })
    })
    const numbered = (number: number) =>
      select({ number: as(integer(), String(number)) }, `from (select 1) one where :asked = :asked`)
    const hot = numbered(-1)
    for (let number = 1; number <= MANY; number++) {
      // With another binding each time, in case results are cached.
      assert.deepEqual(await runner.rows(hot, { asked: number }), [{ number: -1 }])
      await runner.rows(numbered(number), { asked: number })
    }
    assert.equal(timesIn(seen, 'json_array(-1)'), 1)
    seen.length = 0
    for (let number = MANY; number > MANY - 900; number--) {
      await runner.rows(numbered(number), { asked: -number })
    }
    assert.deepEqual(seen, [])
  })
})
