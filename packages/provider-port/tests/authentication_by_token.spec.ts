import { test } from '@japa/runner'
import { jwtVerify } from 'jose'
import type { PluginManifest } from '../../plugin-kit/manifest.js'
import { errorOf, stageOf, type PortStage } from './support/port_stage.js'
import { json, type Behaviour } from './support/provider_server.js'
import { bearers, named, pem, read, rsa } from './support/signed_calls.js'

/** Issues tokens on one path, and checks them on all others. */
function issuing(path: string, token: (turn: number) => Behaviour, isGood = (_: string) => true) {
  let turn = 0
  const behaviour: Behaviour = (response, seen) => {
    if (seen.url === path) return token(++turn)(response, seen)
    const good = isGood(seen.headers.authorization ?? '')
    json(good ? { ok: true } : { message: 'Bad credentials' }, good ? 200 : 401)(response, seen)
  }
  return behaviour
}

const github = {
  auth: [{ scheme: 'githubApp' as const }],
  hosts: { allow: ['api.github.com'], selfHosted: false },
}
const githubPath = '/app/installations/42/access_tokens'
const githubCredentials = {
  appId: 7,
  installationId: '42',
  privateKey: pem(rsa.privateKey, 'pkcs1'),
}

const google: Partial<PluginManifest> = named({
  scheme: 'googleServiceAccount',
  scopes: ['https://www.googleapis.com/auth/androidpublisher', 'x'],
})
const serviceAccount = JSON.stringify({
  client_email: 'bot@acme.iam.example',
  private_key: pem(rsa.privateKey),
  private_key_id: 'G1',
  token_uri: 'https://evil.example/token',
})

const xray = named({
  scheme: 'twoStep',
  tokenPath: '/api/v2/authenticate',
  lifetimeSeconds: 86_400,
})
const xrayCredentials = { clientId: 'id', clientSecret: 'canary-secret' }

const oauth = (rotatingRefresh: boolean): Partial<PluginManifest> =>
  named({
    scheme: 'oauth2',
    authorizeUrl: 'https://auth.acme.example/authorize',
    tokenUrl: 'https://auth.acme.example/oauth/token',
    scopes: [],
    pkce: true,
    rotatingRefresh,
  })
const oauthCredentials = {
  clientId: 'id',
  clientSecret: 'canary-secret',
  refreshToken: 'refresh-0',
}

/** The strategies that get tokens: the endpoint, the credentials, and the form of an answer. */
const STRATEGIES = [
  {
    name: 'GitHub App',
    manifest: github,
    credentials: githubCredentials,
    path: githubPath,
    seconds: 3600,
    answer: (token: string, stage: PortStage) =>
      json(
        { token, expires_at: new Date(stage.clock.milliseconds() + 3600_000).toISOString() },
        201
      ),
  },
  {
    name: 'Google service account',
    manifest: google,
    credentials: { serviceAccount },
    path: '/token',
    seconds: 3600,
    answer: (token: string) =>
      json({ access_token: token, expires_in: 3600, token_type: 'Bearer' }),
  },
  {
    name: 'two steps',
    manifest: xray,
    credentials: xrayCredentials,
    path: '/api/v2/authenticate',
    seconds: 86_400,
    answer: (token: string) => json(token),
  },
  {
    name: 'OAuth 2',
    manifest: oauth(true),
    credentials: oauthCredentials,
    path: '/oauth/token',
    seconds: 3600,
    answer: (token: string) =>
      json({
        access_token: token,
        refresh_token: `after-${token}`,
        expires_in: 3600,
        token_type: 'bearer',
      }),
  },
]

test.group('Authentication by a token of the provider', () => {
  for (const { name, manifest, credentials, path, seconds, answer: respond } of STRATEGIES) {
    const started = async (
      cleanup: Parameters<typeof stageOf>[0],
      report?: (turn: number) => Behaviour
    ) => {
      const stage = await stageOf(cleanup, { isNamed: true })
      stage.server.answers(issuing(path, report ?? ((turn) => respond(`token-${turn}`, stage))))
      return stage
    }

    test(`${name} is requested once for all callers, and again before it expires`, async ({
      assert,
      cleanup,
    }) => {
      const stage = await started(cleanup)
      const use = stage.use({ manifest, credentials })
      await Promise.all(Array.from({ length: 5 }, () => use.http.send(read)))
      assert.deepEqual(bearers(stage), Array(5).fill('Bearer token-1'))
      const again = stage.use({ manifest, credentials })
      stage.clock.advance((seconds - 61) * 1000)
      await again.http.send(read)
      assert.equal(bearers(stage).at(-1), 'Bearer token-1')
      stage.clock.advance(2000)
      await use.http.send(read)
      assert.equal(bearers(stage).at(-1), 'Bearer token-2')
      assert.lengthOf(
        stage.server.seen.filter(({ url }) => url === path),
        2
      )
    })

    test(`${name} is never shared with another connection or with earlier credentials`, async ({
      assert,
      cleanup,
    }) => {
      const stage = await started(cleanup)
      for (const more of [{}, { connectionId: 'acme:2' }, { version: 2 }]) {
        await stage.use({ manifest, credentials, ...more }).http.send(read)
      }
      assert.deepEqual(bearers(stage), ['Bearer token-1', 'Bearer token-2', 'Bearer token-3'])
    })

    test(`${name} is not issued for refused credentials: the call is unauthorized, and nothing is sent`, async ({
      assert,
      cleanup,
    }) => {
      const stage = await started(cleanup, () =>
        json({ error: 'invalid_client', error_description: 'canary-secret is wrong' }, 401)
      )
      const error = await errorOf(stage.use({ manifest, credentials }).http.send(read))
      assert.deepEqual([error.code, error.detail.reason], ['unauthorized', 'invalid_client'])
      assert.equal(error.detail.outcome, 'notApplied')
      assert.deepEqual(bearers(stage), [])
      const reported = error.stack + JSON.stringify([error.detail, stage.logged])
      for (const secret of ['canary', 'PRIVATE KEY', 'refresh-0'])
        assert.notInclude(reported, secret)
    })

    test(`${name} blames a wrong clock only if the request is signed`, async ({
      assert,
      cleanup,
    }) => {
      let theirs = ''
      const stage = await started(cleanup, () =>
        json({ error: 'invalid_grant' }, 401, { date: theirs })
      )
      theirs = new Date(stage.clock.milliseconds() - 5 * 60_000).toUTCString()
      const { message } = await errorOf(stage.use({ manifest, credentials }).http.send(read))
      const isSigned = /GitHub|Google/.test(name)
      assert.equal(/clock of this machine is 5 minutes ahead of/.test(message), isSigned, message)
    })

    test(`${name} is not refused by an endpoint that is unreachable or answers nonsense`, async ({
      assert,
      cleanup,
    }) => {
      for (const [behaviour, code] of [
        [json({}, 503), 'unavailable'],
        [json({}, 429, { 'retry-after': '100' }), 'quotaExhausted'],
        [json({ nothing: true }), 'protocol'],
        [json({ access_token: 'a\nb', token: 'a b', token_type: 'bearer' }), 'protocol'],
      ] as const) {
        const stage = await started(cleanup, () => behaviour)
        const error = await errorOf(stage.use({ manifest, credentials }).http.send(read))
        assert.deepEqual([error.code, error.detail.outcome], [code, 'notApplied'])
        assert.deepEqual(bearers(stage), [])
      }
    })

    test(`${name} is requested again, once, if it is revoked early`, async ({
      assert,
      cleanup,
    }) => {
      const stage = await stageOf(cleanup, { isNamed: true })
      let good = 'Bearer token-2'
      stage.server.answers(
        issuing(
          path,
          (turn) => respond(`token-${turn}`, stage),
          (given) => given === good
        )
      )
      const use = stage.use({ manifest, credentials })
      assert.equal((await use.http.send({ ...read, method: 'POST' })).status, 200)
      assert.deepEqual(bearers(stage), ['Bearer token-1', 'Bearer token-2'])
      good = 'none'
      assert.equal((await errorOf(use.http.send(read))).code, 'unauthorized')
      assert.lengthOf(bearers(stage), 4)
    })
  }

  test('GitHub App: signs for itself with a key as GitHub hands it out', async ({
    assert,
    cleanup,
  }) => {
    const stage = await stageOf(cleanup, { isNamed: true })
    const hosts = { allow: ['api.github.com'], selfHosted: true }
    const enterprise = `/api/v3${githubPath}`
    stage.server.answers(issuing(enterprise, () => json({ token: 't', expires_at: 'soon' }, 201)))
    const manifest = { ...github, hosts }
    await stage
      .use({ manifest, credentials: githubCredentials, settings: { host: 'ghe.acme.example' } })
      .http.send(read)
    const [{ url, headers }] = stage.server.seen
    assert.deepEqual([url, headers.host], [enterprise, 'ghe.acme.example'])
    const currentDate = new Date(stage.clock.milliseconds())
    const jwt = String(headers.authorization).slice(7)
    const { payload } = await jwtVerify(jwt, rsa.publicKey, { currentDate })
    assert.equal(payload.iss, '7')
    assert.isAtMost(payload.exp! - payload.iat!, 600)
    assert.equal(stage.logged[0].path, '/app/installations/{installation}/access_tokens')
  })

  test('Google: asks Google, whatever endpoint the key file names', async ({ assert, cleanup }) => {
    const stage = await stageOf(cleanup, { isNamed: true })
    stage.server.answers(issuing('/token', () => json({ access_token: 't', expires_in: '3599' })))
    await stage.use({ manifest: google, credentials: { serviceAccount } }).http.send(read)
    const [{ headers, body }] = stage.server.seen
    assert.equal(headers.host, 'oauth2.googleapis.com')
    const form = new URLSearchParams(body)
    assert.equal(form.get('grant_type'), 'urn:ietf:params:oauth:grant-type:jwt-bearer')
    const currentDate = new Date(stage.clock.milliseconds())
    const { payload } = await jwtVerify(form.get('assertion')!, rsa.publicKey, { currentDate })
    assert.deepEqual(
      [payload.iss, payload.scope, payload.aud],
      [
        'bot@acme.iam.example',
        'https://www.googleapis.com/auth/androidpublisher x',
        'https://oauth2.googleapis.com/token',
      ]
    )
    const broken = { serviceAccount: '{"private_key": canary' }
    const error = await errorOf(
      stage.use({ manifest: google, credentials: broken, version: 2 }).http.send(read)
    )
    assert.equal(error.code, 'unauthorized')
    assert.notInclude(error.stack, 'canary')
  })

  test('OAuth 2: uses the latest refresh token', async ({ assert, cleanup }) => {
    for (const isRotating of [true, false]) {
      const stage = await stageOf(cleanup, { isNamed: true })
      stage.server.answers(
        issuing('/oauth/token', (turn) =>
          json({
            access_token: `token-${turn}`,
            ...(isRotating ? { refresh_token: `refresh-${turn}` } : {}),
            expires_in: 60,
            token_type: 'bearer',
          })
        )
      )
      const use = stage.use({ manifest: oauth(isRotating), credentials: oauthCredentials })
      for (let turn = 0; turn < 3; turn++) {
        await use.http.send(read)
        stage.clock.advance(60_000)
      }
      const forms = stage.server.seen
        .filter(({ url }) => url === '/oauth/token')
        .map(({ body }) => new URLSearchParams(body))
      assert.deepEqual(
        forms.map((form) => form.get('refresh_token')),
        isRotating ? ['refresh-0', 'refresh-1', 'refresh-2'] : Array(3).fill('refresh-0')
      )
      assert.equal(forms[0].get('grant_type'), 'refresh_token')
      assert.equal(forms[0].get('client_secret'), 'canary-secret')
    }
  })

  test('OAuth 2: a caller who gives up does not end a renewal that others wait for', async ({
    assert,
    cleanup,
  }) => {
    const stage = await stageOf(cleanup, { isNamed: true })
    let respond = () => {}
    const token = json({ access_token: 'token-1', refresh_token: 'r', token_type: 'bearer' })
    stage.server.answers(
      issuing('/oauth/token', () => (response, seen) => {
        respond = () => token(response, seen)
      })
    )
    const mine = new AbortController()
    const of = { manifest: oauth(true), credentials: oauthCredentials }
    const first = errorOf(stage.use({ ...of, signal: mine.signal }).http.send(read))
    while (stage.server.seen.length === 0) await new Promise((done) => setTimeout(done, 5))
    const second = stage.use(of).http.send(read)
    mine.abort()
    assert.equal((await first).code, 'timeout')
    respond()
    assert.equal((await second).status, 200)
    assert.deepEqual(bearers(stage), ['Bearer token-1'])
  })

  test('OAuth 2: a renewal whose answer is lost is not repeated if tokens rotate', async ({
    assert,
    cleanup,
  }) => {
    for (const [isRotating, requests] of [
      [true, 1],
      [false, 3],
    ] as const) {
      const stage = await stageOf(cleanup, { isNamed: true })
      stage.server.answers((response) => response.destroy())
      const use = stage.use({ manifest: oauth(isRotating), credentials: oauthCredentials })
      const error = await errorOf(use.http.send({ method: 'POST', path: '/me', json: {} }))
      assert.deepEqual([error.code, error.detail.outcome], ['unavailable', 'notApplied'])
      assert.lengthOf(stage.server.seen, requests)
    }
  })
})
