import net, { type AddressInfo, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import pg from 'pg'
import type { Database } from '@adonisjs/lucid/database'
import { isDatabaseAway } from '../core/database/away.js'
import { transact } from '../core/database/transact.js'
import { Problem } from '../core/problems/problem.js'
import { withPatience } from '#database/postgres_tuning'
import { Api } from '#tests/support/api'
import { startService } from '#tests/support/processes'
import { makeWorld } from '#tests/support/world'

const database = db as unknown as Database

/** Returns the bytes with which PostgreSQL refuses a connection. */
function refusal(code: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0Mnot now\0\0`)
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}

type Mode = 'works' | 'frozen' | 'gone' | { refuses: string }

/** A proxy in front of PostgreSQL that simulates outages. */
class Front {
  #mode: Mode = 'works'
  readonly #sockets = new Set<Socket>()
  readonly #server = net.createServer((client) => this.#accept(client))

  async start(): Promise<string> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done))
    const url = new URL(process.env.DATABASE_URL!)
    url.host = `127.0.0.1:${(this.#server.address() as AddressInfo).port}`
    return url.href
  }

  /** Changes the mode; cuts all connections unless it is `frozen`. */
  become(mode: Mode): void {
    this.#mode = mode
    if (mode !== 'frozen') for (const socket of this.#sockets) socket.destroy()
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise((done) => this.#server.close(done))
  }

  #accept(client: Socket): void {
    this.#keep(client)
    if (this.#mode === 'gone') return void client.destroy()
    if (typeof this.#mode === 'object') {
      const { refuses } = this.#mode
      return void client.once('data', () => client.end(refusal(refuses)))
    }
    const { hostname, port } = new URL(process.env.DATABASE_URL!)
    const server = net.connect(Number(port || 5432), hostname)
    this.#keep(server)
    this.#join(client, server)
    this.#join(server, client)
  }

  #join(from: Socket, to: Socket): void {
    from.on('data', (bytes) => void (this.#mode === 'frozen' || to.write(bytes)))
    from.on('close', () => to.destroy())
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => this.#sockets.delete(socket))
  }
}

if (process.env.DATABASE_URL) {
  test.group('A PostgreSQL that is away', () => {
    test('causes 503 with Retry-After in bounded time, and requests work afterwards', async ({
      assert,
      cleanup,
    }) => {
      const world = await makeWorld()
      const front = new Front()
      const url = new URL(await front.start())
      url.searchParams.set('query_timeout', '1000')
      const service = await startService({ DATABASE_URL: url.href })
      cleanup(async () => {
        front.become('works')
        await service.stop()
        await front.stop()
      })
      const api = new Api(world.adminKey, service.base)
      const path = `/org/${world.organizationId}`
      let count = 0
      const results = () =>
        Promise.all([
          api.get(path),
          api.get(`${path}/group`),
          api.post(`${path}/group`, { name: `Crew ${(count += 1)}`, userActions: [] }),
          api.get('/health/ready'),
        ])
      const modes: Mode[] = ['gone', 'frozen', { refuses: '57P03' }, { refuses: '53300' }]
      for (const mode of modes) {
        for (const { status, text } of await results()) assert.isBelow(status, 300, text)
        front.become(mode)
        // Twice: with connections from before, and without.
        for (let round = 0; round < 2; round++) {
          for (const { status, headers, body } of await results()) {
            assert.equal(status, 503, JSON.stringify(mode))
            assert.equal(headers['retry-after'], '5')
            assert.include(['not_ready', 'not_stored', 'outcome_unknown'], body.code)
          }
        }
        front.become('works')
      }
      for (const { status, text } of await results()) assert.isBelow(status, 300, text)
    }).timeout(60_000)

    test('ends a transaction of a hanging process, and so releases its locks', async ({
      assert,
    }) => {
      const [{ idle_in_transaction_session_timeout: most }] = (
        await db.rawQuery('show idle_in_transaction_session_timeout')
      ).rows
      assert.equal(most, '15s')

      const world = await makeWorld()
      const rename = (name: string) =>
        db.from('groups').where('organization_id', world.organizationId).where('name', name)
      for (const asksAgain of [true, false]) {
        const hung = transact(database, async (client) => {
          await client.rawQuery('set local idle_in_transaction_session_timeout = 100')
          await client
            .from('groups')
            .where('organization_id', world.organizationId)
            .where('name', 'QA')
            .update({ name: 'Hung' })
          await sleep(600)
          if (asksAgain) await client.rawQuery('select 1')
        }).then(
          () => assert.fail('it was answered as done'),
          (error: unknown) => error
        )
        await sleep(300)
        // Another transaction gets the row while the first one still hangs.
        await rename('QA').update({ name: 'QA' })
        const error = await hung
        assert.isTrue(error instanceof Problem ? error.status === 503 : isDatabaseAway(error))
        assert.isNull(await rename('Hung').first())
      }
    }).timeout(20_000)

    test('is not assumed if a migration takes longer than any statement of a request', async ({
      assert,
    }) => {
      const url = new URL(process.env.DATABASE_URL!)
      url.searchParams.set('query_timeout', '100')
      const { tunePostgres } = await import('#database/postgres_tuning')
      const client = new pg.Client({ connectionString: url.href, pipeline: true } as object)
      client.on('error', () => {})
      await client.connect()
      tunePostgres(client, () => {})
      await withPatience(() => client.query('select pg_sleep(0.3)'))
      const tooLong = await client.query('select pg_sleep(0.3)').catch((error: unknown) => error)
      await client.end().catch(() => {})
      assert.isTrue(isDatabaseAway(tooLong), String(tooLong))
    })
  })
}

test.group('An error of an unavailable database', () => {
  const error = (message: string, code?: string, syscall?: string) =>
    Object.assign(new Error(message), { code, syscall })

  test('is distinguished from a faulty statement', ({ assert }) => {
    const away = [
      ...['ECONNREFUSED', 'EAI_AGAIN', 'EHOSTUNREACH', 'SQLITE_BUSY', 'SQLITE_BUSY_SNAPSHOT'],
      ...['08006', '25006', '25P03', '53100', '53300', '55P03', '57P01', '57P03', '58030'],
    ].map((code) => error('away', code))
    away.push(
      error('no socket', 'ENOENT', 'connect'),
      error('Connection terminated unexpectedly'),
      error('Query read timeout'),
      error('select 1 - Connection terminated unexpectedly'),
      error('timeout expired'),
      Object.assign(error('waited'), { name: 'KnexTimeoutError' })
    )
    assert.deepEqual(
      away.filter((each) => !isDatabaseAway(each)),
      []
    )
    const wrong = ['23505', '42P01', '22001', '40001', 'SQLITE_CONSTRAINT', 'ENOENT', 'ERR_X']
    const others = [...wrong.map((code) => error('wrong', code, 'open')), error('else'), 'text']
    assert.deepEqual(others.filter(isDatabaseAway), [])
  })
})
