import { setTimeout as sleep } from 'node:timers/promises'
import { test } from '@japa/runner'
import type { TestContext } from '@japa/runner/core'
import BetterSqlite3 from 'better-sqlite3'
import db from '@adonisjs/lucid/services/db'
import pg from 'pg'
import type { Database } from '@adonisjs/lucid/database'
import { isDatabaseAway } from '../core/database/away.js'
import { HeldConnections } from '../core/database/held_connections.js'
import { SqliteTransactions } from '../core/database/sqlite_transactions.js'
import { PostgresTransactions } from '../core/database/postgres_transactions.js'
import { Api } from '#tests/support/api'
import { makeApp } from '#tests/support/app_fixture'
import { startService } from '#tests/support/processes'
import { openConnection } from '#tests/support/raw'
import { makeWorld } from '#tests/support/world'
import { dialect, sqliteFile } from '#config/database'

const database = db as unknown as Database

const codeOf = (error: unknown) => (error as { code?: unknown } | null)?.code

/** More writes than can share a transaction, and more than the pool has connections. */
const WRITES = 60

/** Locks an app (on SQLite the whole database) until it is released. */
async function lockApp(appId: string) {
  if (dialect === 'sqlite') {
    const file = new BetterSqlite3(sqliteFile, { timeout: 5000 })
    file.exec('begin immediate')
    return { release: async () => void file.close() }
  }
  const client = new pg.Client({ connectionString: process.env.DATABASE_URL })
  await client.connect()
  await client.query('begin')
  await client.query('select id from apps where id = $1 for update', [appId])
  return { release: () => client.end() }
}

/** Waits until no other transaction waits for the app. */
async function waitForQueue(appId: string) {
  const { release } = await lockApp(appId)
  await release()
}

/** Starts a service, and clients whose writes to an app wait for a lock there. */
async function serviceWithWaitingWrites(context: TestContext, grace: string, writes: number) {
  const world = await makeWorld()
  const appId = await makeApp(world)
  const service = await startService({ SHUTDOWN_GRACE: grace })
  const api = new Api(world.adminKey, service.base)
  // Without keep-alive: the service might close the idle connection just as it is used again.
  const headers = { connection: 'close' }
  const path = `/app/${appId}/release`
  const first = await api.post(path, { version: '1.0.0' }, { headers })
  // A service that is still starting would have to wait for the lock, too.
  await service.waitForOutput(/Tarmac is ready at/)
  await sleep(1000)
  const { release } = await lockApp(appId)
  context.cleanup(release)
  const clients = await Promise.all(
    Array.from({ length: writes }, async (_, patch) => {
      const client = await openConnection(service.base)
      const body = JSON.stringify({ version: `2.0.${patch}` })
      const head = [
        `POST ${path} HTTP/1.1`,
        'Host: a',
        `X-API-Key: ${world.adminKey}`,
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
      ]
      client.socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
      return client
    })
  )
  // All writes have arrived once a later request is answered.
  const request = () => api.get(`/org/${world.organizationId}`, { headers })
  await request()
  await sleep(500)
  const stored = async () => {
    const rows = await db.from('releases').where('app_id', appId).select('version')
    return rows.map(({ version }) => String(version)).sort()
  }
  /** Asks the service to stop, and waits until it refuses requests. */
  const stop = async () => {
    const finished = service.stop()
    // The service may close the connection of a request that it has not read yet: the loop then
    // sends another. A refused connection means that the service has already ended.
    const isStopping = () =>
      request().then(
        ({ status }) => status === 503,
        (error: Error) => codeOf(error) === 'ECONNREFUSED' || codeOf(error.cause) === 'ECONNREFUSED'
      )
    while (!(await isStopping())) await sleep(10)
    return { finished }
  }
  return { appId, first, clients, release, stored, stop }
}

test.group('Writes that wait when a service is stopped', () => {
  test('are refused and not stored after the grace period, and the service exits with 0', async (context) => {
    const { assert } = context
    const waiting = await serviceWithWaitingWrites(context, '1', WRITES)
    const { appId, first, clients, release, stored, stop } = waiting
    assert.equal(first.status, 201)
    const [patient, ...others] = clients
    for (const { socket } of others) socket.destroy()
    const { code, stderr } = await (await stop()).finished
    await patient.closed
    await release()
    assert.deepEqual([code, stderr], [0, ''])
    assert.match(patient.received(), /^HTTP\/1\.1 503 [^]*"code":"not_ready"/)
    assert.match(patient.received(), /The service is shutting down/)
    await waitForQueue(appId)
    assert.deepEqual(await stored(), ['1.0.0'])
  }).timeout(60_000)

  test('are stored within the grace period, even if their clients have disconnected', async (context) => {
    const { assert } = context
    const { clients, release, stored, stop } = await serviceWithWaitingWrites(context, '60', 12)
    for (const { socket } of clients) socket.destroy()
    const { finished } = await stop()
    await release()
    assert.equal((await finished).code, 0)
    const versions = Array.from({ length: 12 }, (_, patch) => `2.0.${patch}`)
    assert.deepEqual(await stored(), ['1.0.0', ...versions].sort())
  }).timeout(60_000)
})

test.group('Transactions after the service has ended', () => {
  test('are refused for requests, but still run for other work', async ({ assert }) => {
    const transactions =
      dialect === 'sqlite' ? new SqliteTransactions(database) : new PostgresTransactions(database)
    const together = { lock: 'some', kind: 'some' }
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    const groups = dialect === 'sqlite' ? 1 : 2
    const busy = Array.from({ length: groups }, () =>
      transactions.run(
        async (client) => {
          await held
          await client.rawQuery('select 1')
          return 'done'
        },
        { together }
      )
    )
    const outcomes = Promise.allSettled(busy)
    await sleep(50)
    const waiting = Array.from({ length: 3 }, () =>
      transactions.run(async () => assert.fail('a refused transaction ran'), { together })
    )
    const otherWork = transactions.run(async () => 'written down', {})
    transactions.end()
    const later = transactions.run(async () => assert.fail('a refused transaction ran'), {
      together,
    })
    const refused = await Promise.allSettled([...waiting, later])
    assert.deepEqual(
      refused.map((each) => each.status === 'rejected' && codeOf(each.reason)),
      refused.map(() => 'not_ready')
    )
    release()
    assert.equal(await otherWork, 'written down')
    // SQLite finishes a begun transaction. PostgreSQL aborts it, because it may wait for a lock.
    const expected = dialect === 'sqlite' ? 'fulfilled' : 'rejected'
    for (const { status } of await outcomes) assert.equal(status, expected)
  })

  test('wait only briefly for a lock, if they do not belong to a request', async ({
    assert,
    cleanup,
  }) => {
    const world = await makeWorld()
    const appId = await makeApp(world)
    const { release } = await lockApp(appId)
    cleanup(release)
    const transactions =
      dialect === 'sqlite' ? new SqliteTransactions(database) : new PostgresTransactions(database)
    const began = performance.now()
    const waiting = transactions.run(
      (client) => client.from('apps').where('id', appId).update({ name: 'Changed' }),
      {}
    )
    const error = waiting.then(
      () => assert.fail('it was stored'),
      (refusal: unknown) => refusal
    )
    await sleep(50)
    transactions.end()
    assert.isTrue(isDatabaseAway(await error), String(await error))
    // Normally a write waits for up to ten seconds.
    assert.isBelow(performance.now() - began, 8000)
  })

  test('do not keep a connection that the pool gives them afterwards', async ({ assert }) => {
    if (dialect === 'sqlite') return
    const connections = new HeldConnections(database)
    const acquired = connections.acquireConnection()
    connections.giveUp()
    const error = await acquired.then(
      () => assert.fail('the connection was kept'),
      (refusal: unknown) => refusal
    )
    assert.equal(codeOf(error), 'not_ready')
  })
})
