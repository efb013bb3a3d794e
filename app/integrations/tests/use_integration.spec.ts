import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { VirtualClock } from '#foundation/core/clock'
import { clock, unitOfWork } from '#foundation/core/services'
import { DisconnectProvider } from '#integrations/actions/disconnect_provider'
import { integrationEntities } from '#integrations/queries/app_integrations'
import { LastResponses } from '#integrations/last_answers'
import { replaceIntegrations } from '#integrations/store_integrations'
import { useIntegration } from '#integrations/use_integration'
import type { Kind } from '#plugin-kit/kinds'
import { makeApp } from '#tests/support/app_fixture'
import { loadTestPlugins } from '#tests/support/plugins/index'
import { posted } from '#tests/support/plugins/memory_chat'
import { makeWorld, type World } from '#tests/support/world'
import { connect } from './support/connect.js'

async function use<Each extends Kind>(world: World, integrationId: string, kind: Each) {
  const services = {
    secrets: await app.container.make('integrations.secrets'),
    caller: await app.container.make('integrations.caller'),
  }
  const { signal } = new AbortController()
  const scope = unitOfWork.readScope(world.principal)
  return useIntegration(scope, services, { integrationId, kind, signal })
}

/** Makes an app with a chat, by the ids of its integration and connection. */
async function withChat(world: World) {
  const { id: provider } = await connect(world, 'memory')
  const appId = await makeApp(world)
  const data = { 'primaryChannelIds': ['C1'], 'x-mention': '@ios' }
  await world.write((scope) =>
    replaceIntegrations(scope, appId, [{ key: 'a', type: 'slack', kind: 'chat', provider, data }])
  )
  const scope = unitOfWork.readScope(world.principal)
  const [{ id }] = await integrationEntities(scope, appId)
  return { id, provider }
}

const CALLED = { method: 'listVersions', isChange: false }

test.group('Using an integration', (group) => {
  group.each.teardown(async () => void (await loadTestPlugins()))

  test('returns the capability of the plugin, with the data of the integration', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const { id } = await withChat(world)
    const chat = await use(world, id, 'chat')
    await chat.post('C1', { text: 'Hello' }, { idempotencyKey: id })
    assert.equal(posted.get(`C1:${id}`)?.text, '@ios Hello')
  })

  test('shows the time of the last answer, at most a minute behind; failures do not count', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const { id } = await withChat(world)
    const results = await app.container.make('integrations.answers')
    const syncedAt = async () => {
      await results.flush()
      const row = await db.from('integrations').where('id', id).firstOrFail()
      return row.last_synced_at as string | null
    }
    const chat = await use(world, id, 'chat')
    await chat.findUserByEmail!(null as never).catch(() => {})
    assert.isNull(await syncedAt())
    await chat.listChannels('')
    const first = await syncedAt()
    assert.isAtMost(Date.parse(clock.now()) - Date.parse(first!), 60_000)
    await chat.listChannels('')
    assert.equal(await syncedAt(), first)
    const scope = unitOfWork.readScope(world.principal)
    const { app_id: appId } = await db.from('integrations').where('id', id).firstOrFail()
    assert.equal((await integrationEntities(scope, appId))[0].lastSyncedAt, first)
  })

  test('writes answers at most once a minute, and never an earlier time', async ({ assert }) => {
    const world = await makeWorld()
    const { id } = await withChat(world)
    const own = new VirtualClock('2026-11-20T12:00:00.000Z')
    const quiet = { warn: () => {} }
    const [one, other] = [1, 2].map(() => new LastResponses(db as never, own, quiet))
    const reported = async (results: LastResponses) => {
      results.note(world.organizationId, id, CALLED)
      await results.flush()
      return (await db.from('integrations').where('id', id).firstOrFail()).last_synced_at
    }
    assert.equal(await reported(one), '2026-11-20T12:00:00.000Z')
    own.advance(59_999)
    assert.equal(await reported(one), '2026-11-20T12:00:00.000Z')
    own.advance(1)
    assert.equal(await reported(one), '2026-11-20T12:01:00.000Z')
    own.travelTo('2026-11-20T11:00:00.000Z')
    assert.equal(await reported(other), '2026-11-20T12:01:00.000Z')
    one.note((await makeWorld()).organizationId, id, CALLED)
    await one.flush()
    own.travelTo('2026-11-20T13:00:00.000Z')
    assert.equal(await reported(other), '2026-11-20T13:00:00.000Z')
  })

  test('names the reason of a refusal: another kind or organization, no credentials, no plugin', async ({
    assert,
  }) => {
    const [world, other] = [await makeWorld(), await makeWorld()]
    const { id, provider } = await withChat(world)
    const code = async (caller: World, kind: Kind) =>
      use(caller, id, kind).then(
        () => 'used',
        (error) => error.code
      )
    assert.equal(await code(world, 'onCall'), 'not_found')
    assert.equal(await code(other, 'chat'), 'not_found')
    await loadTestPlugins({ memory: () => Promise.reject(new Error('gone')) })
    assert.equal(await code(world, 'chat'), 'plugin_missing')
    await loadTestPlugins()
    await world.write((scope) => new DisconnectProvider(scope).handle(provider, true))
    assert.equal(await code(world, 'chat'), 'credentials_missing')
  })
})
