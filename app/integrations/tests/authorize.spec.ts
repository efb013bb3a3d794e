import { createHash } from 'node:crypto'
import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { earlier } from '#foundation/core/clock'
import { clock, unitOfWork } from '#foundation/core/services'
import { RotateCredentials } from '#integrations/actions/rotate_credentials'
import { ProviderCheck } from '#integrations/commands/provider_check'
import { ProviderAuthorize } from '#integrations/commands/provider_authorize'
import { openCredentials } from '#integrations/connections/credentials'
import { Api } from '#tests/support/api'
import { runCommand } from '#tests/support/console'
import { loadTestPlugins } from '#tests/support/plugins/index'
import { makeWorld, type World } from '#tests/support/world'
import { acmePlugin, HEADER, ROTATING } from './support/acme.js'
import { connect } from './support/connect.js'
import { json, ProviderServer, type Behaviour } from '#provider-port/tests/support/provider_server'

const anonymous = new Api(null)
const orgOf = ({ organizationId }: World) => `--org=${organizationId}`

test.group('GET /integrations/oauth/callback', (group) => {
  let server: ProviderServer
  /** Returns the provider's answer to a request for a token. */
  let tokenAnswer: (params: URLSearchParams) => Behaviour
  let issuedTokens = 0
  const scheme = { ...ROTATING, scopes: ['chat:write', 'offline'] } as typeof ROTATING

  group.each.setup(async () => {
    server = await new ProviderServer().start()
    issuedTokens = 0
    tokenAnswer = () =>
      json({
        access_token: `access-${++issuedTokens}`,
        refresh_token: `refresh-${issuedTokens}`,
        expires_in: 3600,
        token_type: 'bearer',
      })
    server.answers((response, seen) => {
      if (seen.url === '/oauth/token') {
        return tokenAnswer(new URLSearchParams(seen.body))(response, seen)
      }
      json({ account: 'ada' })(response, seen)
    })
    await loadTestPlugins({ acme: async () => ({ default: acmePlugin(scheme) }) })
    return async () => {
      await server.stop()
      await loadTestPlugins()
    }
  })

  async function begin(world: World, ...options: string[]) {
    const { code, document, stderr } = await runCommand(ProviderAuthorize, [
      'acme',
      orgOf(world),
      `--set=host=${server.origin}`,
      '--credential=clientId=tarmac-1',
      ...options,
    ])
    if (code !== 0) throw new Error(stderr)
    const url = new URL(document.url)
    return { url, state: url.searchParams.get('state')!, document }
  }

  const finish = (params: Record<string, string>) =>
    anonymous.get(`/integrations/oauth/callback?${new URLSearchParams(params)}`)

  const exchanges = () =>
    server.seen
      .filter(({ url }) => url === '/oauth/token')
      .map(({ body }) => new URLSearchParams(body))
      .filter((body) => body.get('grant_type') === 'authorization_code')

  test('200 exchanges the code with its verifier, and creates the connection', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const { url, state, document } = await begin(world, '--alias=Talk')
    assert.equal(`${url.origin}${url.pathname}`, `${server.origin}/oauth/authorize`)
    const requested = Object.fromEntries(url.searchParams)
    assert.containsSubset(requested, {
      response_type: 'code',
      client_id: 'tarmac-1',
      redirect_uri: document.redirectUri,
      scope: 'chat:write offline',
      code_challenge_method: 'S256',
    })
    assert.match(document.redirectUri, /\/integrations\/oauth\/callback$/)
    const { status, text, headers } = await finish({ state, code: 'canary-code' })
    assert.equal(status, 200, text)
    assert.include(headers['content-type'], 'text/html')
    const [exchange] = exchanges()
    const challenge = createHash('sha256')
      .update(exchange.get('code_verifier')!)
      .digest('base64url')
    assert.equal(challenge, requested.code_challenge)
    assert.equal(exchange.get('code'), 'canary-code')
    assert.equal(exchange.get('redirect_uri'), document.redirectUri)
    const [connection] = await db
      .from('connections')
      .where({ organization_id: world.organizationId, alias: 'Talk' })
    assert.include(text, connection.id)
    assert.deepInclude(connection, { status: 'connected', account: 'ada' })
    const secrets = await app.container.make('integrations.secrets')
    const scope = unitOfWork.readScope(world.principal)
    const { credentials } = await openCredentials(scope, secrets, connection.id)
    // The check of the credentials renewed both tokens, and the new refresh token is stored.
    assert.deepEqual(credentials, { clientId: 'tarmac-1', refreshToken: `refresh-${issuedTokens}` })
    assert.lengthOf(await db.from('oauth_starts').where('organization_id', world.organizationId), 0)
  })

  test('200 finishes an authorization that began on a page, only for the browser that began it', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const org = `/org/${world.organizationId}`
    const sent = {
      ...{ alias: 'Talk', settings: { host: server.origin }, browser: 'sgn_of_ada' },
      credentials: { clientId: 'tarmac-1' },
    }
    const started = await world.admin.post(`${org}/integrationPlugin/acme/authorize`, sent)
    const requested = Object.fromEntries(new URL(started.body.url).searchParams)
    assert.equal(requested.redirect_uri, started.body.redirectUri)
    const complete = (browser: string) =>
      world.admin.post(`${org}/integrationAuthorization/${requested.state}/complete`, {
        ...{ browser, code: 'canary-code' },
      })
    assert.equal((await complete('sgn_of_eve')).status, 404)
    assert.lengthOf(exchanges(), 0)
    const done = await complete('sgn_of_ada')
    assert.equal(done.body.connection.status, 'connected')
    const [exchange] = exchanges()
    const verifier = exchange.get('code_verifier')!
    const challenge = createHash('sha256').update(verifier).digest('base64url')
    assert.equal(challenge, requested.code_challenge)
    assert.equal(exchange.get('redirect_uri'), started.body.redirectUri)
    const withoutClient = await world.admin.post(`${org}/integrationPlugin/acme/authorize`, {
      ...sent,
      credentials: {},
    })
    assert.deepEqual(
      [withoutClient.status, withoutClient.body.errors[0].pointer],
      [422, '/credentials/clientId']
    )
  })

  test('200 sends no challenge and no verifier if the plugin declares no PKCE', async ({
    assert,
  }) => {
    await loadTestPlugins({
      acme: async () => ({ default: acmePlugin({ ...scheme, pkce: false } as typeof ROTATING) }),
    })
    const { url, state } = await begin(await makeWorld())
    assert.isNull(url.searchParams.get('code_challenge'))
    assert.isNull(url.searchParams.get('code_challenge_method'))
    assert.equal((await finish({ state, code: 'c' })).status, 200)
    assert.isNull(exchanges()[0].get('code_verifier'))
  })

  test('200 keeps and uses the access token of a provider that gives no refresh token', async ({
    assert,
  }) => {
    await loadTestPlugins({ acme: async () => ({ default: acmePlugin(scheme, true) }) })
    tokenAnswer = () => json({ access_token: 'lasting', token_type: 'bearer' })
    const world = await makeWorld()
    const { state } = await begin(world, '--alias=Lasting')
    const { status, text } = await finish({ state, code: 'c' })
    assert.equal(status, 200, text)
    const [connection] = await db
      .from('connections')
      .where({ organization_id: world.organizationId, alias: 'Lasting' })
    assert.equal(connection.status, 'connected')
    const secrets = await app.container.make('integrations.secrets')
    const scope = unitOfWork.readScope(world.principal)
    const { credentials } = await openCredentials(scope, secrets, connection.id)
    assert.deepEqual(credentials, { clientId: 'tarmac-1', accessToken: 'lasting' })
    const checks = server.seen.filter(({ url }) => url === '/me')
    assert.deepEqual(
      checks.map(({ headers }) => headers.authorization),
      ['Bearer lasting']
    )
    // No refresh token can renew it: once it is refused, the connection needs new credentials.
    server.answers((response, seen) => json({ error: 'invalid' }, 401)(response, seen))
    const checked = await runCommand(ProviderCheck, [connection.id, orgOf(world)])
    assert.equal(checked.code, 1)
    assert.equal(checked.document.status, 'needs_reauth')
  })

  test('200 gives an existing connection new credentials', async ({ assert }) => {
    const world = await makeWorld()
    const credentials = { clientId: 'old', refreshToken: 'old' }
    const { id } = await connect(world, 'acme', { settings: { host: server.origin }, credentials })
    const { state } = await begin(world, `--connection=${id}`)
    assert.equal((await finish({ state, code: 'c' })).status, 200)
    const rows = await db.from('connections').where('organization_id', world.organizationId)
    assert.deepEqual(
      rows.map((row) => [row.id, row.status]),
      [[id, 'connected']]
    )
  })

  test('409 keeps credentials that changed while the provider was called', async ({ assert }) => {
    const world = await makeWorld()
    const org = `/org/${world.organizationId}`
    const secrets = await app.container.make('integrations.secrets')
    const made = await connect(world, 'acme', {
      ...{ settings: { host: server.origin } },
      credentials: { clientId: 'first', refreshToken: 'given' },
    })
    const at = `${org}/integration/${made.id}`
    const storedCredentials = async () => {
      const scope = unitOfWork.readScope(world.principal)
      return (await openCredentials(scope, secrets, made.id)).credentials
    }
    const rotate = (credentials: object) => world.admin.post(`${at}/rotate`, { credentials })
    const change = (clientId: string) =>
      world.write((scope) =>
        new RotateCredentials(scope, secrets).handle(
          made.id,
          { clientId, refreshToken: clientId },
          null
        )
      )
    const usualAnswer = tokenAnswer
    /** Runs a change during the next request for a token. */
    const duringNextToken = (concurrent: () => Promise<unknown>) => {
      tokenAnswer = (params) => async (response, seen) => {
        tokenAnswer = usualAnswer
        await concurrent()
        await usualAnswer(params)(response, seen)
      }
    }

    // An authorization that began before another change cannot be finished.
    const early = await begin(world, `--connection=${made.id}`)
    await change('second')
    assert.equal(
      (await finish({ state: early.state, code: 'c' })).body.code,
      'authorization_unknown'
    )
    const during = await begin(world, `--connection=${made.id}`)
    duringNextToken(() => change('third'))
    assert.equal((await finish({ state: during.state, code: 'c' })).body.code, 'conflict')
    assert.equal((await storedCredentials()).clientId, 'third')

    duringNextToken(() => change('fourth'))
    const raced = await rotate({ clientId: 'raced' })
    assert.deepEqual([raced.status, raced.body.code], [409, 'conflict'])
    assert.deepEqual(await storedCredentials(), { clientId: 'fourth', refreshToken: 'fourth' })

    // A rotation keeps the renewed refresh token, not the one that was first given.
    assert.equal((await world.admin.post(`${at}/check`)).body.isWorking, true)
    const renewed = `refresh-${issuedTokens}`
    assert.equal((await rotate({ clientId: 'fifth' })).status, 200)
    const usedTokens = server.seen
      .filter(({ url }) => url === '/oauth/token')
      .map(({ body }) => new URLSearchParams(body).get('refresh_token'))
    assert.equal(usedTokens.at(-1), renewed)

    const late = await begin(world, `--connection=${made.id}`)
    const waiting = await begin(world, `--connection=${made.id}`)
    duringNextToken(() => world.admin.delete(at))
    assert.equal((await finish({ state: late.state, code: 'c' })).status, 404)
    assert.equal((await finish({ state: waiting.state, code: 'c' })).status, 404)
    assert.lengthOf(await db.from('oauth_starts').where('organization_id', world.organizationId), 0)
  })

  test('409 without a code, or with the callback of another kind of step; the state stays usable', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const { state } = await begin(world)
    for (const more of [{}, { setup_action: 'install' }] as Record<string, string>[]) {
      const { status, body } = await finish({ state, ...more })
      assert.deepEqual([status, body.code], [409, 'authorization_refused'])
    }
    assert.equal((await finish({ state, code: 'c' })).status, 200)
  })

  test('409 refuses a taken name before the browser is sent to the provider', async ({
    assert,
  }) => {
    const world = await makeWorld()
    await connect(world, 'memory', { alias: 'Taken' })
    const path = `/org/${world.organizationId}/integrationPlugin/acme/authorize`
    const { status, body } = await world.admin.post(path, {
      ...{ alias: 'taken', settings: { host: server.origin }, browser: 'sgn_of_ada' },
      credentials: { clientId: 'tarmac-1' },
    })
    assert.deepEqual([status, body.code], [409, 'name_taken'])
    assert.lengthOf(await db.from('oauth_starts').where('organization_id', world.organizationId), 0)
  })

  test('404 for a state that is unknown, used, expired or of another row; no provider is called', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const { state } = await begin(world)
    assert.equal((await finish({ state, code: 'c' })).status, 200)
    const late = await begin(world)
    await db
      .from('oauth_starts')
      .where('organization_id', world.organizationId)
      .update({ expires_at: earlier(clock.now(), 1) })
    const before = exchanges().length
    // The row of this state gets the hash of the state `forged`.
    const moved = await begin(world)
    const hash = (text: string) => createHash('sha256').update(text).digest('hex')
    await db
      .from('oauth_starts')
      .where('state_hash', hash(moved.state))
      .update({ state_hash: hash('forged') })
    for (const each of [state, late.state, 'forged', 'x', '__proto__', moved.state]) {
      const { status, body } = await finish({ state: each, code: 'c' })
      assert.deepEqual([status, body.code], [404, 'authorization_unknown'], each)
    }
    assert.lengthOf(exchanges(), before)
  })

  test('concurrent callbacks create one connection', async ({ assert }) => {
    const world = await makeWorld()
    const { state } = await begin(world)
    const responses = await Promise.all([1, 2, 3].map(() => finish({ state, code: 'c' })))
    assert.deepEqual(responses.map(({ status }) => status).toSorted(), [200, 404, 404])
    assert.lengthOf(await db.from('connections').where('organization_id', world.organizationId), 1)
  })

  test('409 if the provider or person refuses; the state is used up, no text is passed on', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const refused = async (params: Record<string, string>) => {
      const { state } = await begin(world)
      const { status, body, text } = await finish({ state, ...params })
      assert.deepEqual([status, body.code], [409, 'authorization_refused'], text)
      assert.equal((await finish({ state, code: 'c' })).status, 404)
      return body.detail as string
    }
    assert.include(await refused({ error: 'access_denied' }), 'access_denied')
    assert.notInclude(await refused({ error: '<script>' }), 'script')
    for (const behaviour of [
      json({ error: 'invalid_grant', error_description: 'canary-code' }, 400),
      json({ access_token: 'a', token_type: 'bearer' }),
      json({ odd: true }),
      json('<html>', 200),
    ]) {
      tokenAnswer = () => behaviour
      assert.notInclude(await refused({ code: 'canary-code' }), 'canary')
    }
    assert.lengthOf(await db.from('connections').where('organization_id', world.organizationId), 0)
  })

  test('404 without a state', async ({ assert }) => {
    const { status, body } = await finish({ code: 'c' })
    assert.deepEqual([status, body.code], [404, 'authorization_unknown'])
  })

  test('provider:authorize says what is missing, and begins nothing', async ({ assert }) => {
    const world = await makeWorld()
    const run = (...options: string[]) =>
      runCommand(ProviderAuthorize, ['acme', orgOf(world), ...options])
    const host = `--set=host=${server.origin}`
    for (const [options, reported] of [
      [[host], 'clientId'],
      [['--credential=clientId=a'], 'host'],
      [[host, '--credential=clientId=a', '--credential=odd=a'], 'odd'],
      [[host, '--credential=clientId=a', '--connection=acme:1'], 'acme:1'],
    ] as const) {
      const { code, stderr } = await run(...options)
      assert.notEqual(code, 0)
      assert.include(stderr, reported)
    }
    await loadTestPlugins({ acme: async () => ({ default: acmePlugin(HEADER) }) })
    const { code, stderr } = await run(host, '--credential=clientId=a')
    assert.notEqual(code, 0)
    assert.include(stderr, 'cannot be connected in a browser')
    assert.lengthOf(await db.from('oauth_starts').where('organization_id', world.organizationId), 0)
  })
})
