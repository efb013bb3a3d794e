import type { Assert } from '@japa/assert'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { forPostgres, inOrder } from '#foundation/core/database/dialects'
import type { Bindings } from '#foundation/core/database/statement'
import { transact } from '#foundation/core/database/transact'
import { ClaimDeliveries } from '#webhooks/delivery/claim_deliveries'
import { lookBehind } from '#webhooks/delivery/entity_order'
import { Relay } from '#webhooks/delivery/relay'
import { SettleAttempts } from '#webhooks/delivery/settle_attempts'
import { Statements } from '#webhooks/delivery/statements'
import { MINUTE } from '#foundation/core/durations'
import { Stage } from './support/stage.js'

const isPostgres = () => db.connection().dialect.name === 'postgres'

/** Returns the statements that workers run during some work. */
async function statementsOf(work: () => Promise<unknown>) {
  const { all } = Statements.prototype
  const seen: { sql: string; bindings: Bindings }[] = []
  Statements.prototype.all = function (sql, bindings) {
    seen.push({ sql, bindings })
    return all.call(this, sql, bindings) as never
  }
  try {
    await work()
  } finally {
    Statements.prototype.all = all
  }
  return seen
}

/** Adds copies of an endpoint's delivery behind it. @param entity SQL for the name of the entity */
async function fill(endpointId: string, count: number, entity: string) {
  const numbers = isPostgres()
    ? `select g as n from generate_series(1, ${count}) g`
    : `with recursive g(n) as (select 1 union all select n + 1 from g where n < ${count}) select n from g`
  const as = "'release:' || " + entity
  await db.rawQuery(
    `insert into webhook_deliveries (id, organization_id, endpoint_id, event_id, event_type,
       entity_key, sequence, place, status, failed_attempts, attempt_count, next_attempt_at, created_at)
     select d.id || '-' || g.n, d.organization_id, d.endpoint_id, d.event_id || '-' || g.n, d.event_type,
       ${as}, d.sequence + g.n, d.place + g.n, 'pending', 0, 0, d.created_at, d.created_at
     from webhook_deliveries d, (${numbers}) g where d.endpoint_id = ?`,
    [endpointId]
  )
}

/** Returns the number of rows that a SELECT touches on PostgreSQL. */
async function rowsTouched(sql: string, bindings: Bindings): Promise<number> {
  interface Node {
    'Actual Rows': number
    'Actual Loops': number
    'Rows Removed by Filter'?: number
    'Plans'?: Node[]
  }
  const touched = (node: Node): number =>
    (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'] +
    (node.Plans ?? []).reduce((sum, each) => sum + touched(each), 0)
  return transact(db as never, async (client, connection) => {
    // Uses a prepared plan, as a long-lived connection does.
    const statements = Statements.byIndex(client, connection)
    const { text, order } = forPostgres(sql)
    await client.rawQuery(`prepare kept as ${text}`)
    const literals = inOrder({ text, order }, bindings).map((each) => `'${each}'`)
    const [row] = await statements.all<{ 'QUERY PLAN': { Plan: Node }[] }>(
      `explain (analyze, format json) execute kept(${literals.join(', ')})`,
      {}
    )
    await client.rawQuery('deallocate kept')
    return touched(row['QUERY PLAN'][0].Plan)
  })
}

/** Returns the plan of a statement on SQLite. */
function planOf(sql: string, bindings: Bindings): Promise<string> {
  return transact(db as never, async (client, connection) => {
    const rows = await new Statements(client, connection).all<{ detail: string }>(
      `explain query plan ${sql}`,
      bindings
    )
    return rows.map(({ detail }) => detail).join('\n')
  })
}

test.group('Claiming from a backlog', () => {
  /** Makes an endpoint with one delivery under way and many behind it. */
  async function backlog(count: number, entity: string) {
    const stage = await Stage.set()
    const { row } = await stage.endpoint('https://hooks.example.com/')
    await stage.record({ entity: 'one' })
    await new Relay(db as never, stage.clock).run()
    const claims = new ClaimDeliveries(db as never, stage.clock)
    const [under] = await claims.handle({ first: 1, retry: 0 })
    await fill(row.id, count, entity)
    // Marks the waiting deliveries, as a claim would do once.
    await db
      .from('webhook_deliveries')
      .where('endpoint_id', row.id)
      .where('entity_key', 'release:one')
      .where('sequence', '>', 1)
      .update({ waits_until: '9999-12-31T23:59:59.999Z' })
    const wake = () =>
      db.from('webhook_endpoints').where('id', row.id).update({ wake_at: stage.clock.now() })
    await wake()
    return { stage, id: row.id, under, claims, wake }
  }

  for (const [name, entity] of [
    ['of one entity', "'one'"],
    ['of as many entities', 'cast(g.n as text)'],
  ] as const) {
    test(`10 or 30,000 deliveries ${name} take the same statements`, async ({ assert }) => {
      const counts: number[] = []
      for (const count of [10, 30_000]) {
        const { stage, under, claims, id, wake } = await backlog(count, entity)
        const settling = new SettleAttempts(db as never, stage.clock, () => 0)
        const seen = await statementsOf(async () => {
          await claims.handle({ first: 15, retry: 5 })
          await settling.handle({ claimed: under, outcome: { kind: 'abandoned' } })
          await wake()
          await claims.handle({ first: 15, retry: 5 })
        })
        counts.push(seen.length)
        if (count > 10) await assertSmall(assert, id, seen)
        await db.from('webhook_endpoints').where('id', id).delete()
      }
      assert.equal(counts[1], counts[0])
    }).timeout(60_000)
  }

  /** Asserts that every statement reads few rows, with statistics of an empty and of a full table. */
  async function assertSmall(
    assert: Assert,
    id: string,
    seen: { sql: string; bindings: Bindings }[]
  ) {
    for (const analyzed of [false, true]) {
      if (analyzed && isPostgres()) await db.rawQuery('analyze webhook_deliveries')
      for (const { sql, bindings } of seen) {
        if (isPostgres()) {
          if (!/^\s*select/.test(sql)) continue
          const touched = await rowsTouched(sql.replace('for update skip locked', ''), bindings)
          assert.isAtMost(touched, 150, `${sql}\n${JSON.stringify(bindings)} of ${id}`)
        } else {
          const plan = await planOf(sql, bindings)
          assert.notMatch(plan, /SCAN (d|earlier|webhook_deliveries)\b/)
          assert.notMatch(plan, /endpoint_id_(claimed|created)_at/)
        }
      }
    }
  }

  test('deliveries behind an ended one are found by the index of their order', async ({
    assert,
  }) => {
    const { stage, under } = await backlog(20_000, "'one'")
    if (isPostgres()) await db.rawQuery('analyze webhook_deliveries')
    const seen = await statementsOf(() =>
      transact(db as never, (client, connection) =>
        lookBehind(new Statements(client, connection), under.delivery, stage.clock.now())
      )
    )
    const [{ sql, bindings }] = seen
    const plan = isPostgres()
      ? await transact(db as never, async (client, connection) => {
          const statements = Statements.byIndex(client, connection)
          const rows = await statements.all<{ 'QUERY PLAN': string }>(`explain ${sql}`, bindings)
          return rows.map((row) => row['QUERY PLAN']).join('\n')
        })
      : await planOf(sql, bindings)
    const uses = plan.match(/webhook_deliveries_\w+/g) ?? []
    assert.deepEqual([...new Set(uses)], ['webhook_deliveries_order'])
  }).timeout(60_000)

  test('a delivery that has to wait is read once', async ({ assert }) => {
    const stage = await Stage.set()
    await stage.endpoint('https://hooks.example.com/')
    await stage.record(...Array.from({ length: 50 }, () => ({ entity: 'one' })))
    const relay = new Relay(db as never, stage.clock)
    while ((await relay.run()) > 0);
    // The state that an older version stores.
    await db.from('webhook_deliveries').update({ waits_until: null })
    const claims = () => new ClaimDeliveries(db as never, stage.clock)
    const first = await statementsOf(() => claims().handle({ first: 15, retry: 5 }))
    const again = await statementsOf(async () => {
      await db.from('webhook_endpoints').update({ wake_at: stage.clock.now() })
      await claims().handle({ first: 15, retry: 5 })
    })
    assert.isAbove(first.length, 49)
    assert.isAtMost(again.length, 6)
  })

  test('a mark that another version has not removed blocks no delivery', async ({ assert }) => {
    const stage = await Stage.set()
    const { row } = await stage.endpoint('https://hooks.example.com/')
    await stage.record({ entity: 'one' }, { entity: 'one' })
    const relay = new Relay(db as never, stage.clock)
    await relay.run()
    const [first] = await stage.deliveries(row.id)
    await db
      .from('webhook_deliveries')
      .where('id', first.id)
      .update({ status: 'succeeded', next_attempt_at: null })
    const claimed = await new ClaimDeliveries(db as never, stage.clock).handle({
      first: 15,
      retry: 5,
    })
    assert.deepEqual(
      claimed.map(({ delivery }) => delivery.sequence),
      [2]
    )
  })
})

test.group('Looking for work while all workers are busy', () => {
  async function many(endpoints: number) {
    const stage = await Stage.set()
    for (let count = 0; count < endpoints; count++) {
      await stage.endpoint(`https://hooks.example.com/${count}`)
    }
    await stage.record(...Array.from({ length: 8 }, (_, index) => ({ entity: `e${index}` })))
    stage.clock.advance(MINUTE)
    const relay = new Relay(db as never, stage.clock)
    while ((await relay.run()) > 0);
    return stage
  }

  test('a free worker causes the check of one endpoint, however many wait', async ({ assert }) => {
    const counts: number[] = []
    for (const endpoints of [16, 40]) {
      const stage = await many(endpoints)
      const claims = new ClaimDeliveries(db as never, stage.clock)
      assert.lengthOf(await claims.handle({ first: 15, retry: 5 }), 15)
      // An endpoint that lacks only a worker is checked once.
      assert.lengthOf(await claims.handle({ first: 0, retry: 5 }), 0)
      const none = await statementsOf(() => claims.handle({ first: 0, retry: 5 }))
      assert.lengthOf(none, 1)
      const one = await statementsOf(async () => {
        assert.lengthOf(await claims.handle({ first: 1, retry: 5 }), 1)
      })
      counts.push(one.length)
    }
    assert.equal(counts[1], counts[0])
    assert.isAtMost(counts[0], 12)
  })

  test('each endpoint gets a worker before any gets a second one', async ({ assert }) => {
    const stage = await many(12)
    const claims = new ClaimDeliveries(db as never, stage.clock)
    const served: string[] = []
    for (let worker = 0; worker < 24; worker++) {
      stage.clock.advance(1)
      const [one] = await claims.handle({ first: 1, retry: 0 })
      served.push(one.endpoint.id)
    }
    assert.lengthOf([...new Set(served.slice(0, 12))], 12)
    assert.lengthOf([...new Set(served.slice(12))], 12)
  })

  test('an organization with many workers goes after the others, and a full one waits', async ({
    assert,
  }) => {
    const stage = await many(3)
    const organization = stage.world.organizationId
    const other = await stage.beside()
    const { row } = await stage.endpoint('https://hooks.example.com/other', {}, other)
    await stage.recordIn(other, { entity: 'x' })
    const relay = new Relay(db as never, stage.clock)
    while ((await relay.run()) > 0);
    const holders = (full: string[], ahead: string[]) => ({ full, ahead })
    const claims = () => new ClaimDeliveries(db as never, stage.clock)
    const none = await claims().handle(
      { first: 1, retry: 0 },
      holders([organization, other.organizationId], [])
    )
    assert.isEmpty(none)
    const [first] = await claims().handle({ first: 1, retry: 0 }, holders([], [organization]))
    assert.equal(first.endpoint.id, row.id)
    const next = await claims().handle({ first: 2, retry: 0 }, holders([], [organization]))
    assert.lengthOf(next, 2)
    const more = await claims().handle({ first: 2, retry: 0 }, holders([organization], []))
    assert.isEmpty(more)
  })
})
