import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { decodeProtectedHeader } from 'jose'
import { unitOfWork } from '#foundation/core/services'
import { openCredentials } from '#integrations/connections/credentials'
import { integrationEntities } from '#integrations/queries/app_integrations'
import { replaceIntegrations } from '#integrations/store_integrations'
import type { AuthScheme } from '#plugin-kit/manifest'
import type { Plugin } from '#plugin-kit/plugin'
import { makeApp } from '#tests/support/app_fixture'
import { installIntegration } from '#tests/support/custom_integrations'
import { loadTestPlugins } from '#tests/support/plugins/index'
import { makeWorld, type World } from '#tests/support/world'
import { acmePlugin } from './support/acme.js'
import { connect } from './support/connect.js'
import { json, ProviderServer } from '#provider-port/tests/support/provider_server'

const pem = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString()
const ec = pem(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey)
const otherCurve = pem(generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey)
const rsa = pem(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey)

const secret = { 'type': 'string', 'x-secret': true } as const

/** Returns the plugin of a store, whose check calls `/me`. */
function store(id: 'apple' | 'google', auth: AuthScheme, names: string[]): Plugin {
  const { manifest, lifecycle } = acmePlugin(auth)
  const properties = Object.fromEntries(names.map((name) => [name, secret]))
  return {
    lifecycle,
    manifest: {
      ...manifest,
      id,
      name: id,
      credentialSchema: { type: 'object', properties },
      capabilities: { appStore: { type: id, features: [] } },
    },
    capabilities: { appStore: async () => ({ default: class {} as never }) },
  }
}

const APPLE = store(
  'apple',
  { scheme: 'jwt', alg: 'ES256', audience: 'appstoreconnect-v1', lifetimeSeconds: 600 },
  ['issuerId', 'keyId', 'privateKey']
)
const GOOGLE = store('google', { scheme: 'googleServiceAccount', scopes: ['x'] }, [
  'serviceAccount',
])

test.group('POST /app/{appId}/integration/{integrationInstallationId}/updateAuth', (group) => {
  let server: ProviderServer

  group.each.setup(async () => {
    server = await new ProviderServer().start()
    server.answers(json({ account: 'Acme' }))
    await loadTestPlugins({
      'paper': async () => ({ default: APPLE }),
      'paper-flags': async () => ({ default: GOOGLE }),
    })
    return async () => {
      await server.stop()
      await loadTestPlugins()
    }
  })

  async function withStore(world: World, type: 'apple' | 'google', more = 0) {
    const { id: provider } = await connect(world, type, { settings: { host: server.origin } })
    const apps = [await makeApp(world)]
    for (let index = 0; index < more; index++) apps.push(await makeApp(world))
    for (const appId of apps) {
      const one = { key: 's', type, kind: 'appStore', provider, data: {} } as const
      await world.write((scope) => replaceIntegrations(scope, appId, [one]))
    }
    const [{ id }] = await integrationEntities(unitOfWork.readScope(world.principal), apps[0])
    return {
      appId: apps[0],
      apps,
      id,
      provider,
      path: `/app/${apps[0]}/integration/${id}/updateAuth`,
    }
  }

  async function credentialsOf(world: World, id: string) {
    const secrets = await app.container.make('integrations.secrets')
    return openCredentials(unitOfWork.readScope(world.principal), secrets, id)
  }

  const key = { issuerId: 'issuer-1', keyId: '2X9R7J4K', privateKey: ec }

  test('200 tries a key of Apple, then replaces the previous one', async ({ assert }) => {
    const world = await makeWorld()
    const { id, provider, path } = await withStore(world, 'apple')
    const { status, body, text } = await world.admin.post(path, key)
    assert.equal(status, 200, text)
    assert.containsSubset(body, { id, type: 'apple', status: 'connected', keyHint: '…7J4K' })
    assert.notInclude(text, 'PRIVATE')
    const sent = String(server.seen[0].headers.authorization).replace('Bearer ', '')
    assert.equal(decodeProtectedHeader(sent).kid, '2X9R7J4K')
    const { version, credentials } = await credentialsOf(world, provider)
    assert.deepEqual([version, credentials], [2, key])
    const audit = await db.from('audit_entries').where('subject', provider).select('action', 'data')
    assert.include(
      audit.map(({ action }) => action),
      'connection.rotated'
    )
    assert.notInclude(JSON.stringify(audit), 'PRIVATE')
    const personal = { keyId: 'K1', privateKey: ec.replaceAll('\n', '\\n') }
    assert.equal((await world.admin.post(path, personal)).body.keyHint, '…K1')
  })

  test('200 takes a key file of Google, as an object or as its text', async ({ assert }) => {
    const world = await makeWorld()
    const { provider, path } = await withStore(world, 'google')
    const file = { client_email: 'ci@acme.example', private_key: rsa, private_key_id: 'abc123' }
    for (const serviceAccountKey of [file, JSON.stringify(file)]) {
      const { status, body, text } = await world.admin.post(path, { serviceAccountKey })
      assert.equal(status, 200, text)
      assert.equal(body.keyHint, '…c123')
      const { credentials } = await credentialsOf(world, provider)
      assert.deepEqual(JSON.parse(String(credentials.serviceAccount)), file)
    }
  })

  test('422 names what is no key, or is for another store; nothing is called or stored', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const apple = await withStore(world, 'apple')
    const google = await withStore(world, 'google')
    const file = { client_email: 'a', private_key: rsa }
    for (const [path, body, pointers] of [
      [apple.path, {}, ['/keyId', '/privateKey']],
      [apple.path, { ...key, privateKey: 'canary' }, ['/privateKey']],
      [apple.path, { ...key, privateKey: rsa }, ['/privateKey']],
      [apple.path, { ...key, privateKey: otherCurve }, ['/privateKey']],
      [apple.path, { ...key, keyId: 4 }, ['/keyId']],
      // One fault does not hide the others.
      [
        apple.path,
        { keyId: 4, serviceAccountKey: file },
        ['/keyId', '/serviceAccountKey', '/privateKey'],
      ],
      [google.path, { keyId: 4 }, ['/keyId', '/serviceAccountKey']],
      [apple.path, { ...key, serviceAccountKey: file }, ['/serviceAccountKey']],
      [google.path, {}, ['/serviceAccountKey']],
      [google.path, { serviceAccountKey: 'canary' }, ['/serviceAccountKey']],
      [google.path, { serviceAccountKey: null }, ['/serviceAccountKey']],
      [google.path, { serviceAccountKey: ['canary'] }, ['/serviceAccountKey']],
      [google.path, { serviceAccountKey: { ...file, client_email: '' } }, ['/serviceAccountKey']],
      [
        google.path,
        { serviceAccountKey: { ...file, x: 'y'.repeat(20_000) } },
        ['/serviceAccountKey'],
      ],
      [
        google.path,
        { serviceAccountKey: { ...file, private_key: ec } },
        ['/serviceAccountKey/private_key'],
      ],
      [google.path, { serviceAccountKey: file, keyId: 'k' }, ['/keyId']],
    ] as const) {
      const response = await world.admin.post(path, body)
      assert.equal(response.status, 422, JSON.stringify(body).slice(0, 200))
      assert.deepEqual(
        response.body.errors.map(({ pointer }: any) => pointer),
        pointers
      )
      assert.notInclude(response.text, 'canary')
    }
    assert.lengthOf(server.seen, 0)
    assert.equal((await credentialsOf(world, apple.provider)).version, 1)
  })

  test('422 escapes a name with a slash in its JSON pointer', async ({ assert }) => {
    const world = await makeWorld()
    const { path } = await withStore(world, 'apple')
    const { manifest, ...plugin } = APPLE
    const properties = { 'keyId': secret, 'privateKey': secret, 'team/~id': secret }
    const credentialSchema = { type: 'object', properties, required: ['team/~id'] } as const
    await loadTestPlugins({
      paper: async () => ({ default: { ...plugin, manifest: { ...manifest, credentialSchema } } }),
    })
    const { status, body } = await world.admin.post(path, { keyId: 'k', privateKey: ec })
    assert.equal(status, 422)
    assert.deepEqual(
      body.errors.map(({ pointer }: any) => pointer),
      ['/team~1~0id']
    )
    assert.lengthOf(server.seen, 0)
  })

  test('409 for a key that the store refuses; the previous one stays', async ({ assert }) => {
    const world = await makeWorld()
    const { provider, path } = await withStore(world, 'apple')
    server.answers(json({ message: 'No such key' }, 401))
    const { status, body } = await world.admin.post(path, key)
    assert.deepEqual([status, body.code], [409, 'credentials_refused'])
    assert.equal((await credentialsOf(world, provider)).version, 1)
    server.answers(json({}, 503))
    assert.equal((await world.admin.post(path, key)).status, 200)
    const { status: kept } = await db.from('connections').where('id', provider).firstOrFail()
    assert.equal(kept, 'unverified')
  }).timeout(20_000)

  test('409 for an integration that is no store', async ({ assert }) => {
    const world = await makeWorld()
    const appId = await makeApp(world)
    const id = await installIntegration(world, appId, 'generic-ci')
    const { status, body } = await world.admin.post(
      `/app/${appId}/integration/${id}/updateAuth`,
      key
    )
    assert.deepEqual([status, body.code], [409, 'conflict'])
  })

  test('403 without the action, or where other apps, out of scope, use the connection', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const { path, apps } = await withStore(world, 'apple', 1)
    const reader = await world.keyed()
    assert.equal((await reader.post(path, key)).status, 403)
    const groups = ['Engineering Managers']
    const narrow = await world.keyed({ groups, appIds: [apps[0]] })
    const { status, body } = await narrow.post(path, key)
    assert.deepEqual([status, body.code], [403, 'app_scope_missing'])
    assert.lengthOf(server.seen, 0)
    const wide = await world.keyed({ groups, appIds: apps })
    assert.equal((await wide.post(path, key)).status, 200)
  })

  test('404 for an integration of another app or organization', async ({ assert }) => {
    const [world, other] = [await makeWorld(), await makeWorld()]
    const { id, path } = await withStore(world, 'apple')
    const elsewhere = await makeApp(world)
    assert.equal(
      (await world.admin.post(`/app/${elsewhere}/integration/${id}/updateAuth`, key)).status,
      404
    )
    assert.equal((await other.admin.post(path, key)).status, 404)
    assert.lengthOf(server.seen, 0)
  })
})
