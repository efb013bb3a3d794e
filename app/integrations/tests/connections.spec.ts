import { configProvider } from '@adonisjs/core'
import app from '@adonisjs/core/services/app'
import { drivers, Encryption } from '@adonisjs/core/encryption'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { unitOfWork } from '#foundation/core/services'
import { Problem } from '#foundation/core/problems/problem'
import { SecretBox } from '#foundation/core/secret_box'
import { DisconnectProvider } from '#integrations/actions/disconnect_provider'
import { RecordCheck } from '#integrations/actions/record_check'
import { ResealCredentials } from '#integrations/actions/reseal_credentials'
import { RotateCredentials } from '#integrations/actions/rotate_credentials'
import { openCredentials } from '#integrations/connections/credentials'
import { listConnections } from '#integrations/queries/list_connections'
import { snapshot } from '#tests/support/snapshot'
import { makeWorld, type World } from '#tests/support/world'
import { connect } from './support/connect.js'

const secretsOf = () => app.container.make('integrations.secrets')
async function boxOf(...keys: [string, ...string[]]): Promise<SecretBox> {
  const given = drivers.aes256gcm({ id: 'credentials', keys })
  const config = await configProvider.resolve<ConstructorParameters<typeof Encryption>[0]>(
    app,
    given
  )
  return new SecretBox(new Encryption(config!))
}
const OLD = 'old-key-of-thirty-two-characters'
const NEW = 'new-key-of-thirty-two-characters'

const open = async (world: World, id: string, box?: SecretBox) =>
  openCredentials(unitOfWork.readScope(world.principal), box ?? (await secretsOf()), id)
const list = (world: World) => listConnections(unitOfWork.readScope(world.principal))
const code = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    (error) => (error instanceof Problem ? error.code : String(error))
  )
const audit = async ({ organizationId }: World) =>
  (await db.from('audit_entries').where('organization_id', organizationId).orderBy('created_at'))
    .filter(({ action }) => action.startsWith('connection'))
    .map(({ action, subject }) => [action, subject])

test.group('Connections', () => {
  test('credentials are stored encrypted, and shown by a fingerprint alone', async ({ assert }) => {
    const world = await makeWorld()
    const credentials = { token: 'canary-token-4711', account: 'canary-account' }
    const { id } = await connect(world, 'memory', { alias: 'Team chat', credentials })
    assert.match(id, /^memory:\d{12}$/)
    assert.deepEqual((await open(world, id)).credentials, credentials)
    const [listed] = await list(world)
    assert.containsSubset(listed, {
      id,
      alias: 'Team chat',
      plugin: 'memory',
      status: 'unverified',
      types: ['slack', 'pagerduty'],
      credentials: { set: true, version: 1 },
    })
    assert.match(listed.credentials.fingerprint!, /^[\w-]{12}$/)
    const stored = Object.values(await snapshot([world.organizationId])).join('\n')
    for (const secret of ['canary-token', 'canary-account', btoa('canary-token-4711')]) {
      assert.notInclude(stored, secret)
      assert.notInclude(JSON.stringify(listed), secret)
    }
    assert.deepEqual(await audit(world), [['connection.created', id]])
  })

  test('a ciphertext can be decrypted for its organization, connection and version only', async ({
    assert,
  }) => {
    const [world, other] = [await makeWorld(), await makeWorld()]
    const mine = await connect(world, 'memory', { credentials: { token: 'mine-mine' } })
    const second = await connect(world, 'memory', { credentials: { token: 'second' } })
    const theirs = await connect(other, 'memory', { credentials: { token: 'theirs' } })
    const rows = db.from('connection_secrets')
    const { ciphertext } = await rows.clone().where('connection_id', mine.id).firstOrFail()
    for (const [owner, connection] of [
      [world, second],
      [other, theirs],
    ] as const) {
      await rows.clone().where('connection_id', connection.id).update({ ciphertext })
      assert.equal(await code(open(owner, connection.id)), 'credentials_unreadable')
    }
    await rows.clone().where('connection_id', mine.id).update({ version: 2 })
    assert.equal(await code(open(world, mine.id)), 'credentials_unreadable')
    assert.equal(await code(open(other, mine.id)), 'credentials_missing')
  })

  test('equal credentials have equal fingerprints in any order, others have not', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const ids: string[] = []
    for (const credentials of [
      { token: 'same', account: 'a' },
      { account: 'a', token: 'same' },
      { token: 'same', account: 'b' },
    ]) {
      ids.push((await connect(world, 'memory', { credentials })).id)
    }
    const listed = new Map((await list(world)).map((each) => [each.id, each.credentials]))
    const [one, two, three] = ids.map((id) => listed.get(id)!.fingerprint)
    assert.equal(one, two)
    assert.notEqual(one, three)
  })

  test('an alias is unique in its organization, case-insensitively', async ({ assert }) => {
    const world = await makeWorld()
    const { id } = await connect(world, 'memory', { alias: 'Team Chat' })
    assert.equal(await code(connect(world, 'paper', { alias: 'team chat' })), 'name_taken')
    assert.equal(await code(connect(world, 'paper', { alias: id })), 'name_taken')
    await connect(world, 'paper')
    await connect(world, 'paper')
    await connect(await makeWorld(), 'paper', { alias: 'Team Chat' })
    assert.lengthOf(await list(world), 3)
  })

  test('a connection that violates the schemas, or that the provider refuses, is not stored', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const before = await snapshot([world.organizationId])
    const refused = { ok: false, code: 'unauthorized', message: 'No' } as const
    for (const [input, expected] of [
      [{ credentials: {} }, 'invalid_input'],
      [{ credentials: { token: 'abcd', other: 'x' } }, 'invalid_input'],
      [{ settings: { region: 'mars' } }, 'invalid_input'],
      [{ check: refused }, 'credentials_refused'],
    ] as const) {
      assert.equal(await code(connect(world, 'memory', input)), expected)
    }
    assert.deepEqual(await snapshot([world.organizationId]), before)
  })

  test('a rotation replaces the credentials, and deletes the old ones', async ({ assert }) => {
    const world = await makeWorld()
    const secrets = await secretsOf()
    const { id } = await connect(world, 'memory', { alias: 'Chat' })
    const rotate = (token: string, check: any = null) =>
      world.write((scope) => new RotateCredentials(scope, secrets).handle('chat', { token }, check))
    const well = { ok: true, account: 'Acme', missingPermissions: [] }
    const { version, connection } = await rotate('new-token', well)
    assert.deepEqual([version, connection.status, connection.account], [2, 'connected', 'Acme'])
    assert.deepEqual(await open(world, id), { version: 2, credentials: { token: 'new-token' } })
    const rows = await db.from('connection_secrets').where('connection_id', id).orderBy('version')
    assert.isNull(rows[0].ciphertext)
    assert.isNotNull(rows[0].retired_at)
    const refused = { ok: false, code: 'forbidden', message: 'No' }
    assert.equal(await code(rotate('third-token', refused)), 'credentials_refused')
    assert.equal(await code(rotate('x')), 'invalid_input')
    assert.equal((await open(world, id)).version, 2)
    assert.deepEqual(await audit(world), [
      ['connection.created', id],
      ['connection.rotated', id],
    ])
  })

  test('a check stores its result, unless the credentials changed meanwhile', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const { id } = await connect(world, 'memory')
    const check = (result: any, version = 1) =>
      world.write((scope) => new RecordCheck(scope).handle(id, version, result))
    const failed = (reason: string) => ({ ok: false, code: reason, message: 'No' })
    assert.equal((await check(failed('unavailable'))).status, 'unverified')
    const well = await check({ ok: true, account: 'Acme', missingPermissions: [] })
    assert.deepEqual([well.status, well.account], ['connected', 'Acme'])
    assert.equal((await check(failed('timeout'))).status, 'connected')
    assert.equal((await check(failed('unauthorized'), 2)).status, 'connected')
    assert.equal((await check(failed('unauthorized'))).status, 'needs_reauth')
    assert.deepEqual(
      (await audit(world)).map(([action]) => action),
      ['connection.created', 'connection.statusChanged', 'connection.statusChanged']
    )
  })

  test('disconnecting removes the connection with its credentials', async ({ assert }) => {
    const [world, other] = [await makeWorld(), await makeWorld()]
    const { id } = await connect(world, 'memory')
    const disconnect = (owner: World) =>
      owner.write((scope) => new DisconnectProvider(scope).handle(id, false))
    assert.equal(await code(disconnect(other)), 'not_found')
    assert.deepEqual(await disconnect(world), { id, removed: true })
    assert.deepEqual(await list(world), [])
    assert.lengthOf(await db.from('connection_secrets').where('connection_id', id), 0)
    assert.equal(await code(disconnect(world)), 'not_found')
  })

  test('keys are rotated: the new one encrypts, and the old one can go', async ({ assert }) => {
    const world = await makeWorld()
    const credentials = { token: 'kept-through-it-all' }
    const { id } = await connect(world, 'memory', { credentials })
    const lost = await connect(world, 'memory', { credentials: { token: 'unreadable' } })
    const seal = (box: SecretBox) =>
      world.write((scope) => new ResealCredentials(scope, box).handle())
    const both = await app.container.make('encryption')
    const current = new SecretBox(both.use('credentials'))
    const { ciphertext } = await db
      .from('connection_secrets')
      .where('connection_id', id)
      .firstOrFail()
    // Encrypted under the old key, as if it was stored before the new key was added.
    const owner = `connection:${world.organizationId}:${id}:v1`
    const old = (await boxOf(OLD)).seal(owner, current.open(owner, ciphertext))
    await db.from('connection_secrets').where('connection_id', id).update({ ciphertext: old })
    assert.equal(await code(open(world, id, await boxOf(NEW))), 'credentials_unreadable')
    assert.deepEqual((await open(world, id, await boxOf(NEW, OLD))).credentials, credentials)
    assert.deepEqual(await seal(await boxOf(NEW, OLD)), { resealed: [id], unreadable: [lost.id] })
    assert.deepEqual((await open(world, id, await boxOf(NEW))).credentials, credentials)
    assert.equal(await code(open(world, id, await boxOf(OLD))), 'credentials_unreadable')
  })
})
