import { readFile } from 'node:fs/promises'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { parse } from 'yaml'
import { randomText } from '#foundation/core/ids'
import { DisconnectProvider } from '#integrations/actions/disconnect_provider'
import { connect } from '#integrations/tests/support/connect'
import { loadTestPlugins } from '#tests/support/plugins/index'
import { paperPlugin } from '#tests/support/plugins/paper'
import { snapshot } from '#tests/support/snapshot'
import { makeWorld, type World } from '#tests/support/world'
import { makeApp, sendYaml } from './yaml.js'

const SAMPLE = new URL('./specification_sample.yml', import.meta.url)

/** The aliases in the sample, with the test plugin that connects each. */
const SAMPLE_PROVIDERS = {
  'github:111222333': 'paper',
  'Our App Store account': 'paper',
  'TestRail': 'paper',
  'Jira of Acme': 'paper',
  'Team chat': 'memory',
  'Sentry': 'paper',
  'Amplitude': 'paper',
  'Feature flags': 'paper-flags',
  'Lokalise': 'paper',
}

const create = (world: World, text: string) => sendYaml(world.admin, 'POST', '/app/config', text)
const patch = (world: World, id: string, text: string, query = '') =>
  sendYaml(world.admin, 'PATCH', `/app/${id}/app/config${query}`, text)
const exported = async (world: World, id: string) =>
  (await world.admin.get(`/app/${id}/app/config`)).text
const integrationsOf = async (world: World, id: string) =>
  (await world.admin.get(`/app/${id}/integrations`)).body
const named = (entries: string[]) =>
  `integrations:\n${entries.map((each) => `  ${each}\n`).join('')}`
const head = () => `name: App ${randomText(10)}\nplatform: ios\n`

test.group('Configuration | integrations', (group) => {
  group.each.teardown(async () => void (await loadTestPlugins()))

  test('422 for a type of another platform; an app that has one can be read and changed', async ({
    assert,
  }) => {
    const apple = { type: 'fruit', platforms: ['ios' as const], features: [] }
    await loadTestPlugins({
      'fruit-store': async () => ({ default: paperPlugin('fruit-store', { appStore: apple }) }),
    })
    const world = await makeWorld()
    const { id: provider } = await connect(world, 'fruit-store')
    const data = 'data: {bundleId: com.acme}'
    const store = named([`store: {type: fruit, provider: ${provider}, ${data}}`])
    const android = head().replace('ios', 'android')
    const refused = await create(world, android + store)
    assert.equal(refused.status, 422)
    assert.deepInclude(refused.body.errors[0], {
      code: 'integration_mismatch',
      message: 'The type fruit is for apps on iOS; this one is on Android',
    })
    assert.equal((await create(world, head().replace('ios', 'tvos') + store)).status, 201)
    // An integration from before this rule.
    const { body } = await create(world, head() + store)
    await db.from('apps').where('id', body.id).update({ platform: 'android' })
    assert.include(await exported(world, body.id), 'type: fruit')
    assert.equal((await patch(world, body.id, `name: Other\n${store}`)).status, 200)
    const moved = await patch(world, body.id, store.replace('store:', 'shop:'))
    assert.equal(moved.status, 422)
  })

  test('the sample of the specification is imported completely, and exported as it was read', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const text = await readFile(SAMPLE, 'utf8')
    const refused = await create(world, text)
    assert.equal(refused.status, 422)
    assert.lengthOf(refused.body.errors, 12)
    const ids = new Map<string, string>()
    for (const [alias, plugin] of Object.entries(SAMPLE_PROVIDERS)) {
      ids.set(alias, (await connect(world, plugin, { alias })).id)
    }
    const { status, body } = await create(world, text)
    assert.equal(status, 201, JSON.stringify(body))
    assert.equal(body.bundleId, 'com.acme.ios')
    const given = parse(text)
    const shown = await integrationsOf(world, body.id)
    assert.deepEqual(
      shown.map(({ alias, data }: any) => [alias, data]),
      Object.entries<any>(given.integrations).map(([key, { data }]) => [key, data])
    )
    assert.lengthOf(new Set(shown.map(({ kind }: any) => kind)), 12)
    assert.equal(body.destinations[0].integrationInstallationId, shown[1].id)
    const file = await exported(world, body.id)
    const wanted = structuredClone(given)
    for (const each of Object.values<any>(wanted.integrations)) {
      each.type ??= 'launchdarkly'
      each.provider = ids.get(each.provider)
    }
    assert.containsSubset(parse(file), wanted)
    assert.deepEqual((await patch(world, body.id, file, '?dryRun=true')).body, [])
    const again = await create(world, file.replace(/^name: .*$/m, `name: ${randomText(8)}`))
    assert.equal(again.status, 201)
  })

  test('a provider is named by id or alias, and a type where it has several', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const { id } = await connect(world, 'memory', { alias: 'Chat' })
    const flags = await connect(world, 'paper-flags')
    const entries = [
      `byId: {type: slack, provider: "${id}", data: {primaryChannelIds: [C1], x-mention: "@us"}}`,
      'byAlias: {type: pagerduty, provider: Chat}',
      `only: {provider: "${flags.id}"}`,
    ]
    const { id: appId } = await makeApp(world, named(entries))
    assert.containsSubset(await integrationsOf(world, appId), [
      {
        alias: 'byId',
        type: 'slack',
        kind: 'chat',
        provider: { id, alias: 'Chat' },
        data: { 'primaryChannelIds': ['C1'], 'x-mention': '@us' },
      },
      { alias: 'byAlias', type: 'pagerduty', kind: 'onCall', data: {} },
      { alias: 'only', type: 'launchdarkly', provider: { id: flags.id, alias: null } },
    ])
  })

  test('422 with the place of every error, and nothing is written', async ({ assert }) => {
    const [world, other] = [await makeWorld(), await makeWorld()]
    await connect(world, 'memory', { alias: 'Chat' })
    const foreign = await connect(other, 'paper', { alias: 'Theirs' })
    const before = await snapshot([world.organizationId])
    const entries = [
      'a: {type: slack, provider: Chat, data: {primaryChanelIds: [C1]}}',
      'b: {type: slack, provider: Chat, data: {x-mention: us, primaryChannelIds: [1, 2, 3, 4]}}',
      'c: {type: github-vcs, provider: Chat}',
      `d: {type: github-vcs, provider: "${foreign.id}"}`,
      'e: {type: github-vcs, provider: Theirs}',
      'f: {provider: Chat}',
      'g: {type: slak, provider: Chat}',
      'h: {type: slack, provider: Chat, data: {token: x}}',
    ]
    const { status, body } = await create(world, head() + named(entries))
    assert.equal(status, 422)
    assert.deepEqual(
      body.errors.map(({ path, code, line }: any) => `${path} ${code} ${line}`),
      [
        'integrations.a.data.primaryChanelIds unknown_key 4',
        'integrations.b.data.x-mention invalid_data 5',
        'integrations.b.data.primaryChannelIds invalid_data 5',
        'integrations.c.provider provider_mismatch 6',
        'integrations.d.provider provider_unknown 7',
        'integrations.e.provider provider_unknown 8',
        'integrations.f.type required 9',
        'integrations.g.type unknown_value 10',
        'integrations.h.data.token unknown_key 11',
      ]
    )
    assert.notInclude(JSON.stringify(body), foreign.id + ' (Theirs)')
    assert.deepEqual(await snapshot([world.organizationId]), before)
  })

  test('a change keeps values by their keys, and the dry run reports it beforehand', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const { id: chat } = await connect(world, 'memory', { alias: 'Chat' })
    const { id: second } = await connect(world, 'memory', { alias: 'Second' })
    const { id } = await makeApp(
      world,
      named([
        'kept: {type: slack, provider: Chat, data: {primaryChannelIds: [C1]}}',
        'gone: {type: pagerduty, provider: Chat}',
      ])
    )
    const [kept] = await integrationsOf(world, id)
    const change = named([
      'new: {type: pagerduty, provider: Second, data: {scheduleId: S1}}',
      'kept: {type: slack, provider: Second, data: {primaryChannelIds: [C1, C2]}}',
    ])
    const before = await snapshot([world.organizationId])
    const plan = await patch(world, id, change, '?dryRun=true')
    assert.deepEqual(await snapshot([world.organizationId]), before)
    assert.deepEqual(
      plan.body.map(({ op, path, from, to }: any) => [op, path, from, to]),
      [
        ['remove', 'integrations.gone', { type: 'pagerduty', provider: chat }, null],
        [
          'add',
          'integrations.new',
          null,
          { type: 'pagerduty', provider: second, data: { scheduleId: 'S1' } },
        ],
        ['change', 'integrations.kept.provider', chat, second],
        ['change', 'integrations.kept.data.primaryChannelIds', ['C1'], ['C1', 'C2']],
      ]
    )
    assert.equal((await patch(world, id, change)).status, 200)
    const [added, same] = await integrationsOf(world, id)
    assert.deepEqual([added.alias, same.alias], ['new', 'kept'])
    assert.deepEqual([same.id, same.createdAt], [kept.id, kept.createdAt])
    assert.deepEqual(same.data, { primaryChannelIds: ['C1', 'C2'] })
    assert.deepEqual((await patch(world, id, change, '?dryRun=true')).body, [])
    const audited = await db
      .from('audit_entries')
      .where({ organization_id: world.organizationId, action: 'app.changed' })
      .firstOrFail()
    assert.include(audited.data, 'add integrations.new')
    // A missing member is left unchanged, and null removes everything.
    await patch(world, id, 'appGroup: Shop')
    assert.lengthOf(await integrationsOf(world, id), 2)
    assert.equal((await patch(world, id, 'integrations: null')).status, 200)
    assert.deepEqual(await integrationsOf(world, id), [])
    assert.notInclude(await exported(world, id), 'integrations')
  })

  test('a plugin that no longer runs keeps its integrations, and a new file reports it', async ({
    assert,
  }) => {
    const world = await makeWorld()
    await connect(world, 'memory', { alias: 'Chat' })
    const { id } = await makeApp(world, named(['chat: {type: slack, provider: Chat}']))
    await loadTestPlugins({ memory: () => Promise.reject(new Error('gone')) })
    assert.lengthOf(await integrationsOf(world, id), 1)
    assert.equal((await patch(world, id, 'appGroup: Shop')).status, 200)
    const { status, body } = await patch(world, id, await exported(world, id))
    assert.equal(status, 422)
    assert.containsSubset(body.errors, [
      { path: 'integrations.chat.provider', code: 'provider_unavailable' },
    ])
  })

  test('a destination brings its own store integration', async ({ assert }) => {
    const world = await makeWorld()
    await connect(world, 'paper', { alias: 'Stores' })
    const store = (key: string, bundle: string) =>
      named([`${key}: {type: apple, provider: Stores, data: {bundleId: ${bundle}}}`])
    const { id } = await makeApp(world, store('main', 'com.acme'))
    const path = `/app/${id}/destination/config`
    const beta = `name: Beta store\n${store('second', 'com.acme.beta')}`
    const plan = await sendYaml(world.admin, 'POST', `${path}?dryRun=true`, beta)
    assert.include(
      plan.body.map((change: any) => change.path),
      'integrations'
    )
    const { status, body } = await sendYaml(world.admin, 'POST', path, beta)
    assert.equal(status, 201)
    const [main, second] = await integrationsOf(world, id)
    assert.equal(body.bundleId, 'com.acme')
    assert.deepEqual(
      body.destinations.map((each: any) => each.integrationInstallationId),
      [main.id, second.id]
    )
    const taken = await sendYaml(world.admin, 'POST', path, beta.replace('Beta', 'Third'))
    assert.equal(taken.status, 422)
    // A change that rewrites all integrations keeps each with its destination.
    const file = (await exported(world, id)).replace('com.acme.beta', 'com.acme.test')
    const changed = await patch(world, id, file)
    assert.equal(changed.status, 200)
    assert.equal(changed.body.destinations[1].integrationInstallationId, second.id)
  })

  test('a connection that apps use is not ended unless forced; then it can be revived', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const { id: connection } = await connect(world, 'memory', { alias: 'Chat' })
    const { id } = await makeApp(world, named(['chat: {type: slack, provider: Chat}']))
    const end = (isForced: boolean) =>
      world.write((scope) => new DisconnectProvider(scope).handle(connection, isForced))
    const refusal = await end(false).catch((error) => error)
    assert.equal(refusal.code, 'connection_in_use')
    assert.include(refusal.message, id)
    assert.deepEqual(await end(true), { id: connection, removed: false })
    assert.containsSubset(await integrationsOf(world, id), [{ status: 'disconnected' }])
    assert.deepEqual((await patch(world, id, await exported(world, id), '?dryRun=true')).body, [])
    await world.admin.delete(`/app/${id}/app/config`)
    assert.deepEqual(await end(false), { id: connection, removed: true })
    assert.lengthOf(await db.from('integrations').where('connection_id', connection), 0)
  })

  test('no credential is in an export, a plan or an answer', async ({ assert }) => {
    const world = await makeWorld()
    const credentials = { token: 'canary-4711', account: 'canary-4712' }
    await connect(world, 'memory', { alias: 'Chat', credentials })
    const text = named(['chat: {type: slack, provider: Chat}'])
    const { id } = await makeApp(world, text)
    const said = [
      await exported(world, id),
      JSON.stringify(await integrationsOf(world, id)),
      (await patch(world, id, text, '?dryRun=true')).text,
      (await world.admin.get(`/app/${id}`)).text,
      (await create(world, `${head()}integrations: {a: {provider: nobody}}`)).text,
    ].join('\n')
    assert.include(said, 'memory:')
    assert.notInclude(said, 'canary')
  })
})
