import { symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { later } from '#foundation/core/clock'
import { DAY } from '#foundation/core/durations'
import { clock } from '#foundation/core/services'
import type { ProblemPlace } from '#foundation/core/problems/problem'
import { makeFolder, TestRepository } from '#integrations/providers/git/tests/support/repositories'
import { ProviderError, type ProviderErrorCode } from '#plugin-kit/provider_error'
import { replaceIntegrations } from '#integrations/store_integrations'
import { Api } from '#tests/support/api'
import { makeApp, makeSignedIn } from '#tests/support/app_fixture'
import { loadTestPlugins } from '#tests/support/plugins/index'
import MemoryChat from '#tests/support/plugins/memory_chat'
import { snapshot } from '#tests/support/snapshot'
import { makeWorld, type World } from '#tests/support/world'
import { recordCall } from './support/record_call.js'
import { plugin as hookedPlugin } from './support/callbacks.js'
import { connect } from './support/connect.js'

/** Makes an organization with an admin who is signed in, and the paths of its connections. */
async function makeOrganization() {
  const world = await makeWorld()
  const ada = new Api(await makeSignedIn(world, { email: 'ada@acme.example' }))
  const org = `/org/${world.organizationId}`
  const connectPath = (plugin = 'memory') => `${org}/integrationPlugin/${plugin}/connect`
  const audit = async () =>
    (await db.from('audit_entries').where('organization_id', world.organizationId))
      .filter(({ action }) => action.startsWith('connection'))
      .map(({ action }) => action)
      .toSorted()
  return { world, ada, org, connectPath, audit, connections: `${org}/integration` }
}

/** Makes an app that uses a connection for its chat. */
async function useInApp(world: World, provider: string): Promise<string> {
  const appId = await makeApp(world)
  const chat = { key: 'talk', type: 'slack', kind: 'chat', provider, data: {} } as const
  await world.write((scope) => replaceIntegrations(scope, appId, [chat]))
  return appId
}

const SECRET = 'good-token-4711'

test.group('listProviderPlugins and getProviderPlugin', () => {
  test('200 with the kinds of each plugin, its ways to connect and its schemas', async ({
    assert,
  }) => {
    const { ada, org } = await makeOrganization()
    const { body: plugins } = await ada.get(`${org}/integrationPlugin`)
    const pluginOf = (id: string) => plugins.find((each: { id: string }) => each.id === id)
    assert.deepEqual(pluginOf('memory').ways, ['browser', 'credentials'])
    assert.containsSubset(pluginOf('generic-ci'), { name: 'Custom CI', kinds: ['customCi'] })
    const { body } = await ada.get(`${org}/integrationPlugin/memory`)
    assert.deepEqual(body.schemes, ['none'])
    assert.isTrue(body.credentialSchema.properties.token['x-secret'])
    assert.match(body.browser.redirectUri, /\/integrations\/oauth\/callback$/)
    assert.equal((await ada.get(`${org}/integrationPlugin/nothing`)).status, 404)
  })
})

test.group('connectProvider', () => {
  test('201 checks the credentials, and never shows them', async ({ assert }) => {
    const { world, ada, connectPath, connections, audit } = await makeOrganization()
    const headers = { 'idempotency-key': 'once' }
    const sent = {
      ...{ alias: ' Team chat ', settings: { region: 'eu', retries: 3 } },
      credentials: { token: 'read-only-4711' },
    }
    const post = () => ada.post(connectPath(), sent, { headers })
    const { status, body, headers: answered } = await post()
    assert.equal(status, 201)
    assert.equal(answered.location, `${connections}/${body.id}`)
    assert.containsSubset(body, {
      ...{ alias: 'Team chat', status: 'connected', account: 'account in eu' },
      ...{ missingPermissions: ['write'], failure: null, settings: sent.settings, uses: [] },
    })
    assert.isNotNull(body.checkedAt)
    // A repeated request makes no second connection.
    assert.equal((await post()).body.id, body.id)
    const { body: shown } = await ada.get(`${connections}/${body.id}`)
    assert.deepEqual(shown.credentials.names, ['token'])
    const { body: list } = await ada.get(connections)
    assert.lengthOf(list, 1)
    const stored = Object.values(await snapshot([world.organizationId])).join('\n')
    for (const text of [JSON.stringify([body, shown, list]), stored]) {
      assert.notInclude(text, 'read-only-4711')
    }
    assert.deepEqual(await audit(), ['connection.created'])
  })

  test('201 with a name that is longer in lower case', async ({ assert }) => {
    const { ada, connectPath } = await makeOrganization()
    const alias = 'İ'.repeat(100)
    const { status, body } = await ada.post(connectPath('generic-ci'), { alias })
    assert.deepEqual([status, body.alias], [201, alias])
  })

  test('201 stores a connection that cannot be checked now, with the message of its provider', async ({
    assert,
  }) => {
    const { ada, connectPath } = await makeOrganization()
    const { status, body } = await ada.post(connectPath(), { credentials: { token: 'down-4711' } })
    assert.deepEqual([status, body.status], [201, 'unverified'])
    assert.deepEqual(body.checkFailure, { code: 'unavailable', message: 'The provider is away' })
  })

  test('409 for refused credentials and a taken name, 422 for invalid values: nothing is stored', async ({
    assert,
  }) => {
    const { world, ada, connectPath } = await makeOrganization()
    await connect(world, 'memory', { alias: 'Taken' })
    const before = await snapshot([world.organizationId])
    const credentials = { token: SECRET }
    for (const [sent, status, code] of [
      [{ credentials: { token: 'bad-4711' } }, 409, 'credentials_refused'],
      [{ alias: 'taken', credentials }, 409, 'name_taken'],
      [{ credentials: { token: 'abc' } }, 422, 'invalid_input'],
      [{ credentials, settings: { region: 'mars', retries: 'x' } }, 422, 'invalid_input'],
      [{ credentials: [] }, 422, 'invalid_input'],
      [{}, 422, 'invalid_input'],
    ] as const) {
      const response = await ada.post(connectPath(), sent)
      assert.deepEqual([response.status, response.body.code], [status, code], JSON.stringify(sent))
      assert.notInclude(response.text, '4711')
    }
    const { body } = await ada.post(connectPath(), { settings: { region: 'mars', retries: 'x' } })
    assert.deepEqual(
      body.errors.map(({ pointer }: { pointer: string }) => pointer),
      ['/credentials/token', '/settings/region', '/settings/retries']
    )
    assert.deepEqual(await snapshot([world.organizationId]), before)
    assert.equal((await ada.post(connectPath('nothing'), {})).status, 404)
  })
})

test.group('connectProvider with settings that only the operator may set', () => {
  test('422 for folders and files of the machine, which can only be set in the console', async ({
    assert,
    cleanup,
  }) => {
    const { world, ada, connectPath, org } = await makeOrganization()
    const folder = makeFolder(cleanup)
    new TestRepository(join(folder, 'secret.git')).commit()
    const before = await snapshot([world.organizationId])
    const baseUrl = 'https://git.acme.example/mobile'
    for (const [settings, pointer] of [
      [{ baseUrl: folder, probeRepo: 'secret.git' }, '/settings/baseUrl'],
      [{ baseUrl, caFile: '/etc/passwd' }, '/settings/caFile'],
      [{ baseUrl, trustOwners: true }, '/settings/trustOwners'],
    ] as const) {
      const { status, body } = await ada.post(connectPath('git'), { settings })
      assert.equal(status, 422)
      assert.deepEqual(
        body.errors.map(({ pointer: at, code }: ProblemPlace) => [at, code]),
        [[pointer, 'operator']]
      )
    }
    assert.deepEqual(await snapshot([world.organizationId]), before)
    const { body } = await ada.get(`${org}/integrationPlugin/git`)
    assert.equal(body.connectionSchema.properties.caFile['x-operator'], true)
    const free = await ada.post(connectPath('git'), { settings: { baseUrl } })
    assert.equal(free.status, 201, free.text)
  })

  test('201 for a folder that the operator allows on pages; 422 for any other folder', async ({
    assert,
    cleanup,
  }) => {
    const { ada, connectPath } = await makeOrganization()
    const folder = makeFolder(cleanup)
    new TestRepository(join(folder, 'app.git')).commit()
    symlinkSync(makeFolder(cleanup), join(folder, 'linked'))
    const named = join(makeFolder(cleanup), 'git')
    symlinkSync(folder, named)
    app.container.bindValue('integrations.pageFolders', { git: [named] })
    cleanup(() => app.container.bindValue('integrations.pageFolders', { git: [] }))
    const baseUrl = 'https://git.acme.example/mobile'
    for (const [settings, pointer] of [
      [{ baseUrl: `${folder}-other` }, '/settings/baseUrl'],
      [{ baseUrl: join(named, 'linked') }, '/settings/baseUrl'],
      [{ baseUrl: join(named, 'nothing/../../x') }, '/settings/baseUrl'],
      [{ baseUrl: dirname(folder) }, '/settings/baseUrl'],
      [{ baseUrl, caFile: join(folder, 'ca.pem') }, '/settings/caFile'],
    ] as const) {
      const { status, body } = await ada.post(connectPath('git'), { settings })
      assert.deepEqual([status, body.errors[0]?.pointer], [422, pointer])
    }
    const absent = await ada.post(connectPath('git'), { settings: { baseUrl: join(named, 'x') } })
    assert.equal(absent.status, 201, absent.text)
    const settings = { baseUrl: named, probeRepo: 'app.git' }
    const made = await ada.post(connectPath('git'), { settings })
    assert.deepEqual([made.status, made.body.status], [201, 'connected'], made.text)
  })
})

test.group('getConnection and listProviderCalls', () => {
  test('200 with its uses, its expiry, its failure and its latest calls', async ({ assert }) => {
    const { world, ada, connections } = await makeOrganization()
    const { id } = await connect(world, 'memory', {
      ...{ alias: 'Chat', credentials: { token: SECRET } },
      check: {
        ...{ ok: true, account: 'Acme', missingPermissions: [] },
        endsAt: later(clock.now(), 3 * DAY),
      },
    })
    const appId = await useInApp(world, id)
    const at = await recordCall(world, id, 'unavailable')
    const { body } = await ada.get(`${connections}/${id}`)
    assert.containsSubset(body, {
      uses: [{ appId, alias: 'talk', type: 'slack' }],
      failure: { code: 'noAnswer', since: at },
      callback: null,
    })
    assert.match(body.ending, /The credentials of Chat end on/)
    const { body: calls } = await ada.get(`${connections}/${id}/call`)
    assert.containsSubset(calls, [{ calledAt: at, path: '/me', code: 'unavailable' }])
    // Configuration files may name a connection by its alias, paths only by its id.
    assert.equal((await ada.get(`${connections}/Chat`)).status, 404)
    assert.equal((await ada.get(`${connections}/Chat/call`)).status, 404)
  })
})

test.group('checkConnection', () => {
  test('200 with the missing permissions or the failure, and whether the connection works', async ({
    assert,
  }) => {
    const { world, ada, connections, audit } = await makeOrganization()
    for (const [token, shown] of [
      [SECRET, { isWorking: true, status: 'connected', account: 'account in nowhere' }],
      ['read-4711', { isWorking: false, status: 'connected', missingPermissions: ['write'] }],
      ['down-4711', { isWorking: false, status: 'unverified' }],
      [
        'bad-4711',
        {
          ...{ isWorking: false, status: 'needs_reauth', failure: { code: 'refused' } },
          checkFailure: { code: 'unauthorized', message: 'The token is not known' },
        },
      ],
    ] as const) {
      const { id } = await connect(world, 'memory', { credentials: { token } })
      const { status, body } = await ada.post(`${connections}/${id}/check`)
      assert.equal(status, 200)
      assert.containsSubset(body, shown)
    }
    assert.include(await audit(), 'connection.statusChanged')
  })

  test('409 without credentials, or while the plugin does not run', async ({ assert, cleanup }) => {
    const { world, ada, connections } = await makeOrganization()
    const { id } = await connect(world, 'memory', { credentials: { token: SECRET } })
    const check = async () => {
      const { status, body } = await ada.post(`${connections}/${id}/check`)
      return [status, body.code]
    }
    await useInApp(world, id)
    assert.equal((await ada.delete(`${connections}/${id}?force=true`)).status, 200)
    assert.deepEqual(await check(), [409, 'credentials_missing'])
    cleanup(async () => void (await loadTestPlugins()))
    await loadTestPlugins({ memory: () => Promise.reject(new Error('gone')) })
    assert.deepEqual(await check(), [409, 'plugin_missing'])
    const { body } = await ada.get(`${connections}/${id}`)
    assert.deepEqual(body.plugin, {
      ...{ id: 'memory', name: 'memory', isRunning: false, takesWebhooks: false },
    })
  })
})

test.group('listProviderChannels', () => {
  test('200 finds channels by a part of the name; 409 without a chat, or without credentials', async ({
    assert,
  }) => {
    const { world, ada, connections } = await makeOrganization()
    const { id } = await connect(world, 'memory', { credentials: { token: SECRET } })
    const { body } = await ada.get(`${connections}/${id}/channel?search=rel`)
    assert.deepEqual(body, { channels: [{ id: 'C1', name: 'releases' }], hasMore: false })
    assert.lengthOf((await ada.get(`${connections}/${id}/channel`)).body.channels, 2)
    const other = await connect(world, 'generic-ci')
    const codeOf = async (connectionId: string) => {
      const { status, body: answered } = await ada.get(`${connections}/${connectionId}/channel`)
      return [status, answered.code]
    }
    assert.deepEqual(await codeOf(other.id), [409, 'plugin_missing'])
    const foreign = await makeOrganization()
    assert.equal((await foreign.ada.get(`${foreign.connections}/${id}/channel`)).status, 404)
    await useInApp(world, id)
    assert.equal((await ada.delete(`${connections}/${id}?force=true`)).status, 200)
    assert.deepEqual(await codeOf(id), [409, 'credentials_missing'])
  })

  test('200 with the channels found before the chat failed; 502 if there are none', async ({
    assert,
    cleanup,
  }) => {
    const { world, ada, connections } = await makeOrganization()
    const { id } = await connect(world, 'memory', { credentials: { token: SECRET } })
    const { listChannels } = MemoryChat.prototype
    cleanup(() => void (MemoryChat.prototype.listChannels = listChannels))
    const search = (firstPage: string[], code: ProviderErrorCode) => {
      MemoryChat.prototype.listChannels = async (_query: string, cursor?: string) => {
        if (cursor) throw new ProviderError(code, 'It stops here', { outcome: 'notApplied' })
        return { items: firstPage.map((name) => ({ id: name, name })), next: 'second' }
      }
      return ada.get(`${connections}/${id}/channel`)
    }
    for (const code of ['timeout', 'rateLimited'] as const) {
      const { status, body } = await search(['rare'], code)
      assert.deepEqual([status, body.channels], [200, [{ id: 'rare', name: 'rare' }]])
      assert.isTrue(body.hasMore)
      assert.equal((await search([], code)).status, 502)
    }
    assert.equal((await search(['rare'], 'unauthorized')).status, 502)
  })
})

test.group('rotateConnection', () => {
  test('200 replaces the given credentials, removes one for null, and keeps the others', async ({
    assert,
  }) => {
    const { world, ada, connections, audit } = await makeOrganization()
    const { id } = await connect(world, 'memory', {
      credentials: { token: SECRET, account: 'ada' },
    })
    const rotate = (credentials: object) => ada.post(`${connections}/${id}/rotate`, { credentials })
    const names = async () => (await ada.get(`${connections}/${id}`)).body.credentials
    assert.equal((await rotate({ token: 'read-new-4711' })).body.missingPermissions[0], 'write')
    assert.containsSubset(await names(), { names: ['token', 'account'], version: 2 })
    assert.equal((await rotate({ account: null })).body.status, 'connected')
    assert.containsSubset(await names(), { names: ['token'], version: 3 })
    assert.deepEqual(await audit(), [
      'connection.created',
      'connection.rotated',
      'connection.rotated',
    ])
  })

  test('409 for refused credentials, 422 for invalid ones: nothing changes', async ({ assert }) => {
    const { world, ada, connections } = await makeOrganization()
    const { id } = await connect(world, 'memory', { credentials: { token: SECRET } })
    const before = await snapshot([world.organizationId])
    for (const [credentials, status] of [
      [{ token: 'bad-new' }, 409],
      [{ token: 'abc' }, 422],
      [{ token: null }, 422],
      [{ odd: 'x' }, 422],
      // A rotation that changes nothing is refused.
      [{}, 422],
      [{ token: SECRET }, 422],
    ] as const) {
      const { status: answered } = await ada.post(`${connections}/${id}/rotate`, { credentials })
      assert.equal(answered, status, JSON.stringify(credentials))
    }
    assert.deepEqual(await snapshot([world.organizationId]), before)
  })
})

test.group('disconnectProvider', () => {
  test('200 removes a connection; 409 while apps use it, unless force removes its credentials only', async ({
    assert,
  }) => {
    const { world, ada, connections } = await makeOrganization()
    const [free, used] = [await connect(world, 'memory'), await connect(world, 'memory')]
    const remove = () => ada.delete(`${connections}/${free.id}`)
    assert.deepEqual((await remove()).body, { id: free.id, removed: true })
    assert.equal((await remove()).status, 404)
    const appId = await useInApp(world, used.id)
    const refused = await ada.delete(`${connections}/${used.id}`)
    assert.deepEqual([refused.status, refused.body.code], [409, 'connection_in_use'])
    assert.include(refused.body.detail, appId)
    const forced = await ada.delete(`${connections}/${used.id}?force=true`)
    assert.deepEqual(forced.body, { id: used.id, removed: false })
    const { body } = await ada.get(`${connections}/${used.id}`)
    assert.containsSubset(body, { status: 'disconnected', credentials: { names: [] } })
    assert.equal(body.failure.code, 'noCredentials')
  })
})

test.group('issueCallbackSecret', (group) => {
  group.each.setup(async () => {
    await loadTestPlugins({ acme: async () => ({ default: hookedPlugin() }) })
    return async () => void (await loadTestPlugins())
  })

  test('200 shows the secret once; 409 if the plugin takes no webhooks', async ({ assert }) => {
    const { world, ada, connections } = await makeOrganization()
    const { id } = await connect(world, 'acme', { credentials: { token: 'good-token' } })
    const { status, headers, body } = await ada.post(`${connections}/${id}/callbackSecret`)
    assert.deepEqual([status, headers['cache-control']], [200, 'no-store'])
    assert.match(body.secret, /^whsec_/)
    const { text, body: shown } = await ada.get(`${connections}/${id}`)
    assert.notInclude(text, body.secret)
    assert.containsSubset(shown.callback, { path: `/connection/${id}/callback`, hasSecret: true })
    const other = await connect(world, 'memory')
    const refused = await ada.post(`${connections}/${other.id}/callbackSecret`)
    assert.deepEqual([refused.status, refused.body.code], [409, 'plugin_missing'])
  })
})
