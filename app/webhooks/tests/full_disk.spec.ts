import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from '@japa/runner'
import BetterSqlite3 from 'better-sqlite3'
import { Api } from '#tests/support/api'
import { startService } from '#tests/support/processes'
import { Receiver } from './support/receiver.js'

const COUNT = 12

/** A maximum file size with which SQLite opens but stores next to nothing. */
const FULL_KIB = 64

/** Turns all deliveries into events that are due for another attempt. */
function makeDue(file: string): void {
  const database = new BetterSqlite3(file)
  database.exec(`update webhook_deliveries set status = 'pending', sequence = rowid,
    entity_key = id, failed_attempts = 1, next_attempt_at = created_at, finished_at = null`)
  database.exec('update webhook_endpoints set wake_at = created_at')
  database.close()
}

if (!process.env.DATABASE_URL) {
  test.group('Workers on a full disk', () => {
    test('send no delivery twice, log the failure once, and do not disturb reads', async ({
      assert,
      cleanup,
    }) => {
      const home = mkdtempSync(join(tmpdir(), 'tarmac-full-'))
      const receiver = await new Receiver().start()
      cleanup(async () => {
        await receiver.stop()
        rmSync(home, { recursive: true, force: true })
      })
      receiver.answer(500)
      const settings = {
        TARMAC_HOME: home,
        DATABASE_URL: undefined,
        APP_KEY: undefined,
        LOG_LEVEL: 'error',
      }
      const first = await startService(settings)
      while (!first.output().includes('API key')) await sleep(20)
      const key = /API key\s+(\S+)/.exec(first.output())![1]
      const organization = `/org/${/organization\s+(org_\S+)/.exec(first.output())![1]}`
      const api = new Api(key, first.base)
      const endpoint = await api.post(`${organization}/webhookEndpoint`, { url: receiver.url })
      const ping = `${organization}/webhookEndpoint/${endpoint.body.id}/ping`
      assert.equal((await api.get('/health/ready')).status, 200)
      for (let count = 0; count < COUNT; count++) await api.post(ping, {})
      while (receiver.received.length < COUNT) await sleep(20)
      assert.equal((await first.stop()).code, 0)
      makeDue(join(home, 'tarmac.sqlite'))

      receiver.answer(204)
      const before = receiver.received.length
      const full = await startService(settings, FULL_KIB)
      const beside = new Api(key, full.base)
      let refused = 0
      for (let count = 0; count < 40; count++) {
        const { status } = await beside.post(ping, {}, { unchecked: true })
        if (status >= 300) refused += 1
        assert.equal((await beside.get(organization)).status, 200, 'reads go on')
        await sleep(100)
      }
      assert.isAbove(refused, 20, 'the disk was not full')
      const ready = await beside.get('/health/ready')
      assert.equal(ready.status, 503)
      assert.match(ready.body.detail, /^The storage of the database does not respond/)
      const { stderr } = await full.stop()
      const complaints = stderr.match(/The webhook workers cannot use the database/g) ?? []
      // Logged once, or once more if something small could be stored in between.
      assert.include([1, 2], complaints.length)
      // Each delivery is sent at most once.
      const ids = receiver.received.slice(before).map(({ headers }) => headers['webhook-id'])
      assert.equal(new Set(ids).size, ids.length)
    }).timeout(60_000)
  })
}
