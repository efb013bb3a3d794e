import { setTimeout as sleep } from 'node:timers/promises'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import fc from 'fast-check'
import pg from 'pg'
import type { Database } from '@adonisjs/lucid/database'
import type { StatementRunner } from '../core/database/runner.js'
import { isPostgres, poolOf } from '../core/database/connections.js'
import { GroupCommit } from '../core/database/group_commit.js'
import { as, change, select } from '../core/database/statement.js'
import { text } from '../core/database/table.js'
import { transact } from '../core/database/transact.js'
import { runs } from '#tests/support/effort'

/*
 * Writes to one thing share a transaction of PostgreSQL. Whatever the outcome of the others, each
 * is answered as if it had been alone: either done and stored once, or refused and not stored.
 */

const database = db as unknown as Database

const INSERT = change('insert into shared_writes (name, seen) values (:name, :seen)')
/** The lock of writes to one thing. */
const LOCK = select(
  { name: as(text(), 'w.name') },
  `from shared_writes w where w.name = 'taken' for update`
)
const NAMES = select({ name: as(text(), 'w.name') }, 'from shared_writes w')
const CLOSE_OWN = select(
  { closed: as(text(), 'cast(pg_terminate_backend(pg_backend_pid()) as text)') },
  'from (select 1) one'
)

/** The kinds of writes, with the error of each; null for success. */
const KINDS = {
  done: null,
  /** It refuses after it has written. */
  refused: 'refused by its rule',
  /** A statement fails that it awaits. */
  broken: '23505',
  /** A statement fails that it does not await. */
  sentBroken: '23505',
  /** The COMMIT fails because of its row. */
  deferred: '23514',
} as const
type Kind = keyof typeof KINDS

class World {
  readonly hooks = new Map<string, string[]>()
  transactions = new Set<string>()

  async open() {
    await this.close()
    await db.rawQuery('create table shared_writes (name text primary key, seen integer)')
    await db.rawQuery(`create or replace function refuse_shared() returns trigger as $$
      begin raise exception 'refused at the end' using errcode = '23514'; end $$ language plpgsql`)
    await db.rawQuery(
      `create constraint trigger refuse_shared after insert on shared_writes
       deferrable initially deferred
       for each row when (new.name like 'deferred%') execute function refuse_shared()`
    )
    await db.rawQuery(`insert into shared_writes (name) values ('taken')`)
  }

  async close() {
    await db.rawQuery('drop table if exists shared_writes')
  }

  write(
    name: string,
    kind: Kind | 'cut',
    { meanwhile = async (_statements: StatementRunner) => {} } = {}
  ): Promise<string> {
    return transact(
      database,
      async (client, _connection, statements) => {
        client.after('commit', () => this.#hook(name, 'commit'))
        client.after('rollback', () => this.#hook(name, 'rollback'))
        await statements.rows(LOCK, {})
        const seen = (await statements.rows(NAMES, {})).length
        await statements.change(INSERT, { name, seen })
        const { rows } = await client.rawQuery('select pg_current_xact_id()::text as id')
        this.transactions.add(rows[0].id)
        await meanwhile(statements)
        await this.#fail(kind, statements)
        return name
      },
      { together: { lock: 'shared', kind: 'write' }, overlaps: true }
    )
  }

  async #fail(kind: Kind | 'cut', statements: StatementRunner) {
    const taken = { name: 'taken', seen: 0 }
    if (kind === 'refused') throw new Error(KINDS.refused)
    if (kind === 'broken') await statements.change(INSERT, taken)
    if (kind === 'sentBroken') await statements.send(INSERT, taken)
    if (kind === 'cut') await statements.rows(CLOSE_OWN, {})
  }

  #hook(name: string, what: string) {
    this.hooks.set(name, [...(this.hooks.get(name) ?? []), what])
  }

  async stored(): Promise<string[]> {
    const rows = await db.from('shared_writes').whereNot('name', 'taken').orderBy('seen')
    return rows.map(({ name }) => name as string)
  }
}

const codeOf = (error: unknown) => {
  const { code, message } = error as { code?: string; message: string }
  return code ?? message
}

if (isPostgres(database)) {
  test.group('Writes that share a transaction', (group) => {
    let world: World
    group.each.setup(async () => {
      world = new World()
      await world.open()
      return () => world.close()
    })

    test('are stored in order, and each sees the earlier ones', async ({ assert }) => {
      const names = Array.from({ length: 40 }, (_, index) => `done ${index}`)
      assert.deepEqual(await Promise.all(names.map((name) => world.write(name, 'done'))), names)
      const rows = await db.from('shared_writes').whereNot('name', 'taken').orderBy('seen')
      assert.sameMembers(
        rows.map(({ name }) => name),
        names
      )
      assert.deepEqual(
        rows.map(({ seen }) => seen),
        names.map((_, index) => index + 1)
      )
      // The number of writes that share one depends on their speed.
      assert.isBelow(world.transactions.size, names.length)
    })

    test('are each done or refused as if alone, whatever the outcome of the others', async ({
      assert,
    }) => {
      const kinds = fc.constantFrom<Kind>('done', 'done', ...(Object.keys(KINDS) as Kind[]))
      let round = 0
      await fc.assert(
        fc.asyncProperty(fc.array(kinds, { minLength: 1, maxLength: 12 }), async (chosen) => {
          round += 1
          const writes = chosen.map((kind, index) => ({ kind, name: `${kind} ${round} ${index}` }))
          const outcomes = await Promise.allSettled(
            writes.map(({ name, kind }) => world.write(name, kind))
          )
          const reported = outcomes.map((one) =>
            one.status === 'fulfilled' ? null : codeOf(one.reason)
          )
          assert.deepEqual(
            reported,
            chosen.map((kind) => KINDS[kind])
          )
          const stored = (await world.stored()).filter((name) => name.includes(` ${round} `))
          const done = writes.filter(({ kind }) => kind === 'done').map(({ name }) => name)
          assert.sameMembers(stored, done)
          for (const { name, kind } of writes) {
            const hooks = world.hooks.get(name)!
            const ends = hooks.filter((hook) => hook === 'commit')
            assert.lengthOf(ends, kind === 'done' ? 1 : 0, name)
            assert.equal(hooks.at(-1), kind === 'done' ? 'commit' : 'rollback', name)
          }
        }),
        { numRuns: runs(40) }
      )
    }).timeout(120_000)

    test('are refused if their connection is lost, and later ones go on', async ({ assert }) => {
      const before = ['done 1', 'done 2', 'done 3'].map((name) => world.write(name, 'done'))
      const cut = world.write('cut', 'cut')
      const after = ['done 4', 'done 5'].map((name) => world.write(name, 'done'))
      const outcomes = await Promise.allSettled([...before, cut, ...after])
      const done = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
      assert.equal(outcomes[3].status, 'rejected')
      assert.sameMembers(await world.stored(), done)
      assert.equal(await world.write('done 6', 'done'), 'done 6')
    })

    test('do not wait for a lock whose holder waits for them', async ({ assert }) => {
      const outside = new pg.Client({ connectionString: process.env.DATABASE_URL })
      await outside.connect()
      await db.rawQuery(`insert into shared_writes (name) values ('counter'), ('other')`)
      const update = (name: string) => `update shared_writes set seen = 1 where name = '${name}'`
      let isOther = false
      const behind = () =>
        world.write('done 3', 'done', {
          meanwhile: async (statements) => {
            await statements.change(change(update('other')), {})
            assert.isTrue(isOther)
          },
        })
      const others: Promise<string>[] = []
      const first = world.write('done 1', 'done', {
        meanwhile: async (statements) => {
          await statements.change(change(update('counter')), {})
          await outside.query('begin')
          await outside.query(update('other'))
          // One write begins the second transaction for this lock, and one shares the first.
          others.push(world.write('done 2', 'done'), behind())
          // It waits for a row that this transaction holds until its COMMIT.
          void outside.query(update('counter')).then(
            () => {
              isOther = true
              return outside.query('commit')
            },
            () => outside.query('rollback')
          )
        },
      })
      await first
      const outcomes = await Promise.allSettled([first, ...others])
      await outside.end()
      assert.deepEqual(
        outcomes.map((one) => (one.status === 'fulfilled' ? one.value : codeOf(one.reason))),
        ['done 1', 'done 2', 'done 3']
      )
    })

    test('are refused if those before them take too long', async ({ assert }) => {
      const alone = async () => assert.fail('nothing was spoilt')
      const line = new GroupCommit(database, poolOf(database), new Map(), alone, () => {}, 200)
      const slow = Array.from({ length: 2 }, () =>
        line.run({ kind: 'slow' }, () => sleep(500, 'done'))
      )
      const late = Array.from({ length: 3 }, () => line.run({ kind: 'late' }, async () => 'done'))
      const outcomes = await Promise.allSettled([...slow, ...late])
      assert.deepEqual(
        outcomes.map((one) => (one.status === 'fulfilled' ? one.value : codeOf(one.reason))),
        ['done', 'done', 'not_ready', 'not_ready', 'not_ready']
      )
    })

    test('do not wait for slow writes behind them if they are quick', async ({ assert }) => {
      const line = new GroupCommit(
        database,
        poolOf(database),
        new Map(),
        async () => assert.fail(),
        () => {}
      )
      const ended: string[] = []
      const run = (kind: string, name: string) =>
        line.run({ kind }, () => sleep(kind === 'slow' ? 60 : 1)).then(() => void ended.push(name))
      /** Both transactions are busy, so that the writes after them wait in line. */
      const together = async (round: number) => {
        const busy = [run('quick', 'busy'), run('quick', 'busy')]
        const names = ['quick', 'quick', 'slow', 'quick']
        await Promise.all([...busy, ...names.map((kind) => run(kind, `${kind} ${round}`))])
      }
      await together(1)
      ended.length = 0
      await together(2)
      const slow = ended.indexOf('slow 2')
      assert.isAtLeast(ended.slice(0, slow).filter((name) => name === 'quick 2').length, 2)
    })
  })
}
