import { SignJWT, UnsecuredJWT, type JWTPayload } from 'jose'
import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { quota } from '#foundation/api/services'
import { clock } from '#foundation/core/services'
import { OutboundClient } from '#outbound-client/client'
import { passMinutes } from '#stores/tests/support'
import { Api } from '#tests/support/api'
import { makeApp } from '#tests/support/app_fixture'
import { connectToLoopback } from '#tests/support/loopback'
import { makeWorld, type World } from '#tests/support/world'
import { exchangeToken } from '../exchange_token.js'
import { changeTrustRule, deleteTrustRule, makeTrustRule } from '../trust_rules.js'
import type { TrustRuleInput } from '../validators.js'
import { changed, githubClaims, Issuer } from './issuer.js'

/*
 * The exchange of the token of a run for a key, with an issuer on loopback.
 */

const anyone = new Api(null)

test.group('POST /keylessKey', (group) => {
  let issuer: Issuer
  group.each.setup(async () => {
    issuer = await new Issuer().start()
    const disconnect = await connectToLoopback()
    return async () => {
      disconnect()
      await issuer.stop()
    }
  })

  /** Makes an app whose runs on main and on release branches get a key. */
  async function given(set: Partial<TrustRuleInput> = {}) {
    const world = await makeWorld()
    const appId = await makeApp(world)
    const pilots = await db
      .from('groups')
      .where({ organization_id: world.organizationId, name: 'Release Pilots' })
      .firstOrFail()
    const input: TrustRuleInput = {
      ...{ appId, provider: 'github', issuer: issuer.url, repository: 'acme/app' },
      ...{ audience: 'https://tarmac.acme.example', workflow: '.github/workflows/release.yml' },
      ...{ refs: ['refs/heads/main', 'refs/heads/release/*'], groupIds: [pilots.id] },
      ...set,
    }
    const rule = await world.write((scope) => makeTrustRule(scope, input))
    return { world, appId, input, rule, exchange: exchangeFor(world, appId) }
  }

  const exchangeFor = (world: World, appId: string) => (token: string) =>
    anyone.post('/keylessKey', { orgId: world.organizationId, appId, token })

  test('200 with a key for that app alone and 15 minutes; the audit names the run', async ({
    assert,
  }) => {
    const { world, appId, rule, exchange } = await given()
    const other = await makeApp(world)
    const { status, body, headers } = await exchange(await issuer.token())
    assert.equal(status, 200)
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal(Date.parse(body.expiresAt) - clock.milliseconds() <= 15 * 60_000, true)
    const run = new Api(body.key)
    assert.equal((await run.post(`/app/${appId}/release`, { version: '1.0.0' })).status, 201)
    assert.equal((await run.get(`/app/${other}`)).status, 404)
    const forbidden = await run.post(`/org/${world.organizationId}/webhookEndpoint`, {
      url: 'https://acme.example/hook',
    })
    assert.equal(forbidden.status, 403)

    const entries = await db.from('audit_entries').where('subject', body.apiKeyId)
    const exchanged = entries.find(({ action }) => action === 'key.exchanged')
    assert.deepEqual(JSON.parse(exchanged.data), {
      ...{ trustRuleId: rule.id, appId, issuer: issuer.url, repository: 'acme/app' },
      ...{ repositoryId: '74', workflow: '.github/workflows/release.yml' },
      ...{ ref: 'refs/heads/main', environment: null, event: 'push', run: '4113' },
      ...{ runUrl: `${issuer.url}/acme/app/actions/runs/4113`, startedBy: 'ada' },
    })
    assert.equal(JSON.parse(exchanged.actor).name, 'Run 4113 of acme/app')
    passMinutes(15)
    assert.equal((await run.get(`/app/${appId}`)).status, 401)
  })

  test('401 for a used token, even in concurrent requests', async ({ assert }) => {
    const { world, appId, exchange } = await given()
    const token = await issuer.token()
    const responses = await Promise.all(Array.from({ length: 5 }, () => exchange(token)))
    const statuses = responses.map(({ status }) => status).sort()
    assert.deepEqual(statuses, [200, 401, 401, 401, 401])
    const again = await exchange(token)
    assert.deepEqual([again.status, again.body.code], [401, 'token_refused'])
    assert.include(again.body.detail, 'It was used before.')
    const keys = await db.from('api_keys').where('organization_id', world.organizationId)
    assert.lengthOf(
      keys.filter(({ trust_rule_id: of }) => of !== null),
      1
    )
    // Another organization that trusts the same run does not accept it either.
    const theirs = await given()
    assert.equal((await theirs.exchange(token)).status, 401)
    assert.equal((await exchangeFor(world, appId)(await issuer.token())).status, 200)
  })

  test('401 for tokens that are forged, expired, not yet valid or for another audience', async ({
    assert,
  }) => {
    const { exchange } = await given()
    const now = Math.floor(clock.milliseconds() / 1000)
    const stranger = await new Issuer().start()
    const secret = new TextEncoder().encode(issuer.publicText())
    const cases: [what: string, token: string, detail: string][] = [
      ['forged', await stranger.token({ iss: issuer.url }), 'signature'],
      ['an issuer that nobody trusts', await stranger.token(), 'No rule'],
      ['the issuer with a slash', await issuer.token({ iss: `${issuer.url}/` }), 'No rule'],
      ['expired', await issuer.token({ exp: now - 60 }), 'expired'],
      ['not yet', await issuer.token({ nbf: now + 60 }), 'nbf'],
      ['of the future', await issuer.token({ iat: now + 60 }), 'iat'],
      ['too old', await issuer.token({ iat: now - 90_000 }), 'expired'],
      ['without an end', await issuer.token({ exp: undefined }), 'exp'],
      ['without an id', await issuer.token({ jti: undefined }), 'jti'],
      ['for another audience', await issuer.token({ aud: 'https://other.example' }), 'aud'],
      [
        'for a longer audience',
        await issuer.token({ aud: 'https://tarmac.acme.example/a' }),
        'aud',
      ],
      [
        'signed with the public key as a secret',
        await issuer.token({}, { alg: 'HS256', key: secret }),
        'not accepted',
      ],
      [
        'not signed',
        new UnsecuredJWT({ ...githubClaims(), iss: issuer.url }).setExpirationTime('5m').encode(),
        '',
      ],
      ['of another key', await sign(issuer.url), ''],
      ['no token', 'x.y.z', 'not an OpenID'],
      ['changed', changed(await issuer.token()), 'signature'],
    ]
    for (const [what, token, detail] of cases) {
      const { status, body } = await exchange(token)
      assert.deepEqual([status, body.code], [401, 'token_refused'], what)
      assert.include(body.detail, detail, what)
    }
    await stranger.stop()
    assert.equal((await exchange(await issuer.token({ exp: now - 10 }))).status, 200)
    assert.equal(
      (await exchange(await issuer.token({ aud: ['x', githubClaims().aud as string] }))).status,
      200
    )
  })

  test('401 for another repository, workflow or branch, and for pull requests', async ({
    assert,
  }) => {
    const { exchange } = await given({ repositoryId: '74', environment: 'stores' })
    const file = (repository: string, path: string, ref = 'refs/heads/main') =>
      `${repository}/.github/workflows/${path}@${ref}`
    const right = { environment: 'stores' }
    for (const claims of [
      { repository: 'Acme/app', workflow_ref: file('Acme/app', 'release.yml') },
      { repository: 'acme/app2', workflow_ref: file('acme/app2', 'release.yml') },
      { repository: 'evil/acme/app', workflow_ref: file('evil/acme/app', 'release.yml') },
      // A fork has its own name, whatever its workflow is.
      { repository: 'evil/app', workflow_ref: file('acme/app', 'release.yml') },
      // Another repository has taken the name after a renaming.
      { repository_id: '75' },
      { workflow_ref: file('acme/app', 'other.yml') },
      { ref: 'refs/heads/feature' },
      { ref: 'refs/tags/main' },
      { workflow_ref: file('acme/app', 'release.yml', 'refs/heads/feature') },
      { event_name: 'pull_request', ref: 'refs/pull/7/merge' },
      { event_name: 'pull_request' },
      { event_name: 'pull_request_target' },
      { environment: 'staging' },
      { environment: undefined },
      { repository: ['acme/app'] },
      { run_id: undefined },
    ]) {
      const { status, body } = await exchange(await issuer.token({ ...right, ...claims }))
      assert.deepEqual([status, body.code], [401, 'token_refused'], JSON.stringify(claims))
      assert.notInclude(body.detail, 'refs/heads/release', 'nothing is revealed of the rule')
    }
    const ref = 'refs/heads/release/4.2.0'
    const workflow = file('acme/app', 'release.yml', ref)
    const ok = await exchange(await issuer.token({ ...right, ref, workflow_ref: workflow }))
    assert.equal(ok.status, 200, ok.text)
  })

  test('401 with the same words for an unknown organization or app, and without a rule', async ({
    assert,
  }) => {
    const own = await given()
    const other = await given()
    const alone = await makeApp(own.world)
    const refusal = async (orgId: string, appId: string) => {
      const token = await issuer.token()
      const { status, body } = await anyone.post('/keylessKey', { orgId, appId, token })
      return [status, body.code, body.detail]
    }
    const { organizationId } = own.world
    const first = await refusal('org_nothing', own.appId)
    assert.equal(first[0], 401)
    for (const [orgId, appId] of [
      [organizationId, 'nothing'],
      [organizationId, alone],
      [organizationId, other.appId],
      [other.world.organizationId, own.appId],
    ]) {
      assert.deepEqual(await refusal(orgId, appId), first)
    }
  })

  test('401 once the rule is changed or deleted, which also revokes its keys', async ({
    assert,
  }) => {
    const { world, appId, input, rule, exchange } = await given()
    const key = async () => new Api((await exchange(await issuer.token())).body.key)
    const first = await key()
    assert.equal((await first.get(`/app/${appId}`)).status, 200)
    const elsewhere = { ...input, refs: ['refs/tags/*'] }
    await world.write((scope) => changeTrustRule(scope, rule.id, elsewhere))
    assert.equal((await first.get(`/app/${appId}`)).status, 401)
    assert.equal((await exchange(await issuer.token())).status, 401)
    await world.write((scope) => changeTrustRule(scope, rule.id, input))
    const second = await key()
    await world.write((scope) => deleteTrustRule(scope, rule.id))
    assert.equal((await second.get(`/app/${appId}`)).status, 401)
    assert.equal((await exchange(await issuer.token())).status, 401)
  })

  test('keys of an issuer are cached, and read again for an unknown key', async ({ assert }) => {
    const { exchange } = await given()
    for (let run = 0; run < 3; run++) {
      assert.equal((await exchange(await issuer.token())).status, 200)
    }
    assert.equal(issuer.asked, 1)
    await issuer.rotate('second')
    // The issuer was asked a moment ago, so it is not asked again.
    assert.equal((await exchange(await issuer.token())).status, 401)
    assert.equal(issuer.asked, 1)
    passMinutes(1)
    assert.equal((await exchange(await issuer.token())).status, 200)
    assert.equal(issuer.asked, 2)
    passMinutes(11)
    assert.equal((await exchange(await issuer.token())).status, 200)
    assert.equal(issuer.asked, 3)
  })

  test('503 for an issuer that does not publish its keys, and if the service may not connect', async ({
    assert,
  }) => {
    for (const change of [
      () => (issuer.status = 500),
      () => (issuer.about = { issuer: 'https://other.example' }),
      () => (issuer.about = { jwks_uri: 'http://127.0.0.1:1/keys' }),
      () => app.container.bindValue('outbound', new OutboundClient()),
    ]) {
      await issuer.stop()
      issuer = await new Issuer().start()
      const { exchange } = await given()
      change()
      const { status, body } = await exchange(await issuer.token())
      assert.deepEqual([status, body.code], [503, 'issuer_unreachable'])
    }
    assert.equal(issuer.asked, 0)
  })

  test('503 while an issuer is down, which is rarely asked; each failure counts', async ({
    assert,
  }) => {
    const { exchange } = await given()
    issuer.status = 500
    const counted: string[] = []
    const count = quota.countFailure
    quota.countFailure = (address) => (counted.push(address), count.call(quota, address))
    try {
      for (let run = 0; run < 3; run++) {
        assert.equal((await exchange(await issuer.token())).status, 503)
      }
    } finally {
      Reflect.deleteProperty(quota, 'countFailure')
    }
    assert.lengthOf(counted, 3)
    assert.equal(issuer.requests, 1)
    issuer.status = 200
    passMinutes(1)
    assert.equal((await exchange(await issuer.token())).status, 200)
  })

  test('cached keys stay valid if reading them again fails', async ({ assert }) => {
    const { exchange } = await given()
    assert.equal((await exchange(await issuer.token())).status, 200)
    passMinutes(1)
    issuer.status = 500
    const { status, body } = await exchange(await issuer.token({}, { kid: 'unknown' }))
    assert.deepEqual([status, body.code], [401, 'token_refused'])
    assert.equal((await exchange(await issuer.token())).status, 200)
    passMinutes(10)
    assert.equal((await exchange(await issuer.token())).status, 503)
  })

  test('401 or 503, never 500, for malformed keys and claims', async ({ assert }) => {
    const now = Math.floor(clock.milliseconds() / 1000)
    const { exchange } = await given()
    const claims: Record<string, unknown>[] = [
      ...[{ exp: 1e15 }, { exp: now + 3650 * 86_400 }, { exp: now + 90_000 }],
      ...[{ jti: '' }, { jti: {} }, { aud: [7, 'other'] }, { run_id: '41\u0000' }],
    ]
    for (const each of claims) {
      const { status, body } = await exchange(await issuer.token(each as JWTPayload))
      assert.deepEqual([status, body.code], [401, 'token_refused'], JSON.stringify(each))
    }
    const [key] = issuer.jwks
    for (const [jwks, expected] of [
      [[null], 401],
      [[null, key], 200],
      [[{ ...key!, n: '!' }], 401],
      [[{ ...key!, n: undefined }], 503],
    ] as const) {
      passMinutes(11)
      issuer.jwks = [...jwks]
      assert.equal((await exchange(await issuer.token())).status, expected, JSON.stringify(jwks))
    }
  })

  test('an audience may have a trailing slash', async ({ assert }) => {
    const aud = 'https://tarmac.acme.example'
    for (const audience of [aud, `${aud}/`]) {
      const { rule, exchange } = await given({ audience })
      assert.equal(rule.audience, aud)
      for (const each of [aud, `${aud}/`, [`${aud}/`, 'other']])
        assert.equal((await exchange(await issuer.token({ aud: each }))).status, 200)
    }
  })

  test('200 by the first rule of the app that trusts the run', async ({ assert }) => {
    const { world, input, exchange } = await given({ refs: ['refs/heads/other'] })
    const second = await world.write((scope) =>
      makeTrustRule(scope, { ...input, refs: ['refs/heads/main'], groupIds: [] })
    )
    const { body } = await exchange(await issuer.token())
    const key = await db.from('api_keys').where('id', body.apiKeyId).firstOrFail()
    assert.equal(key.trust_rule_id, second.id)
    const { appId } = input
    assert.equal(
      (await new Api(body.key).post(`/app/${appId}/release`, { version: '1' })).status,
      403
    )
  })

  test('a deleted group gives no rights', async ({ assert }) => {
    const { world, input, exchange } = await given()
    const crew = await world.admin.post(`/org/${world.organizationId}/group`, {
      ...{ name: 'Crew', userActions: ['EditRelease'] },
    })
    await world.write((scope) =>
      makeTrustRule(scope, { ...input, refs: ['refs/tags/*'], groupIds: [crew.body.id] })
    )
    await world.admin.delete(`/org/${world.organizationId}/group/${crew.body.id}`)
    const ref = 'refs/tags/v1'
    const workflow = `acme/app/.github/workflows/release.yml@${ref}`
    const { status } = await exchange(await issuer.token({ ref, workflow_ref: workflow }))
    assert.equal(status, 200)
  })

  test('422 without a token, and for one that is too long', async ({ assert }) => {
    const { world, appId } = await given()
    const orgId = world.organizationId
    for (const token of [undefined, '', 'x'.repeat(20_000), 7]) {
      const { status } = await anyone.post('/keylessKey', { orgId, appId, token })
      assert.equal(status, 422, String(token).slice(0, 10))
    }
  })

  test('a used token is forgotten once it has expired', async ({ assert }) => {
    const { world, appId, exchange } = await given()
    await exchangeToken({ orgId: world.organizationId, appId, token: await issuer.token() })
    const before = await db.from('spent_tokens')
    passMinutes(10)
    await exchange(await issuer.token())
    const after = await db.from('spent_tokens')
    const old = new Set(before.map(({ id }) => id))
    assert.isEmpty(after.filter(({ id }) => old.has(id)))
  })
})

/** Signs a token of an issuer with a key that the issuer does not have. */
const sign = (issuer: string) =>
  new SignJWT({ ...githubClaims(), iss: issuer })
    .setProtectedHeader({ alg: 'HS256', kid: 'none' })
    .setIssuedAt()
    .setExpirationTime('5m')
    .sign(new Uint8Array(32))
