import app from '@adonisjs/core/services/app'
import { test } from '@japa/runner'
import { builtSchema } from '#foundation/core/schemas'
import { defineConfig } from '#integrations/define_config'
import { IntegrationEntity } from '#integrations/entities'
import { PluginRegistry, plugins } from '#integrations/plugins/plugin_registry'
import type { PluginManifest } from '#plugin-kit/manifest'
import { definePlugin } from '#plugin-kit/plugin'
import IntegrationsProvider from '#providers/integrations_provider'
import { Api } from '#tests/support/api'
import { loadTestPlugins } from '#tests/support/plugins/index'
import memory, { uses } from '#tests/support/plugins/memory'
import { paper } from '#tests/support/plugins/paper'

const variant = (change: Partial<PluginManifest>, base = paper) =>
  definePlugin({ ...base, manifest: { ...base.manifest, ...change } })
const entry = (plugin: unknown) => async () => ({ default: plugin as typeof paper })

/** Returns the reported errors of one plugin beside a good one, which must keep running. */
async function problemsOf(plugin: () => Promise<any>): Promise<string> {
  const registry = new PluginRegistry()
  const disabled = await registry.load({ memory: entry(memory), other: plugin })
  const isAlone = registry.all.length === 1 && registry.find('memory') === memory
  if (!isAlone) throw new Error('The good plugin has to run, alone')
  return disabled.flatMap(({ name, problems }) => problems.map((p) => `${name}: ${p}`)).join('\n')
}

test.group('Plugins', (group) => {
  group.each.teardown(async () => void (await loadTestPlugins()))

  test('only manifests are imported when they are loaded', async ({ assert }) => {
    const before = { ...uses }
    const registry = new PluginRegistry()
    assert.deepEqual(
      await registry.load({ memory: () => import('#tests/support/plugins/memory') }),
      []
    )
    assert.deepEqual(uses, before)
    assert.equal(registry.find('MEM'), memory)
    assert.isNull(registry.find('nobody'))
  })

  test('a broken plugin is disabled with its reasons, and the others run', async ({ assert }) => {
    const rejects = () => Promise.reject(new Error('no such package'))
    assert.equal(await problemsOf(rejects), 'other: It cannot be imported: no such package')
    assert.equal(await problemsOf(entry(undefined)), 'other: It exports no plugin.')
    assert.include(await problemsOf(entry(variant({ spi: 2 }))), 'version 2 of the interface')
    assert.include(await problemsOf(entry(variant({ name: '' }))), 'name needs at least 1')
    const secret = { 'type': 'string', 'x-secret': true } as const
    const connectionSchema = { type: 'object', properties: { hook: secret } } as const
    assert.include(
      await problemsOf(entry(variant({ connectionSchema }))),
      'connectionSchema.hook is a secret outside of credentialSchema.'
    )
    const unknown = { ...paper.manifest.capabilities, teleport: { type: 'x1', features: [] } }
    assert.include(
      await problemsOf(entry(variant({ capabilities: unknown }))),
      'capabilities.teleport is of an unknown kind.'
    )
  })

  test('a name or a type that is taken disables the later one', async ({ assert }) => {
    assert.include(await problemsOf(entry(variant({ id: 'memory' }))), 'The name memory is taken')
    assert.include(await problemsOf(entry(variant({ aliases: ['MEM'] }))), 'The name MEM is taken')
    const capabilities = { ...paper.manifest.capabilities, ci: { type: 'slack', features: [] } }
    assert.include(
      await problemsOf(entry(variant({ capabilities }))),
      'The type slack is of the kind chat, not ci.'
    )
    const twin = variant({ id: 'twin', aliases: [] }, memory)
    assert.include(await problemsOf(entry(twin)), 'The type slack is taken by memory.')
  })

  test('a custom kind counts as its kind of the specification', async ({ assert }) => {
    const custom = definePlugin({
      ...paper,
      manifest: {
        ...paper.manifest,
        id: 'custom',
        capabilities: {
          customCi: { type: 'generic-ci', features: [] },
          customObservability: { type: 'own-metrics', features: [] },
        },
      },
      capabilities: {},
    })
    const registry = new PluginRegistry()
    assert.deepEqual(await registry.load({ custom: entry(custom) }), [])
    assert.deepEqual(registry.types().get('generic-ci')?.kind, 'ci')
    assert.deepEqual(registry.types().get('own-metrics'), {
      kind: 'productAnalytics',
      vendor: 'custom',
    })
  })

  test('the enumeration of integration types holds those that plugins add', async ({ assert }) => {
    const shown = () => builtSchema(IntegrationEntity.properties.type) as any
    assert.include(shown().enum, 'github-vcs')
    assert.notInclude(shown().enum, 'acme-chat')
    const capabilities = { chat: { type: 'acme-chat', features: [] } }
    const acme = definePlugin({
      ...paper,
      manifest: { ...paper.manifest, id: 'acme', capabilities },
      capabilities: { chat: memory.capabilities.chat },
    })
    assert.deepEqual(await loadTestPlugins({ acme: entry(acme) }), [])
    assert.include(shown().enum, 'acme-chat')
    assert.equal(shown().$id, 'IntegrationType')
  })

  test('the health report names a plugin that is disabled, and readiness is unchanged', async ({
    assert,
  }) => {
    const api = new Api(null)
    const reported = async () => {
      const { status, body } = await api.get('/health')
      assert.equal(status, 200)
      const own = body.checks.find((check: any) => check.name.startsWith('plugins'))
      // The health check of the database may report errors that other specs made.
      return { own, ready: (await api.get('/health/ready')).status }
    }
    const before = await reported()
    assert.equal(before.own.status, 'ok')
    const configured = app.config.get('integrations')
    try {
      const config = { plugins: { memory: entry(memory), acme: entry({}) } }
      app.config.set('integrations', defineConfig(config))
      await new IntegrationsProvider(app).boot()
    } finally {
      app.config.set('integrations', configured)
    }
    assert.lengthOf(plugins.all, 1)
    const { own, ready } = await reported()
    assert.equal(own.status, 'warning')
    assert.include(own.message, 'Disabled: acme.')
    assert.equal(ready, before.ready)
  })

  test('no configured plugin is disabled', async ({ assert }) => {
    await new IntegrationsProvider(app).boot()
    assert.deepEqual(plugins.disabled, [])
  })
})
