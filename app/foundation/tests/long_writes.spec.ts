import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from '@japa/runner'
import BetterSqlite3 from 'better-sqlite3'
import { makeItem, makeTrain } from '#releases/tests/helpers/release_world'
import { LargeCommit } from '../core/database/sqlite_large_commits.js'
import { yieldToOthers } from '../core/yielding.js'

const V = '1.0.0'

/** Blocks the thread for some milliseconds. */
function blockThread(milliseconds: number) {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

test.group('While a write is running', () => {
  test('readers are answered with the previous state', async ({ assert }) => {
    const train = await makeTrain([V])
    const { world, app, path } = train
    await makeItem(train, { kind: 'regression', stepType: 'regressionTesting' })
    // The first use of its key is stored, which does not wait for the write either.
    const reader = await world.keyed()
    const begun = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const write = world.write(async (scope) => {
      await scope.table('releases').where('app_id', app).update({ release_name: 'Winter' })
      begun.resolve()
      await released.promise
    })
    await begun.promise
    try {
      const details = `/v2/app/${app}/releases`
      const requested = [
        `/org/${world.organizationId}/apps`,
        `/app/${app}`,
        `/app/${app}/config`,
        `${path(V)}/steps`,
        `${path(V)}/checklistItems`,
        `${path(V)}/timelineEvents`,
        `${path(V)}/whyNotMoving`,
        details,
      ]
      for (const each of requested) assert.equal((await reader.get(each)).status, 200, each)
      const { body } = await reader.get(`${details}/${app}:${V}`)
      assert.isNull(body.releaseName)
    } finally {
      released.resolve()
      await write
    }
    const { body } = await reader.get(`/v2/app/${app}/releases/${app}:${V}`)
    assert.equal(body.releaseName, 'Winter')
  })
})

test.group('Work that yields', () => {
  test('lets others run once it has blocked the thread for long, and not before', async ({
    assert,
  }) => {
    const reported: string[] = []
    blockThread(20)
    await yieldToOthers()
    const other = new Promise<void>((resolve) =>
      setImmediate(() => {
        reported.push('other')
        resolve()
      })
    )
    await yieldToOthers()
    reported.push('short')
    blockThread(20)
    await yieldToOthers()
    reported.push('long')
    await other
    assert.deepEqual(reported, ['short', 'other', 'long'])
  })
})

test.group('A large commit on SQLite', () => {
  /**
   * Makes a database in which `begin` opens a transaction so large that its COMMIT would
   * checkpoint.
   */
  function makeLarge(cleanup: (work: () => void) => void) {
    const home = mkdtempSync(join(tmpdir(), 'tarmac-large-'))
    const connection = new BetterSqlite3(join(home, 'large.sqlite'))
    cleanup(() => {
      connection.close()
      rmSync(home, { recursive: true })
    })
    connection.pragma('journal_mode = WAL')
    connection.exec('create table texts (text)')
    const begin = () => {
      connection.exec('begin immediate')
      const insert = connection.prepare('insert into texts values (?)')
      for (let index = 0; index < 3000; index++) insert.run('x'.repeat(4000))
    }
    const setting = () => connection.pragma('wal_autocheckpoint', { simple: true }) as number
    /** Returns the pages of the log, and how many of them are checkpointed. */
    const log = () =>
      connection.pragma('wal_checkpoint(NOOP)') as { log: number; checkpointed: number }[]
    return { connection, begin, setting, log }
  }

  test('lets a thread checkpoint the log, and restores the automatic checkpoint', async ({
    assert,
    cleanup,
  }) => {
    const { connection, begin, setting, log } = makeLarge(cleanup)
    const commit = new LargeCommit(connection, 0)
    begin()
    await commit.prepare()
    assert.equal(setting(), 0)
    connection.exec('commit')
    assert.isBelow(log()[0].checkpointed, log()[0].log)
    await commit.finish()
    assert.equal(setting(), 1000)
    const [{ log: pages, checkpointed }] = log()
    assert.isAbove(pages, 3000)
    assert.equal(checkpointed, pages)
  })

  test('does nothing special if it is small', async ({ assert, cleanup }) => {
    const { connection, begin, setting } = makeLarge(cleanup)
    const before = setting()
    const commit = new LargeCommit(connection, 60_000)
    begin()
    await commit.prepare()
    assert.equal(setting(), before)
    connection.exec('commit')
    await commit.finish()
    assert.equal(setting(), before)
  })
})
