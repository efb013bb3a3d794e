import app from '@adonisjs/core/services/app'
import { test } from '@japa/runner'
import { unitOfWork } from '#foundation/core/services'
import { DisconnectProvider } from '#integrations/actions/disconnect_provider'
import { integrationEntities } from '#integrations/queries/app_integrations'
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

/** An app with a chat, by the ids of its integration and connection. */
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

test.group('Using an integration', (group) => {
  group.each.teardown(async () => void (await loadTestPlugins()))

  test('gives what the plugin can do, with the data of the integration', async ({ assert }) => {
    const world = await makeWorld()
    const { id } = await withChat(world)
    const chat = await use(world, id, 'chat')
    await chat.post('C1', { text: 'Hello' }, { idempotencyKey: id })
    assert.equal(posted.get(`C1:${id}`)?.text, '@ios Hello')
  })

  test('says why it cannot: another kind or organization, no credentials, no plugin', async ({
    assert,
  }) => {
    const [world, other] = [await makeWorld(), await makeWorld()]
    const { id, provider } = await withChat(world)
    const code = async (of: World, kind: Kind) =>
      use(of, id, kind).then(
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
