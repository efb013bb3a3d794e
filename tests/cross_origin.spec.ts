import { test } from '@japa/runner'
import { readOrigins } from '#config/cross_origin'
import { serviceUrl, startService } from '#tests/support/processes'
import { makeWorld } from '#tests/support/world'

/*
 * CORS: by default no script of another origin may use the API.
 */

const ORIGIN = 'https://board.acme.example'

const corsOf = ({ headers }: Response) =>
  [...headers].filter(([name]) => name.startsWith('access-control-'))

test.group('Scripts of other origins', () => {
  test('are allowed by exact origin, on paths of the API, without cookies', async ({
    assert,
    cleanup,
  }) => {
    const world = await makeWorld()
    const service = await startService({ CORS_ORIGINS: `${ORIGIN}, http://localhost:5173` })
    cleanup(async () => void (await service.stop()))
    const path = `${service.base}/org/${world.organizationId}`
    const ask = (headers: Record<string, string>, to = path, method = 'GET') =>
      fetch(to, { method, headers: { 'x-api-key': world.adminKey, ...headers } })

    const allowed = await ask({ origin: ORIGIN })
    assert.equal(allowed.status, 200)
    assert.equal(allowed.headers.get('access-control-allow-origin'), ORIGIN)
    assert.include(allowed.headers.get('vary'), 'Origin')
    assert.isFalse(allowed.headers.has('access-control-allow-credentials'))
    const exposed = allowed.headers.get('access-control-expose-headers')!.split(', ')
    for (const name of 'ETag,Link,Location,Retry-After,X-Request-Id,Ignored-Fields,RateLimit'.split(
      ','
    ))
      assert.include(exposed, name)

    // Scripts can read a refusal, too.
    const refused = await fetch(path, { headers: { origin: ORIGIN } })
    assert.equal(refused.status, 401)
    assert.equal(refused.headers.get('access-control-allow-origin'), ORIGIN)

    for (const origin of ['https://board.acme.example.evil.test', `${ORIGIN}:444`, 'null']) {
      const foreign = await ask({ origin })
      assert.deepEqual([foreign.status, corsOf(foreign)], [200, []])
      assert.include(foreign.headers.get('vary'), 'Origin')
    }

    const preflight = (to: string, origin = ORIGIN, requested = 'PATCH') =>
      fetch(to, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': requested,
          'access-control-request-headers': 'x-api-key,idempotency-key',
        },
      })
    for (const to of [
      path,
      `${service.base}/v1/app/x/release`,
      `${service.base}/app/x/bucket/y/uploads`,
    ]) {
      const response = await preflight(to)
      assert.equal(response.status, 204)
      assert.containsSubset(Object.fromEntries(corsOf(response)), {
        'access-control-allow-origin': ORIGIN,
        'access-control-allow-headers': 'x-api-key,idempotency-key',
        'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
      })
      assert.deepEqual(corsOf(await preflight(to, 'https://other.example')), [])
    }
    // The upload protocol (tus) uses OPTIONS, too: it is answered as without CORS.
    const plain = await fetch(`${service.base}/app/x/bucket/y/uploads`, { method: 'OPTIONS' })
    assert.equal(plain.headers.get('tus-version'), '1.0.0')

    for (const page of ['/', '/sign-in', '/dashboard/me', '/docs', '/assets/mark.svg']) {
      const responses = [
        await preflight(service.base + page),
        await fetch(service.base + page, { headers: { origin: ORIGIN }, redirect: 'manual' }),
      ]
      for (const response of responses) assert.deepEqual(corsOf(response), [], page)
    }
  })

  test('are not allowed by default, and no header mentions CORS', async ({ assert }) => {
    const world = await makeWorld()
    const headers = { 'origin': ORIGIN, 'x-api-key': world.adminKey }
    const response = await fetch(`${serviceUrl()}/org/${world.organizationId}`, { headers })
    assert.deepEqual([response.status, corsOf(response)], [200, []])
    assert.notInclude(response.headers.get('vary') ?? '', 'Origin')
    const preflight = await fetch(`${serviceUrl()}/org/${world.organizationId}`, {
      method: 'OPTIONS',
      headers: { ...headers, 'access-control-request-method': 'GET' },
    })
    assert.equal(preflight.status, 405)
  })

  test('a setting that is no list of origins is refused, with the format that it must have', ({
    assert,
  }) => {
    assert.deepEqual(
      [...readOrigins(` ${ORIGIN} ,http://127.0.0.1:801,`)],
      [ORIGIN, 'http://127.0.0.1:801']
    )
    for (const wrong of [
      '*',
      'null',
      'acme.example',
      `${ORIGIN}/`,
      `${ORIGIN}/x`,
      'http://acme.example',
      'https://a.example:443',
      'https://*.acme.example',
      'ftp://acme.example',
    ])
      assert.throws(() => readOrigins(`${ORIGIN},${wrong}`), /CORS_ORIGINS is a list of origins/)
  })
})
