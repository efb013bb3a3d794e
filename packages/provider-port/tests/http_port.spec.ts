import { createHash } from 'node:crypto'
import { test } from '@japa/runner'
import { ProviderError } from '../../plugin-kit/provider_error.js'
import { errorOf, stageOf } from './support/port_stage.js'
import { json, ProviderServer } from './support/provider_server.js'

const read = { method: 'GET', path: '/thing' } as const

test.group('The HTTP port', () => {
  test('sends what it is given, with credentials, and answers JSON', async ({
    assert,
    cleanup,
  }) => {
    const stage = await stageOf(cleanup)
    stage.server.answers(json({ id: 7 }, 201))
    const { status, body, headers } = await stage.use().http.send<{ id: number }>({
      method: 'POST',
      path: '/repos/{owner}/{repo}/pulls',
      params: { owner: 'acme', repo: 'a/../b' },
      query: { state: 'open', label: ['x y', 'z'], page: 2, none: undefined },
      headers: { 'x-team': 'ios' },
      json: { title: 'é' },
    })
    assert.deepEqual([status, body.id], [201, 7])
    assert.equal(headers.get('content-type'), 'application/json')
    const [seen] = stage.server.seen
    assert.equal(seen.url, '/repos/acme/a%2F..%2Fb/pulls?state=open&label=x%20y&label=z&page=2')
    assert.equal(seen.body, '{"title":"é"}')
    assert.containsSubset(seen.headers, {
      'authorization': 'Bearer canary-token-4711',
      'content-type': 'application/json',
      'accept': 'application/json',
      'x-team': 'ios',
    })
    assert.deepEqual(stage.logged, [
      {
        connectionId: 'acme:1',
        calledAt: '2026-11-20T12:00:00.000Z',
        method: 'POST',
        host: new URL(stage.server.origin).host,
        path: '/repos/{owner}/{repo}/pulls',
        status: 201,
        milliseconds: stage.logged[0].milliseconds,
        attempt: 1,
        remaining: 9999,
        outcome: 'applied',
        code: null,
      },
    ])
  })

  test('sends files to hosts of the manifest, without credentials, and logs no file address', async ({
    assert,
    cleanup,
  }) => {
    const stage = await stageOf(cleanup, { isNamed: true })
    const hosts = {
      allow: ['api.acme.example'],
      uploads: ['*.store.example'],
      selfHosted: false,
    }
    const { fetch } = stage.use({ manifest: { hosts }, settings: {} })
    const { status } = await fetch('https://a.store.example/parts/1?signature=canary', {
      method: 'PUT',
      body: Buffer.from('bytes'),
      headers: { authorization: 'Bearer canary-token-4711' },
      template: '/{upload}',
    })
    assert.equal(status, 200)
    const [seen] = stage.server.seen
    assert.deepEqual([seen.method, seen.body], ['PUT', 'bytes'])
    assert.notProperty(seen.headers, 'authorization')
    assert.notInclude(JSON.stringify(stage.logged), 'canary')
    assert.equal(stage.logged[0].host, 'a.store.example')
  })

  test('waits for a plugin as long as the caller waits', async ({ assert, cleanup }) => {
    const stage = await stageOf(cleanup)
    const caller = new AbortController()
    const { pause } = stage.use({ signal: caller.signal })
    await pause(5000)
    assert.deepEqual(stage.waits, [5000])
    caller.abort(new Error('Nobody waits'))
    assert.equal((await errorOf(pause(5000))).message, 'Nobody waits')
  })

  test('is a fetch: a Request, a body of any kind, any status, no redirect', async ({
    assert,
    cleanup,
  }) => {
    const stage = await stageOf(cleanup)
    const other = await new ProviderServer().start()
    cleanup(() => other.stop())
    const { fetch } = stage.use()
    const url = `${stage.server.origin}/form?x=1`
    stage.server.answers((response, { body }) => {
      response.writeHead(302, { 'location': `${other.origin}/stolen`, 'x-body': body.length })
      response.end('moved')
    })
    const bodies: RequestInit['body'][] = [
      'text',
      new URLSearchParams({ a: '1' }),
      new Uint8Array([1, 2]),
      new Blob(['blob']),
      new Blob(['stream']).stream(),
    ]
    for (const body of bodies) {
      const response = await fetch(url, { method: 'POST', body })
      assert.deepEqual([response.status, response.url], [302, url])
      assert.isAbove(Number(response.headers.get('x-body')), 1)
      assert.equal(await response.text(), 'moved')
    }
    const redirected = await fetch(new Request(url, { method: 'PUT', body: 'whole' }))
    assert.equal(redirected.status, 302)
    assert.equal(stage.server.seen.at(-1)?.body, 'whole')
    assert.lengthOf(other.seen, 0)
    stage.server.answers((response) => response.writeHead(204).end())
    assert.equal((await fetch(url, { method: 'DELETE' })).status, 204)
    assert.isNull((await stage.use().http.send({ method: 'DELETE', path: '/x' })).body)
  })

  test('connects only to hosts that the plugin may reach', async ({ assert, cleanup }) => {
    const stage = await stageOf(cleanup, { isNamed: true })
    const { fetch, http } = stage.use({
      manifest: {
        hosts: { allow: ['api.acme.example'], downloads: ['cdn.acme.example'], selfHosted: false },
      },
    })
    await fetch('https://api.acme.example/a')
    for (const call of [
      () => fetch(`${stage.server.origin}/a`),
      () => fetch('https://api.acme.example@127.0.0.1/a'),
      () => fetch('http://api.acme.example/a'),
      () => http.send({ method: 'GET', path: 'https://evil.example/a' }),
      () => http.send({ method: 'GET', path: '@evil.example/a' }),
      () => fetch('https://cdn.acme.example/a', { method: 'POST', body: 'x' }),
      () => fetch('nonsense'),
    ]) {
      const error = await errorOf(call())
      assert.instanceOf(error, ProviderError)
      assert.oneOf(error.code, ['forbidden', 'invalid'])
      assert.equal(error.detail.outcome, 'notApplied')
    }
    assert.lengthOf(stage.server.seen, 1)
    const headers = { 'authorization': 'mine', 'x-key': 'canary-token-4711', 'x-team': 'ios' }
    await fetch('https://cdn.acme.example/a', { headers })
    const [, { headers: sent }] = stage.server.seen
    assert.deepEqual(
      [sent.authorization, sent['x-key'], sent['x-team']],
      [undefined, undefined, 'ios']
    )
  })

  test('the address guard applies even if an operator confirmed the host', async ({
    assert,
    cleanup,
  }) => {
    const stage = await stageOf(cleanup)
    for (const host of ['http://169.254.169.254', 'http://10.0.0.1', 'https://192.168.0.1']) {
      const error = await errorOf(stage.use({ settings: { host } }).http.send(read))
      assert.deepEqual([error.code, error.detail.outcome], ['forbidden', 'notApplied'])
    }
  })

  test('a download is streamed unchanged, follows redirects and does not pass credentials on', async ({
    assert,
    cleanup,
  }) => {
    const stage = await stageOf(cleanup, { isNamed: true })
    const hosts = { allow: ['api.acme.example', 'cdn.acme.example'], selfHosted: false }
    const file = Buffer.alloc(12 * 1024 * 1024, 'tarmac')
    stage.server.answers(
      json({}, 302, { location: 'https://cdn.acme.example/signed?sig=abc' }),
      (response) => response.end(file)
    )
    const { http } = stage.use({ manifest: { hosts } })
    const hash = createHash('sha256')
    for await (const chunk of await http.download({ method: 'GET', path: '/artifact' })) {
      hash.update(chunk)
    }
    assert.equal(hash.digest('hex'), createHash('sha256').update(file).digest('hex'))
    const [first, second] = stage.server.seen
    assert.equal(first.headers.authorization, 'Bearer canary-token-4711')
    assert.notProperty(second.headers, 'authorization')
    assert.equal(second.headers.host, 'cdn.acme.example')
    for (const location of [
      'https://evil.example/x',
      'http://api.acme.example/x',
      'https://127.0.0.1/',
    ]) {
      stage.server.answers(json({}, 302, { location }))
      const error = await errorOf(http.download({ method: 'GET', path: '/artifact' }))
      assert.equal(error.code, 'forbidden')
    }
    stage.server.answers(json({}, 302, { location: '/again' }))
    assert.equal((await errorOf(http.download({ method: 'GET', path: '/loop' }))).code, 'protocol')
    stage.server.answers((response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('half', () => response.destroy())
    })
    const broken = await http.download({ method: 'GET', path: '/broken' })
    assert.equal((await errorOf(new Response(broken).text())).code, 'unavailable')
    stage.server.answers(json({ message: 'It expired' }, 410))
    const gone = await errorOf(http.download({ method: 'GET', path: '/old' }))
    assert.deepEqual([gone.code, gone.detail.reason], ['notFound', 'It expired'])
  })

  test('reports errors as the plugin describes them, even in a 200', async ({
    assert,
    cleanup,
  }) => {
    const stage = await stageOf(cleanup)
    stage.server.answers(json({ ok: false, error: 'channel_not_found' }))
    const { http } = stage.use({
      describeError: (status, body) => {
        const { ok, error } = body as { ok?: boolean; error?: string }
        return status === 200 && ok === false
          ? { code: 'notFound', reason: `Slack says ${error}` }
          : undefined
      },
    })
    const error = await errorOf(http.send({ method: 'POST', path: '/chat', json: {} }))
    assert.deepEqual([error.code, error.detail.outcome], ['notFound', 'notApplied'])
    assert.equal(error.detail.reason, 'Slack says channel_not_found')
    assert.equal(error.detail.vendorCode, 'channel_not_found')
    stage.server.answers(json({ ok: true }, 404))
    assert.equal((await http.send({ ...read, expect: [404] })).status, 404)
  })

  test('a planted secret is in no error, log row or message', async ({ assert, cleanup }) => {
    const stage = await stageOf(cleanup)
    const canary = 'canary/4711+"x'
    const spelt = [canary, encodeURIComponent(canary), Buffer.from(canary).toString('base64')]
    const { fetch, http, redaction } = stage.use({
      credentials: { token: canary, other: ['deep-one'] },
    })
    stage.server.answers(json({ message: `bad ${canary} deep-one`, code: canary }, 400))
    const path = `/hook/${encodeURIComponent(canary)}?token=${encodeURIComponent(canary)}`
    const reported: string[] = []
    for (const work of [
      () => http.send({ method: 'POST', path, json: { canary } }),
      () => http.send({ method: 'GET', path: 'https://x.example/{t}', params: { t: canary } }),
    ]) {
      const error = await errorOf(work())
      reported.push(error.message, error.stack, JSON.stringify(error.detail))
    }
    await fetch(`${stage.server.origin}${path}`, { headers: { 'x-mine': 'canary-ish' } })
    reported.push(JSON.stringify(stage.logged), JSON.stringify(stage.reported))
    for (const each of spelt) assert.notInclude(reported.join('\n'), each)
    assert.notInclude(reported.join('\n'), 'deep-one')
    assert.equal(redaction.redact(`it is ${canary}`), 'it is •••')
    assert.equal(stage.logged[0].path, '/hook/{id}')
  })
})
