import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import fc from 'fast-check'
import type { Database } from '@adonisjs/lucid/database'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { isPostgres, type BoundSelect } from '../core/database/connections.js'
import type { StatementRunner } from '../core/database/runner.js'
import { as, change, select, type Change, type Select } from '../core/database/statement.js'
import { integer, text } from '../core/database/table.js'
import { transact } from '../core/database/transact.js'
import { runs } from '#tests/support/effort'

/*
 * The first reads of writes that share a transaction of PostgreSQL are sent while the previous
 * write is running. Each write must see what it would have seen if it had read by itself.
 */

const database = db as unknown as Database

const TABLES = ['shared_ones', 'shared_twos'] as const
type TableName = (typeof TABLES)[number]
type Rows = Record<TableName, Record<string, number>>

const LOCK = select({ id: as(text(), 'o.id') }, `from shared_ones o where o.id = 'lock' for update`)
const readOf = (table: TableName) =>
  select(
    { id: as(text(), 't.id'), value: as(integer(), 't.value') },
    `from ${table} t where t.id <> 'lock' order by t.id`
  )
const READS: Record<TableName, Select> = {
  shared_ones: readOf('shared_ones'),
  shared_twos: readOf('shared_twos'),
}
/** Counts how often it is executed. */
const COUNTED = select(
  { count: as(integer(), `cast(nextval('shared_asked') as integer)`) },
  'from (select count(*) from shared_ones) o'
)
const updates = {
  shared_ones: change('update shared_ones set value = value + 1 where id = :id'),
  shared_twos: change('update shared_twos set value = value + 1 where id = :id'),
}
const upsert = change(
  `with given as (insert into shared_twos (id, value) values (:id, 1)
    on conflict (id) do update set value = shared_twos.value + 1 returning id)
  update shared_ones set value = value + 1 where id in (select id from given)`
)
const remove = change('delete from shared_ones where id = :id')

interface World {
  client: TransactionClientContract
  statements: StatementRunner
  rows: Rows
}

/** The steps of a write, in the database and in a model of it. */
const STEPS = {
  async changeOne({ statements, rows }: World) {
    await statements.send(updates.shared_ones, { id: 'a' })
    rows.shared_ones.a &&= rows.shared_ones.a + 1
  },
  async changeTwo({ statements, rows }: World) {
    await statements.change(updates.shared_twos, { id: 'a' })
    rows.shared_twos.a &&= rows.shared_twos.a + 1
  },
  async changeBoth({ statements, rows }: World) {
    // The second part of the statement sees the state before the first.
    await statements.send(upsert, { id: 'a' })
    rows.shared_twos.a = (rows.shared_twos.a ?? 0) + 1
    rows.shared_ones.a &&= rows.shared_ones.a + 1
  },
  async remove({ statements, rows }: World) {
    await statements.send(remove, { id: 'b' })
    delete rows.shared_ones.b
    delete rows.shared_twos.b
  },
  async queryBuilder({ client, rows }: World) {
    await client.from('shared_twos').where('id', 'a').increment('value', 1)
    rows.shared_twos.a &&= rows.shared_twos.a + 1
  },
  async rehearse({ statements }: World) {
    await statements.change(change('savepoint rehearsal'), {})
    await statements.change(updates.shared_ones, { id: 'a' })
    await statements.rows(READS.shared_ones, {})
    await statements.change(change('rollback to savepoint rehearsal'), {})
    await statements.change(change('release savepoint rehearsal'), {})
  },
  async readBoth({ statements }: World) {
    await Promise.all(TABLES.map((table) => statements.rows(READS[table], {})))
  },
  async refuse() {
    throw new Error('refused')
  },
} satisfies Record<string, (world: World) => Promise<void>>
type Step = keyof typeof STEPS

class Shared {
  /** The writes in the order of the lock, with what each saw first and last. */
  readonly done: { name: string; saw: Rows[]; expected: Rows[] }[] = []
  #rows: Rows = { shared_ones: {}, shared_twos: {} }

  async open() {
    await this.close()
    await db.rawQuery('create sequence shared_asked')
    await db.rawQuery('create table shared_ones (id text primary key, value integer not null)')
    await db.rawQuery(
      `create table shared_twos (id text primary key, value integer not null,
       one text generated always as (case when id = 'b' then id end) stored
         references shared_ones (id) on delete cascade)`
    )
    await db.rawQuery(`insert into shared_ones values ('lock', 0), ('a', 1), ('b', 1)`)
    await db.rawQuery(`insert into shared_twos (id, value) values ('a', 1), ('b', 1)`)
    this.#rows = { shared_ones: { a: 1, b: 1 }, shared_twos: { a: 1, b: 1 } }
  }

  async close() {
    await db.rawQuery('drop table if exists shared_twos, shared_ones')
    await db.rawQuery('drop sequence if exists shared_asked')
  }

  write(name: string, steps: readonly Step[], ahead: readonly Select[]): Promise<unknown> {
    const questions: BoundSelect[] = ahead.map((statement) => ({ statement, bindings: {} }))
    return transact(
      database,
      async (client, _connection, statements) => {
        await statements.rows(LOCK, {})
        const rows = structuredClone(this.#rows)
        const world = { client, statements, rows }
        const own = { name, saw: [await read(statements)], expected: [structuredClone(rows)] }
        for (const step of steps) await STEPS[step](world)
        own.saw.push(await read(statements))
        own.expected.push(rows)
        this.#rows = rows
        this.done.push(own)
      },
      { together: { lock: 'shared', kind: 'write', ahead: () => questions }, overlaps: true }
    )
  }
}

async function read(statements: StatementRunner): Promise<Rows> {
  const found = await Promise.all(
    TABLES.map(async (table) => {
      const rows = (await statements.rows(READS[table], {})) as { id: string; value: number }[]
      return [table, Object.fromEntries(rows.map(({ id, value }) => [id, value]))]
    })
  )
  return Object.fromEntries(found) as Rows
}

if (isPostgres(database)) {
  test.group('Reads that writes of one transaction share', (group) => {
    let shared: Shared
    group.each.setup(async () => {
      shared = new Shared()
      await shared.open()
      return () => shared.close()
    })

    test('are what each write would have read by itself, whatever earlier writes do', async ({
      assert,
    }) => {
      const step = fc.constantFrom(...(Object.keys(STEPS) as Step[]))
      const script = fc.record({
        steps: fc.array(step, { maxLength: 4 }),
        ahead: fc.subarray(Object.values(READS)),
      })
      await fc.assert(
        fc.asyncProperty(fc.array(script, { minLength: 2, maxLength: 8 }), async (scripts) => {
          await shared.open()
          shared.done.length = 0
          const writes = scripts.map(({ steps, ahead }, index) =>
            shared.write(`${index}`, steps, ahead)
          )
          const outcomes = await Promise.allSettled(writes)
          for (const { saw, expected } of shared.done) assert.deepEqual(saw, expected)
          const isRefused = outcomes.map(({ status }) => status === 'rejected')
          assert.deepEqual(
            isRefused,
            scripts.map(({ steps }) => steps.includes('refuse'))
          )
        }),
        { numRuns: runs(60) }
      )
    }).timeout(120_000)

    test('are left to the write itself if they cannot be predicted', async ({ assert }) => {
      const write = (name: string) =>
        transact(
          database,
          async (_client, _connection, statements) => {
            await statements.rows(LOCK, {})
            await statements.send(updates.shared_ones, { id: 'a' })
            await read(statements)
            return name
          },
          {
            together: {
              lock: 'shared',
              kind: 'quick',
              ahead: () => {
                throw new Error('cannot be said')
              },
            },
            overlaps: true,
          }
        )
      assert.deepEqual(await Promise.all(['a', 'b', 'c'].map(write)), ['a', 'b', 'c'])
      const [{ value }] = await db.from('shared_ones').where('id', 'a').select('value')
      assert.equal(value, 4)
    })

    const cases: [string, Change, { asked: number }][] = [
      ['are sent once, while the previous write is running', updates.shared_twos, { asked: 3 }],
      [
        'are repeated if the previous write has changed them since',
        updates.shared_ones,
        { asked: 5 },
      ],
    ]
    for (const [title, last, { asked: requested }] of cases) {
      test(title, async ({ assert }) => {
        const question = { statement: COUNTED, bindings: {} }
        /** Changes something, reads, and changes something else. */
        const work = async (statements: StatementRunner) => {
          await statements.rows(LOCK, {})
          await statements.rows(COUNTED, {})
          await statements.send(updates.shared_twos, { id: 'a' })
          await statements.rows(READS.shared_twos, {})
          await statements.send(last, { id: 'a' })
        }
        const write = (kind: string) =>
          transact(database, (_client, _connection, statements) => work(statements), {
            together: { lock: 'shared', kind, ahead: () => [question] },
            overlaps: true,
          })
        // Two transactions run at once: one write has its own, and the others share the second.
        await Promise.all([write('quick'), write('quick'), write('quick')])
        const { rows } = await db.rawQuery('select last_value from shared_asked')
        assert.isAtMost(Number(rows[0].last_value), requested)
        assert.isAtLeast(Number(rows[0].last_value), 3)
      })
    }
  })
}
