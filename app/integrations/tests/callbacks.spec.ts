import app from '@adonisjs/core/services/app'
import config from '@adonisjs/core/services/config'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { VirtualClock, later } from '#foundation/core/clock'
import { clock, unitOfWork } from '#foundation/core/services'
import { integrationObservers, type Hint } from '#integrations/callbacks/observers'
import { hookSecret } from '#integrations/callbacks/hook_secrets'
import { DELIVERIES_KEPT_FOR } from '#integrations/callbacks/take_callback'
import { ProviderCallback } from '#integrations/commands/provider_callback'
import { IntegrationsRotateKeys } from '#integrations/commands/integrations_rotate_keys'
import { PruneCalls } from '#integrations/port/prune_calls'
import { integrationEntities } from '#integrations/queries/app_integrations'
import { replaceIntegrations } from '#integrations/store_integrations'
import type { Ref } from '#plugin-kit/context'
import type { Plugin } from '#plugin-kit/plugin'
import { FullFake, sample } from '#plugin-kit/tests/broken/sample'
import { Api } from '#tests/support/api'
import { makeApp } from '#tests/support/app_fixture'
import { runCommand } from '#tests/support/console'
import { loadTestPlugins } from '#tests/support/plugins/index'
import { makeWorld, type World } from '#tests/support/world'
import { connect } from './support/connect.js'

const hints: Hint[] = []
integrationObservers.extend({ hinted: async (_scope, hint) => void hints.push(hint) }).register()

const nobody = new Api(null)
const fake = new FullFake()

/** Calls at the provider. */
const done: { ensured: { url: string; secret: string }[]; removed: Ref[] } = {
  ensured: [],
  removed: [],
}

/** The sample of the kit with webhooks, under a type whose name is settled. */
function plugin(parts: Parameters<typeof sample>[0] = {}): Plugin {
  const { plugin: whole } = sample({
    webhooks: {
      ensure: async (_ctx, url, secret) => {
        done.ensured.push({ url, secret })
        return { id: `W${done.ensured.length}` }
      },
      remove: async (_ctx, ref) => void done.removed.push(ref),
      ...parts.webhooks,
    },
  })
  const { capabilities } = whole.manifest
  const chat = { ...capabilities.chat!, type: 'teams' }
  return { ...whole, manifest: { ...whole.manifest, capabilities: { chat } } }
}

async function work() {
  await (await app.container.make('agenda.worker')).turn()
}

async function installed(world: World) {
  const credentials = { token: 'good-token' }
  const { id: provider } = await connect(world, 'acme', { credentials })
  const appId = await makeApp(world)
  const chat = { key: 'talk', type: 'teams', kind: 'chat', provider, data: {} } as const
  await world.write((scope) => replaceIntegrations(scope, appId, [chat]))
  const [{ id }] = await integrationEntities(unitOfWork.readScope(world.principal), appId)
  const secrets = await app.container.make('integrations.secrets')
  const secret = await world.write((scope) => hookSecret(scope, secrets, id))
  return { id, appId, chat, secret }
}

const rotated = async (world: World, id: string) => {
  const secrets = await app.container.make('integrations.secrets')
  return world.write((scope) => hookSecret(scope, secrets, id, true))
}

/** A callback as the provider sends it. */
function delivery(secret: string, { at = clock.milliseconds(), id = '' } = {}) {
  const { headers, rawBody } = fake.deliverWebhook('message.posted', { secret, at })
  // The fake numbers none of its deliveries; one without an id of its own is a new one.
  return {
    headers: { ...headers, 'content-type': 'application/json' },
    raw: Buffer.from(rawBody),
    id,
  }
}

const send = (id: string, sent: { headers: Record<string, string>; raw: Buffer }) =>
  nobody.send('POST', `/integration/${id}/callback`, { raw: sent.raw, headers: sent.headers })

const hintsOf = (id: string) => hints.filter(({ integrationId }) => integrationId === id)

test.group('POST /integration/{integrationInstallationId}/callback', (group) => {
  group.each.setup(async () => {
    await loadTestPlugins({ acme: async () => ({ default: plugin() }) })
    return async () => void (await loadTestPlugins())
  })

  test('202 what a provider signed is looked at, not in the request, and once', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const { id, appId, secret } = await installed(world)
    const sent = delivery(secret)
    const answer = await send(id, sent)
    assert.deepEqual([answer.status, answer.text], [202, ''])
    assert.deepEqual(hintsOf(id), [])
    assert.equal((await send(id, sent)).status, 202)
    await work()
    const hint = { appId, integrationId: id, kind: 'chat', type: 'message.posted', subject: 'M1' }
    assert.deepEqual(hintsOf(id), [hint])
    assert.equal((await send(id, sent)).status, 202)
    await work()
    assert.lengthOf(hintsOf(id), 1)
    const { received_at: receivedAt } = await db
      .from('integration_hooks')
      .where('integration_id', id)
      .firstOrFail()
    assert.isNotNull(receivedAt)
  })

  test('202 signed with the secret before, for a day after it was changed', async ({ assert }) => {
    const world = await makeWorld()
    const { id, secret } = await installed(world)
    const next = await rotated(world, id)
    assert.notEqual(next, secret)
    assert.equal((await send(id, delivery(secret))).status, 202)
    assert.equal((await send(id, delivery(next))).status, 202)
    await rotated(world, id)
    assert.equal((await send(id, delivery(secret))).status, 404)
    assert.equal((await send(id, delivery(next))).status, 202)
    assert.equal((await runCommand(IntegrationsRotateKeys, [])).code, 0)
    assert.equal((await send(id, delivery(next))).status, 202)
  })

  test('404 forged, changed, stale, unknown and unreadable ones are answered alike', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const { id, secret } = await installed(world)
    const other = await installed(world)
    const good = delivery(secret)
    const hour = 3_600_000
    const unsigned = { ...good, headers: { 'content-type': 'application/json' } }
    const foreign = delivery(other.secret)
    const answers = [
      await send('int_00000000000000000000', good),
      await send('__proto__', good),
      await send(id, unsigned),
      await send(id, foreign),
      await send(id, delivery('whsec_Zm9yZ2Vk')),
      await send(id, { ...good, raw: Buffer.concat([good.raw, Buffer.from(' ')]) }),
      await send(id, { ...good, raw: Buffer.alloc(0) }),
      await send(id, delivery(secret, { at: clock.milliseconds() - hour })),
      await send(id, delivery(secret, { at: clock.milliseconds() + hour })),
    ]
    await loadTestPlugins()
    answers.push(await send(id, good))
    for (const { webhooks } of [
      { webhooks: { verify: () => Promise.resolve(true) as never } },
      {
        webhooks: {
          verify: () => {
            throw new Error(`no ${secret}`)
          },
        },
      },
      {
        webhooks: {
          verify: () => true,
          parse: () => {
            throw new Error('odd')
          },
        },
      },
      { webhooks: { verify: () => true, parse: () => null as never } },
      ...[
        { occurredAt: 'never' },
        { occurredAt: later(clock.now(), -6 * 24 * hour) },
        { deliveryId: '' },
        { deliveryId: 'x'.repeat(501) },
        { subject: { id: 4 as never } },
      ].map((change) => ({
        webhooks: {
          verify: () => true,
          parse: () => [
            {
              deliveryId: 'd',
              type: 't',
              occurredAt: clock.now(),
              subject: { id: 's' },
              hint: null,
              ...change,
            },
          ],
        },
      })),
    ]) {
      await loadTestPlugins({ acme: async () => ({ default: plugin({ webhooks }) }) })
      answers.push(await send(id, good))
    }
    const told = answers.map(({ status, body }) => ({
      status,
      ...(body as object),
      requestId: '',
      instance: '',
    }))
    assert.equal(told[0].status, 404)
    for (const each of told) assert.deepEqual(each, told[0])
    await work()
    assert.deepEqual([...hintsOf(id), ...hintsOf(other.id)], [])
    const kept = await db.from('integration_deliveries').whereIn('integration_id', [id, other.id])
    assert.lengthOf(kept, 0)
  })

  test('404 another organization’s integration, also with a secret of one’s own', async ({
    assert,
  }) => {
    const [one, other] = [await makeWorld(), await makeWorld()]
    const { id } = await installed(one)
    const { id: foreign, secret } = await installed(other)
    assert.equal((await send(id, delivery(secret))).status, 404)
    const row = await db.from('integration_hooks').where('integration_id', foreign).firstOrFail()
    await db
      .from('integration_hooks')
      .where('integration_id', id)
      .update({ ciphertext: row.ciphertext })
    assert.equal((await send(id, delivery(secret))).status, 404)
  })

  test('413 one that is too large, known or not', async ({ assert }) => {
    const world = await makeWorld()
    const { id, secret } = await installed(world)
    const large = { ...delivery(secret), raw: Buffer.alloc(1024 * 1024 + 1, 'x') }
    for (const each of [id, 'int_00000000000000000000']) {
      assert.equal((await send(each, large)).status, 413)
    }
  })

  test('415 one that is compressed', async ({ assert }) => {
    const world = await makeWorld()
    const { id, secret } = await installed(world)
    const { headers, raw } = delivery(secret)
    const sent = { raw, headers: { ...headers, 'content-encoding': 'gzip' } }
    assert.equal((await send(id, sent)).status, 415)
  })

  test('what came is forgotten once it is too old to be taken', async ({ assert }) => {
    const world = await makeWorld()
    const { id, secret } = await installed(world)
    await send(id, delivery(secret))
    const count = async () =>
      (await db.from('integration_deliveries').where('integration_id', id)).length
    const prune = (milliseconds: number) =>
      new PruneCalls(db as never, new VirtualClock(later(clock.now(), milliseconds))).run()
    await prune(DELIVERIES_KEPT_FOR - 60_000)
    assert.equal(await count(), 1)
    await prune(DELIVERIES_KEPT_FOR + 1000)
    assert.equal(await count(), 0)
  })
})

test.group('Webhooks at providers', (group) => {
  group.each.setup(async () => {
    await loadTestPlugins({ acme: async () => ({ default: plugin() }) })
    const before = config.get('app.publicUrl')
    config.set('app.publicUrl', 'https://tarmac.acme.example')
    return async () => {
      config.set('app.publicUrl', before)
      await loadTestPlugins()
    }
  })

  test('are made with the integration, with a secret that is good, and go with it', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const { id, appId, secret } = await installed(world)
    await work()
    const url = `https://tarmac.acme.example/integration/${id}/callback`
    const mine = done.ensured.filter((each) => each.url === url)
    assert.deepEqual(mine, [{ url, secret }])
    const ensured = await db.from('integration_hooks').where('integration_id', id).firstOrFail()
    assert.match(ensured.provider_ref, /^W\d+$/)
    assert.notInclude(JSON.stringify(ensured), secret)
    await world.write((scope) => replaceIntegrations(scope, appId, []))
    await work()
    assert.deepInclude(done.removed, { id: ensured.provider_ref })
    assert.lengthOf(await db.from('integration_hooks').where('integration_id', id), 0)
  })

  test('provider:callback shows the address, and a new secret once, of which the provider is told', async ({
    assert,
  }) => {
    const [world, other] = [await makeWorld(), await makeWorld()]
    const { id, secret } = await installed(world)
    await work()
    const command = (...args: string[]) =>
      runCommand(ProviderCallback, [id, `--org=${world.organizationId}`, ...args])
    const url = `https://tarmac.acme.example/integration/${id}/callback`
    const shown = await command()
    const { madeAt, ...rest } = shown.document
    assert.deepEqual(rest, { id, plugin: 'acme', url, hasSecret: true, receivedAt: null })
    assert.isString(madeAt)
    assert.notInclude(JSON.stringify(shown), secret)
    const { code, document } = await command('--issue')
    assert.equal(code, 0)
    assert.match(document.secret, /^whsec_/)
    assert.notEqual(document.secret, secret)
    assert.notInclude(JSON.stringify(await command()), document.secret)
    for (const good of [secret, document.secret]) {
      assert.equal((await send(id, delivery(good))).status, 202)
    }
    assert.isString((await command()).document.receivedAt)
    await work()
    const told = done.ensured.filter((each) => each.url === url).map((each) => each.secret)
    assert.deepEqual(told, [secret, document.secret])
    const audit = await db.from('audit_entries').where('subject', id)
    assert.deepEqual(
      audit.map(({ action }) => action),
      ['integration.callbackSecretIssued']
    )
    assert.notInclude(JSON.stringify(audit), document.secret)
    const foreign = await runCommand(ProviderCallback, [id, `--org=${other.organizationId}`])
    assert.equal(foreign.code, 1)
  })

  test('provider:callback makes a secret for one that has none, and refuses who takes no webhooks', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const { id } = await installed(world)
    await db.from('integration_hooks').where('integration_id', id).delete()
    config.set('app.publicUrl', undefined)
    const args = [id, `--org=${world.organizationId}`]
    const { document: before } = await runCommand(ProviderCallback, args)
    assert.deepEqual([before.url, before.hasSecret, before.madeAt], [null, false, null])
    const { document } = await runCommand(ProviderCallback, [...args, '--issue'])
    assert.equal((await send(id, delivery(document.secret))).status, 202)
    const deaf = plugin()
    delete deaf.webhooks
    delete deaf.manifest.webhooks
    await loadTestPlugins({ acme: async () => ({ default: deaf }) })
    const refused = await runCommand(ProviderCallback, [...args, '--issue'])
    assert.equal(refused.code, 1)
    assert.include(refused.stderr, 'takes no webhooks')
    await loadTestPlugins()
    const missing = await runCommand(ProviderCallback, args)
    assert.deepEqual([missing.code, missing.document], [1, null])
  })

  test('are not asked for while nobody can reach the service', async ({ assert }) => {
    config.set('app.publicUrl', undefined)
    const world = await makeWorld()
    const { id } = await installed(world)
    await work()
    assert.isEmpty(done.ensured.filter(({ url }) => url.includes(id)))
    const entry = { kind: 'integration.hook', subject: id }
    const { look_at: lookAt, last_error: error } = await db
      .from('agenda_entries')
      .where(entry)
      .firstOrFail()
    assert.isAbove(Date.parse(lookAt), clock.milliseconds() + 3_600_000)
    assert.isNull(error)
  })
})
