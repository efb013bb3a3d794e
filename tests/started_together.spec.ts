import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { isPostgres } from '#foundation/core/database/connections'
import { randomText } from '#foundation/core/ids'
import { withStartupLock } from '#start/startup_lock'
import { runAceWith, startService, startWorker } from './support/processes.js'
import { isLong } from './support/effort.js'

/*
 * Servers, workers and console commands that start together on a database with pending migrations:
 * one of them migrates, and the others wait for it.
 */

type Settings = Record<string, string | undefined>

/** Makes a database, or on SQLite a home, without any migration. */
async function emptyPlace(cleanup: (end: () => Promise<void>) => void): Promise<Settings> {
  if (!isPostgres(db as never)) {
    const home = mkdtempSync(join(tmpdir(), 'tarmac-together-'))
    cleanup(async () => rmSync(home, { recursive: true, force: true }))
    return { TARMAC_HOME: home, DATABASE_URL: undefined, APP_KEY: undefined }
  }
  const name = `together_${randomText(8).toLowerCase()}`
  await db.rawQuery(`create database ${name}`)
  cleanup(() => db.rawQuery(`drop database ${name} with (force)`))
  const url = new URL(process.env.DATABASE_URL!)
  url.pathname = `/${name}`
  return { DATABASE_URL: url.href }
}

/** Delays after the first start, in milliseconds. */
const ORDERS = [
  { name: 'at once', worker: 0, server: 0, command: 0 },
  { name: 'the worker first', worker: 0, server: 1000, command: 500 },
  { name: 'the worker a little ahead', worker: 0, server: 300, command: 150 },
  { name: 'the server first', worker: 1000, server: 0, command: 500 },
  { name: 'the server a little ahead', worker: 300, server: 0, command: 150 },
  { name: 'a command first', worker: 500, server: 1000, command: 0 },
].slice(0, isLong ? 6 : 1)

test.group('Processes that start together', () => {
  test('all come up on a database with pending migrations ({name})')
    .with(ORDERS)
    .run(async ({ assert, cleanup }, order) => {
      const settings = await emptyPlace(cleanup)
      const after = async <Started>(wait: number, start: () => Promise<Started>) => {
        await pause(wait)
        return start()
      }
      const started = [
        after(order.server, () => startService({ ...settings, WORK_IN_SERVER: 'false' })),
        after(order.worker, () => startWorker(settings)),
      ] as const
      // Processes that started must not keep running if others fail.
      cleanup(async () => {
        for (const each of await Promise.allSettled(started)) {
          if (each.status === 'fulfilled') await each.value.kill()
        }
      })
      const create = ['org:create', 'Together', '--json']
      const created = after(order.command, () => runAceWith(settings, create))
      const [server, worker, command] = await Promise.all([...started, created])
      assert.equal(command.code, 0, command.stderr)
      assert.equal((await worker.stop()).code, 0)
      assert.equal((await server.stop()).code, 0)
    })
    .timeout(120_000)
})

test.group('A database of another version', () => {
  test('is refused with the name of its unknown migration, and left unchanged', async ({
    assert,
    cleanup,
  }) => {
    const migrations = db.from('adonis_schema')
    await db.table('adonis_schema').insert({ name: 'database/migrations/0104_of_old', batch: 1 })
    cleanup(async () => {
      await db.from('adonis_schema').where('name', 'like', '%0104_of_old').delete()
    })
    const before = await migrations.clone().orderBy('id')
    const { code, stderr } = await runAceWith({}, ['org:create', 'Acme', '--json'])
    assert.equal(code, 1)
    assert.match(stderr, /made by another version of Tarmac, whose migration .*0104_of_old/)
    assert.deepEqual(await migrations.clone().orderBy('id'), before)
  })
})

test.group('The startup lock', () => {
  test('is waited for, which a single message says', async ({ assert }) => {
    const messages: string[] = []
    const done: string[] = []
    const free = Promise.withResolvers<void>()
    const first = withStartupLock(app, async () => {
      done.push('first')
      await free.promise
    })
    while (done.length === 0) await pause(5)
    const second = withStartupLock(app, async () => void done.push('second'), {
      say: (line: string) => messages.push(line),
    })
    while (messages.length === 0) await pause(5)
    await pause(500)
    assert.deepEqual(done, ['first'])
    free.resolve()
    await Promise.all([first, second])
    assert.deepEqual(done, ['first', 'second'])
    assert.lengthOf(messages, 1)
    assert.match(
      messages[0],
      /^Another process.* prepares the database; waiting until it is done\.$/
    )
    if (isPostgres(db as never)) assert.match(messages[0], /session \d+ of PostgreSQL/)
  })

  test('is waited for only for a limited time', async ({ assert }) => {
    const free = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    const first = withStartupLock(app, async () => {
      held.resolve()
      await free.promise
    })
    await held.promise
    const say = () => undefined
    await assert.rejects(
      () => withStartupLock(app, async () => assert.fail('two have it'), { patienceMs: 300, say }),
      /^Another process.* has been preparing the database for 0 minutes or longer\.$/
    )
    free.resolve()
    await first
  })
})

// The database makes no difference: once is enough.
if (!isPostgres(db as never)) {
  test.group('A worker that cannot start', () => {
    test('says why and exits with 1', async ({ assert }) => {
      const unreachable = 'postgres://postgres@127.0.0.1:1/nowhere'
      const { code, stderr } = await runAceWith({ DATABASE_URL: unreachable }, ['work'])
      assert.match(stderr, /The database does not respond \(ECONNREFUSED\)/)
      assert.equal(code, 1)
    }).timeout(60_000)
  })
}
