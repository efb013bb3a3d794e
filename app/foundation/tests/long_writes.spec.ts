import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from '@japa/runner'
import BetterSqlite3 from 'better-sqlite3'
import { makeItem, makeTrain } from '#releases/tests/helpers/release_world'
import { LargeCommit } from '../core/database/sqlite_large_commits.js'
import { yieldToOthers } from '../core/yielding.js'

const V = '1.0.0'

/** Keeps the thread for so many milliseconds, as work without end does. */
function work(milliseconds: number) {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

test.group('While a write is at work', () => {
  test('whoever reads is answered, of what was there before it', async ({ assert }) => {
    const train = await makeTrain([V])
    const { world, app, path } = train
    await makeItem(train, { kind: 'regression', stepType: 'regressionTesting' })
    // Its first use is stored, which nobody waits for either.
    const reader = await world.keyed()
    const isBegun = Promise.withResolvers<void>()
    const goesOn = Promise.withResolvers<void>()
    const write = world.write(async (scope) => {
      await scope.table('releases').where('app_id', app).update({ release_name: 'Winter' })
      isBegun.resolve()
      await goesOn.promise
    })
    await isBegun.promise
    try {
      const details = `/v2/app/${app}/releases`
      const asked = [
        `/org/${world.organizationId}/apps`,
        `/app/${app}`,
        `/app/${app}/config`,
        `${path(V)}/steps`,
        `${path(V)}/checklistItems`,
        `${path(V)}/timelineEvents`,
        `${path(V)}/whyNotMoving`,
        details,
      ]
      for (const each of asked) assert.equal((await reader.get(each)).status, 200, each)
      const { body } = await reader.get(`${details}/${app}:${V}`)
      assert.isNull(body.releaseName)
    } finally {
      goesOn.resolve()
      await write
    }
    const { body } = await reader.get(`/v2/app/${app}/releases/${app}:${V}`)
    assert.equal(body.releaseName, 'Winter')
  })
})

test.group('Work that gives way', () => {
  test('lets others go on once it has held the thread, and not before', async ({ assert }) => {
    const reported: string[] = []
    work(20)
    await yieldToOthers()
    const other = new Promise<void>((resolve) =>
      setImmediate(() => {
        reported.push('other')
        resolve()
      })
    )
    await yieldToOthers()
    reported.push('short')
    work(20)
    await yieldToOthers()
    reported.push('long')
    await other
    assert.deepEqual(reported, ['short', 'other', 'long'])
  })
})

test.group('A large commit on SQLite', () => {
  /** A file whose log holds more than a COMMIT would leave in it, in an open transaction. */
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
    /** Pages of the log, and how many of them the file has. */
    const log = () =>
      connection.pragma('wal_checkpoint(NOOP)') as { log: number; checkpointed: number }[]
    return { connection, begin, setting, log }
  }

  test('leaves the log to a thread, and the next one takes care of itself again', async ({
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

  test('that is small is left as it is', async ({ assert, cleanup }) => {
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
