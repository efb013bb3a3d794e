import { test } from '@japa/runner'
import { unitOfWork } from '#foundation/core/services'
import type { Actor } from '#foundation/core/principal'
import { askProvider } from '#integrations/ask_provider'
import { outcomeOfCall } from '#integrations/outcome_of_call'
import { integrationEntities } from '#integrations/queries/app_integrations'
import { replaceIntegrations } from '#integrations/store_integrations'
import {
  ProviderError,
  type ProviderErrorCode,
  type ProviderErrorDetail,
} from '#plugin-kit/provider_error'
import { makeApp } from '#tests/support/app_fixture'
import { loadTestPlugins } from '#tests/support/plugins/index'
import { makeWorld, type World } from '#tests/support/world'
import { acmePlugin, HEADER } from './support/acme.js'
import { connect } from './support/connect.js'
import { errorOf } from '#provider-port/tests/support/port_stage'
import { json, ProviderServer } from '#provider-port/tests/support/provider_server'

test.group('Asking a provider', (group) => {
  let server: ProviderServer

  group.each.setup(async () => {
    server = await new ProviderServer().start()
    const { manifest, ...plugin } = acmePlugin(HEADER)
    // Seven calls for background work and three for persons, in a window longer than any test.
    const rate = { requests: 10, perSeconds: 3600, concurrency: 5, scope: 'connection' } as const
    const scarce = { ...plugin, manifest: { ...manifest, rate } }
    await loadTestPlugins({ acme: async () => ({ default: scarce }) })
    return async () => {
      await server.stop()
      await loadTestPlugins()
    }
  })

  async function withChat(world: World) {
    const settings = { host: server.origin }
    const credentials = { token: 'canary-token-4711' }
    const { id: connectionId } = await connect(world, 'acme', { settings, credentials })
    const appId = await makeApp(world)
    const chat = {
      key: 'a',
      type: 'teams',
      kind: 'chat',
      provider: connectionId,
      data: {},
    } as const
    await world.write((scope) => replaceIntegrations(scope, appId, [chat]))
    const scope = unitOfWork.readScope(world.principal)
    const [{ id }] = await integrationEntities(scope, appId)
    return { id, connectionId }
  }

  const ask = (
    world: World,
    actor: Actor['type'],
    integration: Awaited<ReturnType<typeof withChat>>
  ) => {
    const scope = unitOfWork.readScope({
      ...world.principal,
      actor: { type: actor, id: null, name: 'x' },
    })
    const { signal } = new AbortController()
    return askProvider(scope, { integration, kind: 'chat', signal }, (chat) =>
      chat.listChannels('')
    )
  }

  test('background calls leave a part of the budget for calls of persons', async ({ assert }) => {
    server.answers(json([]))
    const world = await makeWorld()
    const chat = await withChat(world)
    for (let call = 0; call < 7; call++) await ask(world, 'automation', chat)
    for (const actor of ['automation', 'system'] as const) {
      const error = await errorOf(ask(world, actor, chat))
      assert.deepEqual([error.code, error.extras.members.reason], ['provider_error', 'rateLimited'])
    }
    for (const actor of ['user', 'apiKey', 'user'] as const) await ask(world, actor, chat)
    assert.equal((await errorOf(ask(world, 'user', chat))).code, 'provider_error')
    assert.lengthOf(server.seen, 10)
  })

  test('the outcome of a call reaches the command that made it', async ({ assert }) => {
    const failing = (code: ProviderErrorCode, detail: Partial<ProviderErrorDetail> = {}) =>
      outcomeOfCall(() =>
        Promise.reject(new ProviderError(code, 'It failed', { outcome: 'notApplied', ...detail }))
      )
    assert.containsSubset(await failing('forbidden'), { outcome: 'notApplied', isFinal: true })
    assert.containsSubset(await failing('timeout', { outcome: 'unknown' }), { outcome: 'unknown' })
    assert.containsSubset(await failing('conflict', { outcome: 'applied' }), { outcome: 'unknown' })
    assert.containsSubset(await failing('rateLimited', { retryAfterMs: 7 }), {
      outcome: 'notApplied',
      isFinal: false,
      retryAfterMs: 7,
    })
    assert.containsSubset(await failing('unavailable', { reason: 'preparing', retryAfterMs: 9 }), {
      outcome: 'notApplied',
      isEarly: true,
      retryAfterMs: 9,
    })
  })

  test('a refusal names connection and reason, and no secret', async ({ assert }) => {
    server.answers(json({ message: 'canary-token-4711 has no channel' }, 404))
    const world = await makeWorld()
    const chat = await withChat(world)
    const error = await errorOf(ask(world, 'user', chat))
    assert.containsSubset(error.extras.members, {
      provider: chat.connectionId,
      reason: 'notFound',
      outcome: 'notApplied',
    })
    assert.include(error.message, '••• has no channel')
  })
})
