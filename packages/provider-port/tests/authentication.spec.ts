import { test } from '@japa/runner'
import { decodeProtectedHeader, jwtVerify } from 'jose'
import type { AuthScheme } from '../../plugin-kit/manifest.js'
import { errorOf, stageOf } from './support/port_stage.js'
import { bearers, ec, named, pem, read, rsa } from './support/signed_calls.js'

test.group('Authentication by stored credentials', () => {
  test('sends a header with its prefix, basic credentials, or nothing', async ({
    assert,
    cleanup,
  }) => {
    const stage = await stageOf(cleanup, { isNamed: true })
    const credentials = { token: 'tkn-1', username: 'ada@acme.example', password: 'päss' }
    for (const scheme of [
      { scheme: 'header', header: 'Circle-Token' },
      { scheme: 'header', header: 'Authorization', prefix: 'Bearer ' },
      { scheme: 'basic' },
      { scheme: 'none' },
    ] as const) {
      await stage.use({ manifest: named(scheme), credentials }).http.send(read)
    }
    const [circle, bearer, basic, none] = stage.server.seen.map(({ headers }) => headers)
    assert.equal(circle['circle-token'], 'tkn-1')
    assert.equal(bearer.authorization, 'Bearer tkn-1')
    const pair = Buffer.from(String(basic.authorization).slice(6), 'base64').toString()
    assert.equal(pair, 'ada@acme.example:päss')
    assert.notProperty(none, 'authorization')
  })

  test('uses the first scheme that has credentials; without any the call is unauthorized', async ({
    assert,
    cleanup,
  }) => {
    const stage = await stageOf(cleanup, { isNamed: true })
    const manifest = named({ scheme: 'basic' }, { scheme: 'header', header: 'authorization' })
    await stage.use({ manifest, credentials: { token: 'only' } }).http.send(read)
    assert.deepEqual(bearers(stage), ['only'])
    const error = await errorOf(stage.use({ manifest, credentials: {} }).http.send(read))
    assert.deepEqual([error.code, error.detail.outcome], ['unauthorized', 'notApplied'])
    assert.lengthOf(stage.server.seen, 1)
  })
})

test.group('Authentication by signing', () => {
  const scheme = (alg: 'ES256' | 'RS256'): AuthScheme => ({
    scheme: 'jwt',
    alg,
    audience: 'appstoreconnect-v1',
    lifetimeSeconds: 600,
  })

  test('makes a token as the vendor wants it, keeps it, and renews it before it expires', async ({
    assert,
    cleanup,
  }) => {
    const stage = await stageOf(cleanup, { isNamed: true })
    for (const [alg, keys] of [
      ['ES256', ec],
      ['RS256', rsa],
    ] as const) {
      const credentials = { keyId: 'K1', issuerId: 'I1', privateKey: pem(keys.privateKey) }
      const use = stage.use({ manifest: named(scheme(alg)), credentials, connectionId: alg })
      await Promise.all([use.http.send(read), use.http.send(read)])
      const [first, second] = bearers(stage).slice(-2)
      assert.equal(first, second)
      const token = String(first).slice(7)
      assert.deepEqual(decodeProtectedHeader(token), { alg, typ: 'JWT', kid: 'K1' })
      const currentDate = new Date(stage.clock.milliseconds())
      const { payload } = await jwtVerify(token, keys.publicKey, { currentDate })
      const { iat = 0, ...claims } = payload
      assert.deepEqual(claims, { iss: 'I1', aud: 'appstoreconnect-v1', exp: iat + 600 })
      stage.clock.advance(539_000)
      await use.http.send(read)
      assert.equal(bearers(stage).at(-1), first)
      stage.clock.advance(1000)
      await use.http.send(read)
      assert.notEqual(bearers(stage).at(-1), first)
    }
  })

  test('omits the issuer for a personal key, and accepts escaped line breaks', async ({
    assert,
    cleanup,
  }) => {
    const stage = await stageOf(cleanup, { isNamed: true })
    const privateKey = pem(ec.privateKey).replaceAll('\n', '\\n')
    const credentials = { keyId: 'K1', privateKey }
    await stage.use({ manifest: named(scheme('ES256')), credentials }).http.send(read)
    const token = String(bearers(stage)[0]).slice(7)
    const currentDate = new Date(stage.clock.milliseconds())
    const { payload } = await jwtVerify(token, ec.publicKey, { currentDate })
    assert.equal(payload.sub, 'user')
    assert.notProperty(payload, 'iss')
  })

  test('reports a key that cannot sign as unauthorized, and shows nothing of it', async ({
    assert,
    cleanup,
  }) => {
    const stage = await stageOf(cleanup, { isNamed: true })
    for (const privateKey of ['canary-no-pem', pem(rsa.privateKey)]) {
      const credentials = { keyId: 'K1', privateKey }
      const use = stage.use({ manifest: named(scheme('ES256')), credentials })
      const error = await errorOf(use.http.send(read))
      assert.equal(error.code, 'unauthorized')
      assert.notInclude(error.stack, 'canary')
    }
    assert.lengthOf(stage.server.seen, 0)
  })
})
