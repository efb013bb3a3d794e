import { setTimeout as pause } from 'node:timers/promises'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { isPostgres } from '#foundation/core/database/connections'
import { Api } from '#tests/support/api'
import { startService } from '#tests/support/processes'
import { makeWorld } from '#tests/support/world'
import { sendYaml } from './yaml.js'
import { isLong } from '#tests/support/effort'

/**
 * Time the process is stopped, in milliseconds: longer than the CPU time limit for reading a file.
 */
const STOPPED_MS = 1300

const rounds = isLong ? 20 : 2

// The behavior does not depend on the database.
if (!isPostgres(db as never)) {
  test.group('A configuration file', () => {
    test('is read even if the process was stopped for longer than reading may take', async ({
      assert,
      cleanup,
    }) => {
      const world = await makeWorld()
      const service = await startService({ WORK_IN_SERVER: 'false', LIMIT_PER_SECOND: '1000' })
      cleanup(() => service.kill())
      const api = new Api(world.adminKey, service.base)
      const path = `/org/${world.organizationId}/app/config?dryRun=true`
      const keys = Array.from({ length: 5000 }, (_, index) => `key${index}: 1`)
      for (let round = 0; round < rounds; round++) {
        const sent = [1, 2, 3].map(() => sendYaml(api, 'POST', path, keys.join('\n')))
        await pause(60 + 40 * (round % 5))
        service.signal('SIGSTOP')
        await pause(STOPPED_MS)
        service.signal('SIGCONT')
        for (const { status, body } of await Promise.all(sent)) {
          assert.deepEqual([status, body.code], [422, 'invalid_configuration'])
        }
      }
    }).timeout(120_000)
  })
}
