import { spawn } from 'node:child_process'
import { once } from 'node:events'
import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { dialect, sqliteFile } from '#config/database'
import { BUSY_MS } from '#database/sqlite_tuning'
import { withPatience } from '#start/migrate'
import { makeWorld } from '#tests/support/world'

/** Longer than a statement of the service waits. */
const HELD_MS = 1000

/** Holds the write lock for a while. */
const HOLDER = `
  const database = require('better-sqlite3')(process.argv[1])
  database.exec('begin immediate')
  console.log('held')
  setTimeout(() => database.exec('rollback'), ${HELD_MS})`

/** Starts a process that holds SQLite's write lock, and releases it soon. */
async function holdLock() {
  const child = spawn(process.execPath, ['-e', HOLDER, sqliteFile], { cwd: app.makePath() })
  const released = once(child, 'close')
  await once(child.stdout, 'data')
  return { released }
}

/** Writes without a change, which needs the lock all the same. */
async function touch(): Promise<void> {
  await db.from('organizations').where('id', 'none').update({ name: 'none' })
}

// PostgreSQL locks rows.
if (dialect === 'sqlite') {
  test.group('Locks of SQLite', () => {
    test('a transaction of the query builder has the lock from its beginning', async ({
      assert,
    }) => {
      const { default: Sqlite } = await import('better-sqlite3')
      const other = new Sqlite(sqliteFile, { timeout: 0 })
      const trx = await db.transaction()
      try {
        assert.throws(() => other.exec('begin immediate'), 'database is locked')
      } finally {
        await trx.rollback()
        other.close()
      }
    })

    test('a migration waits for another process, a request does not', async ({ assert }) => {
      const first = await holdLock()
      await assert.rejects(touch, /database is locked/)
      await first.released

      const second = await holdLock()
      await withPatience(app, touch)
      await second.released
      const [{ timeout }] = await db.rawQuery('pragma busy_timeout')
      assert.equal(timeout, BUSY_MS)
    })

    test('a write waits for another process, and others are served meanwhile', async ({
      assert,
    }) => {
      const held = await holdLock()
      let ticks = 0
      const ticking = setInterval(() => (ticks += 1), 10)
      const world = makeWorld()
      await held.released
      clearInterval(ticking)
      // A wait inside the driver would block the event loop, and leave a handful of ticks.
      assert.isAbove(ticks, 30)
      assert.equal((await (await world).admin.get('/health/ready')).status, 200)
    })
  })
}
