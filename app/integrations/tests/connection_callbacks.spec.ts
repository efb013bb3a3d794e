import config from '@adonisjs/core/services/config'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { clock, unitOfWork } from '#foundation/core/services'
import { hookKind } from '#integrations/callbacks/hook_kinds'
import { ProviderCallback } from '#integrations/commands/provider_callback'
import { integrationEntities } from '#integrations/queries/app_integrations'
import { replaceIntegrations } from '#integrations/store_integrations'
import { makeApp } from '#tests/support/app_fixture'
import { runCommand } from '#tests/support/console'
import { loadTestPlugins } from '#tests/support/plugins/index'
import { makeWorld } from '#tests/support/world'
import {
  done,
  plugin,
  work,
  installed,
  delivery,
  send,
  sendTo,
  urlOf,
  hintsOf,
} from './support/callbacks.js'

test.group('POST /connection/{connectionId}/callback', (group) => {
  group.each.setup(async () => {
    await loadTestPlugins({ acme: async () => ({ default: plugin() }) })
    const before = config.get('app.publicUrl')
    config.set('app.publicUrl', 'https://tarmac.acme.example')
    return async () => {
      config.set('app.publicUrl', before)
      await loadTestPlugins()
    }
  })

  test('webhooks are made and removed with the integration, with the secret of the connection', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const { id, appId, provider } = await installed(world)
    await work()
    const url = urlOf(provider)
    const [made, ...others] = done.ensured.filter((each) => each.url === url)
    assert.isEmpty(others)
    assert.match(made.secret, /^whsec_/)
    const ensured = await db.from('integration_hooks').where('integration_id', id).firstOrFail()
    assert.match(ensured.provider_ref, /^W\d+$/)
    const address = await db.from('callback_addresses').where('id', provider).firstOrFail()
    assert.notInclude(JSON.stringify([ensured, address]), made.secret)
    const sent = delivery(made.secret)
    assert.equal((await sendTo(provider, sent)).status, 202)
    assert.equal((await sendTo(provider, sent)).status, 202)
    await work()
    assert.lengthOf(hintsOf(id), 1)
    await world.write((scope) => replaceIntegrations(scope, appId, []))
    await work()
    assert.deepInclude(done.removed, { id: ensured.provider_ref })
    assert.lengthOf(await db.from('integration_hooks').where('integration_id', id), 0)
  })

  test('webhooks are shared by the integrations of a connection, and removed with the last one', async ({
    assert,
  }) => {
    const shared = plugin({
      webhooks: {
        ensure: async (_ctx, url, secret) => {
          done.ensured.push({ url, secret })
          return { id: 'W of one place' }
        },
        concerns: (_event, { data }) => data.projectId !== 'quiet',
      },
    })
    await loadTestPlugins({ acme: async () => ({ default: shared }) })
    const world = await makeWorld()
    const { id, appId, chat, provider } = await installed(world)
    const other = await makeApp(world)
    const quiet = { ...chat, key: 'quiet', data: { projectId: 'quiet' } }
    await world.write((scope) => replaceIntegrations(scope, other, [chat, quiet]))
    await work()
    const mine = done.ensured.filter(({ url }) => url === urlOf(provider))
    assert.lengthOf(mine, 3)
    assert.lengthOf(new Set(mine.map(({ secret }) => secret)) as never, 1)
    assert.equal((await sendTo(provider, delivery(mine[0].secret))).status, 202)
    await work()
    const others = await integrationEntities(unitOfWork.readScope(world.principal), other)
    const counts = [id, ...others.map((each) => each.id)].map((each) => hintsOf(each).length)
    assert.deepEqual(counts, [1, 1, 0])
    const removed = () => done.removed.filter((each) => each.id === 'W of one place').length
    await world.write((scope) => replaceIntegrations(scope, other, []))
    await work()
    assert.equal(removed(), 0)
    await world.write((scope) => replaceIntegrations(scope, appId, []))
    await work()
    assert.equal(removed(), 1)
  })

  test('an App signs with the secret in its credentials, and gets its answer at once', async ({
    assert,
  }) => {
    const challenged = plugin({
      webhooks: {
        ensure: async () => null,
        verify: ({ rawBody }, _secrets, credentials) => {
          const text = Buffer.from(rawBody).toString()
          if (!text.includes(String(credentials.token))) return false
          if (text.includes('large')) return { answer: { body: { text: 'x'.repeat(10_001) } } }
          return text.includes('challenge') ? { answer: { body: { challenge: 'c1' } } } : true
        },
        parse: () => [],
      },
    })
    await loadTestPlugins({ acme: async () => ({ default: challenged }) })
    const world = await makeWorld()
    const { id, provider } = await installed(world)
    await work()
    const ensured = await db.from('integration_hooks').where('integration_id', id).firstOrFail()
    assert.isNull(ensured.provider_ref)
    const say = (text: string) => sendTo(provider, { headers: {}, raw: Buffer.from(text) })
    const response = await say('challenge good-token')
    assert.deepEqual([response.status, response.body], [200, { challenge: 'c1' }])
    assert.equal((await say('good-token')).status, 202)
    assert.equal((await say('challenge other-token')).status, 404)
    assert.equal((await say('large good-token')).status, 404)
    await db
      .from('connection_secrets')
      .where('connection_id', provider)
      .update({ retired_at: clock.now() })
    assert.equal((await say('challenge good-token')).status, 404)
  })

  test('a plugin whose manifest declares no webhooks gets no secret, and its job ends', async ({
    assert,
  }) => {
    const ownSecret = plugin()
    delete ownSecret.manifest.webhooks
    await loadTestPlugins({ acme: async () => ({ default: ownSecret }) })
    const world = await makeWorld()
    const { id, provider } = await installed(world)
    const planned = () => db.from('jobs').where({ kind: 'integration.hook', subject: id })
    assert.isEmpty(await planned())
    // An earlier version of the plugin, or of the service, may have planned it.
    await world.write((scope) => scope.jobs.plan(hookKind, { subject: id, payload: {} }))
    await work()
    assert.isEmpty(await planned().whereNull('finished_at'))
    assert.isEmpty(await db.from('callback_addresses').where('id', provider))
    assert.isEmpty(done.ensured.filter(({ url }) => url === urlOf(provider)))
  })

  test('404 when the plugin fails to say what an event concerns: nothing is stored', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const { provider } = await installed(world)
    await work()
    const { secret } = done.ensured.find(({ url }) => url === urlOf(provider))!
    const concerns = () => {
      throw new Error('odd')
    }
    await loadTestPlugins({ acme: async () => ({ default: plugin({ webhooks: { concerns } }) }) })
    assert.equal((await sendTo(provider, delivery(secret))).status, 404)
    assert.lengthOf(await db.from('callback_deliveries').where('address_id', provider), 0)
  })

  test('404 for the address of an unknown connection, and with the secret of another', async ({
    assert,
  }) => {
    const [one, other] = [await installed(await makeWorld()), await installed(await makeWorld())]
    await work()
    const secret = done.ensured.find(({ url }) => url === urlOf(other.provider))!.secret
    assert.equal((await sendTo(other.provider, delivery(secret))).status, 202)
    for (const address of [one.provider, 'acme:000000000000', '__proto__', one.id]) {
      assert.equal((await sendTo(address, delivery(secret))).status, 404)
    }
    // The secret of an integration that was set up by hand is valid at its own address only.
    assert.equal((await sendTo(one.provider, delivery(one.secret))).status, 404)
  })

  test('provider:callback shows the address, and a new secret once, which the provider gets', async ({
    assert,
  }) => {
    const [world, other] = [await makeWorld(), await makeWorld()]
    const { provider } = await installed(world)
    await work()
    const command = (...args: string[]) =>
      runCommand(ProviderCallback, [provider, `--org=${world.organizationId}`, ...args])
    const url = urlOf(provider)
    const [{ secret }] = done.ensured.filter((each) => each.url === url)
    const shown = await command()
    const { madeAt, ...rest } = shown.document
    assert.deepEqual(rest, {
      ...{ id: provider, plugin: 'acme', url, hasSecret: true },
      ...{ failure: null, receivedAt: null },
    })
    assert.isString(madeAt)
    assert.notInclude(JSON.stringify(shown), secret)
    const { code, document } = await command('--issue')
    assert.equal(code, 0)
    assert.match(document.secret, /^whsec_/)
    assert.notEqual(document.secret, secret)
    assert.notInclude(JSON.stringify(await command()), document.secret)
    for (const good of [secret, document.secret]) {
      assert.equal((await sendTo(provider, delivery(good))).status, 202)
    }
    assert.isString((await command()).document.receivedAt)
    await work()
    const reported = done.ensured.filter((each) => each.url === url).map((each) => each.secret)
    assert.deepEqual(reported, [secret, document.secret])
    const audit = await db
      .from('audit_entries')
      .where('subject', provider)
      .where('action', 'like', '%Secret%')
    assert.deepEqual(
      audit.map(({ action }) => action),
      ['connection.callbackSecretIssued']
    )
    assert.notInclude(JSON.stringify(audit), document.secret)
    const foreign = await runCommand(ProviderCallback, [provider, `--org=${other.organizationId}`])
    assert.equal(foreign.code, 1)
  })

  test('provider:callback issues a first secret, and refuses a plugin without webhooks', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const { id } = await installed(world)
    await db.from('callback_addresses').where('id', id).delete()
    config.set('app.publicUrl', undefined)
    const args = [id, `--org=${world.organizationId}`]
    const { document: before } = await runCommand(ProviderCallback, args)
    assert.deepEqual([before.url, before.hasSecret, before.madeAt], [null, false, null])
    const { document } = await runCommand(ProviderCallback, [...args, '--issue'])
    assert.equal((await send(id, delivery(document.secret))).status, 202)
    const ownSecret = plugin()
    delete ownSecret.manifest.webhooks
    await loadTestPlugins({ acme: async () => ({ default: ownSecret }) })
    const unused = await runCommand(ProviderCallback, [...args, '--issue'])
    assert.equal(unused.code, 1)
    assert.include(unused.stderr, 'signs with its own secret, which is among the credentials')
    const withoutWebhooks = plugin()
    delete withoutWebhooks.webhooks
    delete withoutWebhooks.manifest.webhooks
    await loadTestPlugins({ acme: async () => ({ default: withoutWebhooks }) })
    const refused = await runCommand(ProviderCallback, [...args, '--issue'])
    assert.equal(refused.code, 1)
    assert.include(refused.stderr, 'accepts no webhooks')
    await loadTestPlugins()
    const missing = await runCommand(ProviderCallback, args)
    assert.deepEqual([missing.code, missing.document], [1, null])
  })

  test('no webhook is made while the service has no public address', async ({ assert }) => {
    config.set('app.publicUrl', undefined)
    const world = await makeWorld()
    const { id, provider } = await installed(world)
    await work()
    assert.isEmpty(done.ensured.filter(({ url }) => url.includes(provider)))
    const entry = { kind: 'integration.hook', subject: id }
    const { visible_at: visibleAt, last_error: error } = await db
      .from('jobs')
      .where(entry)
      .firstOrFail()
    assert.isAbove(Date.parse(visibleAt), clock.milliseconds() + 3_600_000)
    assert.isNull(error)
  })
})
