import { setTimeout as pause } from 'node:timers/promises'
import db from '@adonisjs/lucid/services/db'
import type { Database } from '@adonisjs/lucid/database'
import { test } from '@japa/runner'
import { isPostgres } from '#foundation/core/database/connections'
import { transact } from '#foundation/core/database/transact'
import { Api } from '#tests/support/api'
import { makeApp } from '#tests/support/app_fixture'
import { connectToLoopback } from '#tests/support/loopback'
import { makeWorld } from '#tests/support/world'
import { makeTrustRule } from '../trust_rules.js'
import { Issuer } from './issuer.js'

/*
 * A trust rule that ends while a run gets a key by it. SQLite does one after the other anyway.
 */

const database = db as unknown as Database

test('401 for a run whose rule is deleted by a transaction that is not committed yet', async ({
  assert,
  cleanup,
}) => {
  const issuer = await new Issuer().start()
  const disconnect = await connectToLoopback()
  cleanup(async () => {
    disconnect()
    await issuer.stop()
  })
  const world = await makeWorld()
  const appId = await makeApp(world)
  const rule = await world.write((scope) =>
    makeTrustRule(scope, {
      ...{ appId, provider: 'github', issuer: issuer.url, repository: 'acme/app' },
      ...{ audience: 'https://tarmac.acme.example', workflow: '.github/workflows/release.yml' },
      refs: ['refs/heads/main'],
    })
  )
  const exchange = async () =>
    new Api(null).post('/keylessKey', {
      ...{ orgId: world.organizationId, appId, token: await issuer.token() },
    })
  // The keys of the issuer are known from here on.
  assert.equal((await exchange()).status, 200)
  await db.from('api_keys').where('trust_rule_id', rule.id).delete()
  let exchanging: ReturnType<typeof exchange> | undefined
  await transact(database, async (client) => {
    await client.from('trust_rules').where('id', rule.id).delete()
    if (!isPostgres(database)) return
    exchanging = exchange()
    await pause(1000)
  })
  exchanging ??= exchange()
  assert.equal((await exchanging).status, 401)
  assert.isEmpty(await db.from('api_keys').where('trust_rule_id', rule.id))
})
