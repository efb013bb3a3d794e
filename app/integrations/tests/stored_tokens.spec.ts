import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { clock, unitOfWork } from '#foundation/core/services'
import { pairsOf } from '#integrations/authentication/pairs_of'
import { RefreshRefused, type TokenPair } from '#plugin-kit/authentication/strategies'
import { IntegrationsRotateKeys } from '#integrations/commands/integrations_rotate_keys'
import { ProviderCheck } from '#integrations/commands/provider_check'
import { ProviderConnect } from '#integrations/commands/provider_connect'
import { ProviderRotate } from '#integrations/commands/provider_rotate'
import { openConnection } from '#integrations/connections/open_connection'
import { findConnection } from '#integrations/queries/find_connection'
import { pause } from '#provider-port/make_port'
import { runCommand } from '#tests/support/console'
import { loadTestPlugins } from '#tests/support/plugins/index'
import { makeWorld, type World } from '#tests/support/world'
import { acmePlugin, ROTATING } from './support/acme.js'
import { errorOf } from '#provider-port/tests/support/port_stage'
import { json, ProviderServer } from '#provider-port/tests/support/provider_server'

const orgOf = ({ organizationId }: World) => `--org=${organizationId}`

/**
 * Returns a token endpoint that accepts each refresh token once, and an API that accepts the last
 * token.
 */
function rotating(server: ProviderServer, seconds = 3600) {
  let turn = 0
  server.answers((response, seen) => {
    if (seen.url !== '/oauth/token') {
      const isGood = seen.headers.authorization === `Bearer access-${turn}`
      return json({ account: 'ada' }, isGood ? 200 : 401)(response, seen)
    }
    const given = new URLSearchParams(seen.body).get('refresh_token')
    if (given !== `refresh-${turn}`) return json({ error: 'invalid_grant' }, 400)(response, seen)
    turn += 1
    json({
      access_token: `access-${turn}`,
      refresh_token: `refresh-${turn}`,
      expires_in: seconds,
      token_type: 'bearer',
    })(response, seen)
  })
}

test.group('Rotating refresh tokens', (group) => {
  let server: ProviderServer

  group.each.setup(async () => {
    server = await new ProviderServer().start()
    await loadTestPlugins({ acme: async () => ({ default: acmePlugin(ROTATING) }) })
    return async () => {
      await server.stop()
      await loadTestPlugins()
    }
  })

  async function connected(world: World, ...options: string[]): Promise<string> {
    const { code, document, stderr } = await runCommand(ProviderConnect, [
      'acme',
      orgOf(world),
      `--set=host=${server.origin}`,
      '--credential=clientId=me',
      '--credential=refreshToken=refresh-0',
      ...options,
    ])
    if (code !== 0) throw new Error(stderr)
    return document.id
  }

  const check = (world: World, id: string) => runCommand(ProviderCheck, [id, orgOf(world)])

  async function pairsFor(world: World, id: string) {
    const scope = unitOfWork.readScope(world.principal)
    const secrets = await app.container.make('integrations.secrets')
    const opened = await openConnection(scope, secrets, await findConnection(scope, id))
    return pairsOf({ unitOfWork, secrets, clock, pause })(opened)
  }

  const tokens = () => server.seen.filter(({ url }) => url === '/oauth/token').length

  test('trying credentials uses up a refresh token, and stores its successor', async ({
    assert,
  }) => {
    rotating(server)
    const world = await makeWorld()
    const id = await connected(world)
    assert.equal(tokens(), 1)
    const { code, document } = await check(world, id)
    assert.deepEqual([code, document.account], [0, 'ada'])
    assert.equal(tokens(), 2)
    const again = await check(world, id)
    assert.equal(again.code, 0)
    assert.equal(tokens(), 2)
  })

  test('a new process finds the pair, encrypted and bound to its connection', async ({
    assert,
  }) => {
    rotating(server)
    const [one, other] = [await makeWorld(), await makeWorld()]
    const id = await connected(one, '--no-check')
    await check(one, id)
    const row = await db.from('connection_tokens').where('connection_id', id).firstOrFail()
    assert.isNull(row.lease_id)
    for (const secret of ['access-', 'refresh-']) {
      assert.notInclude(row.ciphertext, secret)
      assert.notInclude(row.ciphertext, Buffer.from(secret).toString('base64'))
    }
    const never = () => Promise.reject(new Error('not renewed'))
    const pair = await (await pairsFor(one, id)).get(() => true, never)
    assert.equal(pair.access.value, 'access-1')
    const foreign = await connected(other, '--no-check')
    await check(one, id)
    await db.table('connection_tokens').insert({
      ...row,
      organization_id: other.organizationId,
      connection_id: foreign,
    })
    const error = await errorOf((await pairsFor(other, foreign)).get(() => true, never))
    assert.equal(error.message, 'not renewed')
  })

  test('several processes that need a token at once renew it once', async ({ assert }) => {
    const world = await makeWorld()
    const id = await connected(world, '--no-check')
    let renewals = 0
    const given: string[] = []
    const renew = async (refreshToken: string): Promise<TokenPair> => {
      renewals += 1
      given.push(refreshToken)
      await new Promise((done) => setTimeout(done, 50))
      const gotAt = clock.milliseconds()
      const access = { value: `access-${renewals}`, gotAt, expiresAt: gotAt + 3_600_000 }
      return { access, refreshToken: `refresh-${renewals}` }
    }
    const processes = await Promise.all(Array.from({ length: 4 }, () => pairsFor(world, id)))
    const got = await Promise.all(processes.map((each) => each.get(() => true, renew)))
    assert.deepEqual(
      got.map(({ access }) => access.value),
      Array(4).fill('access-1')
    )
    const isNew = (pair: TokenPair) => pair.refreshToken !== 'refresh-1'
    await Promise.all(processes.map((each) => each.get(isNew, renew)))
    assert.deepEqual([renewals, given], [2, ['refresh-0', 'refresh-1']])
  })

  test('a renewal that failed or never ended does not block the next', async ({ assert }) => {
    const world = await makeWorld()
    const id = await connected(world, '--no-check')
    const pairs = await pairsFor(world, id)
    const failing = () => Promise.reject(new Error('away'))
    assert.equal((await errorOf(pairs.get(() => true, failing))).message, 'away')
    const lease = { lease_id: 'dead', leased_until: '2020-01-01T00:00:00.000Z' }
    await db.from('connection_tokens').where('connection_id', id).update(lease)
    const expiresAt = clock.milliseconds() + 1000
    const pair = { access: { value: 'a', gotAt: 0, expiresAt }, refreshToken: 'r' }
    assert.deepEqual(
      await pairs.get(
        () => true,
        async () => pair
      ),
      pair
    )
  })

  test('a pair that came after the end of its lease is stored, unless another one is by then', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const id = await connected(world, '--no-check')
    const [slow, fast] = [await pairsFor(world, id), await pairsFor(world, id)]
    const pairOf = (name: string): TokenPair => {
      const gotAt = clock.milliseconds()
      return { access: { value: name, gotAt, expiresAt: gotAt + 3_600_000 }, refreshToken: name }
    }
    const expireLease = () =>
      db
        .from('connection_tokens')
        .where('connection_id', id)
        .update({ leased_until: '2020-01-01T00:00:00.000Z' })
    const never = () => Promise.reject(new Error('not renewed'))
    const first = await slow.get(
      () => true,
      async () => {
        await expireLease()
        return pairOf('first')
      }
    )
    assert.deepEqual(await fast.get(() => true, never), first)

    const isOther = ({ refreshToken }: TokenPair) => refreshToken !== 'first'
    const got = await slow.get(isOther, async () => {
      await expireLease()
      await fast.get(isOther, async () => pairOf('faster'))
      return pairOf('slower')
    })
    assert.equal(got.refreshToken, 'faster')
    const refusal = new RefreshRefused('unauthorized', 'No', { outcome: 'notApplied' })
    const isNewer = ({ refreshToken }: TokenPair) => !['first', 'faster'].includes(refreshToken)
    const saved = await slow.get(isNewer, async () => {
      await expireLease()
      await fast.get(isNewer, async () => pairOf('newest'))
      throw refusal
    })
    assert.equal(saved.refreshToken, 'newest')
    const { status } = await db.from('connections').where('id', id).firstOrFail()
    assert.equal(status, 'unverified')
  })

  test('a pair of credentials that were replaced meanwhile is not used', async ({ assert }) => {
    const world = await makeWorld()
    const id = await connected(world, '--no-check')
    const pairs = await pairsFor(world, id)
    const error = await errorOf(
      pairs.get(
        () => true,
        async () => {
          await runCommand(ProviderRotate, [
            id,
            orgOf(world),
            '--credential=clientId=me',
            '--credential=refreshToken=refresh-9',
          ])
          const gotAt = clock.milliseconds()
          const access = { value: 'a', gotAt, expiresAt: gotAt + 3_600_000 }
          return { access, refreshToken: 'of-the-old-ones' }
        }
      )
    )
    assert.include(error.message, 'replaced')
  })

  test('a permanent refusal of the refresh token is recorded in the connection', async ({
    assert,
  }) => {
    rotating(server)
    const world = await makeWorld()
    const id = await connected(world, '--no-check', '--alias=chat')
    server.answers(json({ error: 'invalid_grant' }, 400))
    const pairs = await pairsFor(world, id)
    const refusal = new RefreshRefused('unauthorized', 'No', { outcome: 'notApplied' })
    const error = await errorOf(
      pairs.get(
        () => true,
        () => Promise.reject(refusal)
      )
    )
    assert.equal(error.code, 'unauthorized')
    const { status } = await db.from('connections').where('id', id).firstOrFail()
    assert.equal(status, 'needs_reauth')
    const checked = await check(world, id)
    assert.containsSubset(checked.document, { code: 'unauthorized', status: 'needs_reauth' })
    const audits = await db.from('audit_entries').where('subject', id).select('action')
    assert.includeDeepMembers(audits, [{ action: 'connection.statusChanged' }])

    rotating(server)
    const rotated = await runCommand(ProviderRotate, [
      'chat',
      orgOf(world),
      '--credential=clientId=me',
      '--credential=refreshToken=refresh-0',
    ])
    assert.equal(rotated.document?.status, 'connected', rotated.stderr)
    assert.equal((await check(world, id)).code, 0)
  })

  test('tokens are encrypted again together with the credentials', async ({ assert }) => {
    rotating(server)
    await db.from('connection_secrets').delete()
    const world = await makeWorld()
    const id = await connected(world, '--no-check')
    await check(world, id)
    const sealed = async () =>
      (await db.from('connection_tokens').where('connection_id', id).firstOrFail()).ciphertext
    const before = await sealed()
    assert.equal((await runCommand(IntegrationsRotateKeys, [])).code, 0)
    assert.notEqual(await sealed(), before)
    const never = () => Promise.reject(new Error('not renewed'))
    const pair = await (await pairsFor(world, id)).get(() => true, never)
    assert.equal(pair.access.value, 'access-1')
  })
})
