import { test } from '@japa/runner'
import { markInDoubt, type PortFetch } from '../http.js'
import { answerOfClient, makeHttp } from '../make_http.js'
import { ProviderError, type ProviderErrorCode } from '../provider_error.js'

const ADDRESS = 'https://api.acme.example/things/1'

/** Returns the fetch that a vendor's client gets, with a port that gives this answer. */
function clientBefore(respond: () => Response | Promise<Response>): PortFetch {
  return makeHttp({
    fetch: async () => respond(),
    base: 'https://api.acme.example',
    now: () => 0,
    describeError: async () => (status, body) =>
      status === 200 && (body as { errors?: unknown } | null)?.errors
        ? { code: 'notFound', reason: 'It is gone' }
        : undefined,
    redact: (text) => text.replaceAll('secret', '***'),
    permits: async () => null,
  }).client
}

async function failureOf(call: Promise<unknown>): Promise<ProviderError> {
  try {
    await call
  } catch (error) {
    return error as ProviderError
  }
  throw new Error('It went well')
}

test.group('The fetch of a vendor’s client', () => {
  test('returns a success unchanged, with its address', async ({ assert }) => {
    const client = clientBefore(() => Response.json({ id: 1 }, { headers: { 'x-left': '7' } }))
    const response = await client(ADDRESS)
    assert.deepEqual(await response.json(), { id: 1 })
    assert.deepEqual([response.url, response.headers.get('x-left')], [ADDRESS, '7'])
    const empty = await clientBefore(() => new Response(null, { status: 204 }))(ADDRESS)
    assert.equal(empty.status, 204)
  })

  test('returns text if the request does not ask for JSON', async ({ assert }) => {
    const client = clientBefore(() => new Response('diff --git'))
    const response = await client(ADDRESS, { headers: { accept: 'text/x-diff' } })
    assert.equal(await response.text(), 'diff --git')
  })

  for (const [what, method, respond, code, outcome] of [
    ['a refusal', 'GET', () => Response.json({}, { status: 404 }), 'notFound', 'notApplied'],
    ['a redirect', 'GET', () => new Response(null, { status: 301 }), 'protocol', 'notApplied'],
    ['a redirect', 'POST', () => new Response(null, { status: 307 }), 'protocol', 'notApplied'],
    ['an outage', 'POST', () => new Response('no', { status: 502 }), 'unavailable', 'unknown'],
    ['a page', 'GET', () => new Response('<html>'), 'protocol', 'notApplied'],
    ['a page', 'POST', () => new Response('<html>'), 'protocol', 'unknown'],
    [
      'an error in a success',
      'POST',
      () => Response.json({ errors: [1] }),
      'notFound',
      'notApplied',
    ],
  ] as const satisfies readonly (readonly [
    string,
    string,
    () => Response,
    ProviderErrorCode,
    ProviderError['detail']['outcome'],
  ])[]) {
    test(`throws ${code} for ${what} to a ${method}`, async ({ assert }) => {
      const error = await failureOf(clientBefore(respond)(ADDRESS, { method }))
      assert.deepEqual([error.code, error.detail.outcome], [code, outcome])
    })
  }

  test('reports that an earlier attempt may have been applied', async ({ assert }) => {
    const client = clientBefore(() => {
      const response = Response.json({ message: 'It exists' }, { status: 409 })
      markInDoubt(response)
      return response
    })
    const error = await failureOf(client(ADDRESS, { method: 'POST' }))
    assert.deepEqual([error.code, error.detail.outcome], ['conflict', 'unknown'])
  })

  test('shows no secret', async ({ assert }) => {
    const client = clientBefore(() => Response.json({ message: 'secret is bad' }, { status: 400 }))
    assert.notInclude((await failureOf(client(`${ADDRESS}/secret`))).message, 'secret')
  })
})

test.group('A refusal of a signed request', () => {
  const now = Date.parse('2026-11-20T12:00:00.000Z')
  const refused = (isSigned: boolean, minutes: number) => {
    const date = new Date(now - minutes * 60_000).toUTCString()
    const http = makeHttp({
      fetch: async () => Response.json({ message: 'No' }, { status: 401, headers: { date } }),
      base: 'https://api.acme.example',
      now: () => now,
      describeError: async () => undefined,
      redact: (text) => text,
      permits: async () => null,
      isSigned,
    })
    return failureOf(http.send({ method: 'GET', path: '/things' }))
  }

  test('mentions a wrong clock, and other refusals do not', async ({ assert }) => {
    const { code, message } = await refused(true, 10)
    assert.equal(code, 'unauthorized')
    assert.match(message, /The clock of this machine is 10 minutes ahead of the provider's/)
    for (const [isSigned, minutes] of [
      [true, 1],
      [false, 10],
    ] as const) {
      assert.notMatch((await refused(isSigned, minutes)).message, /clock/)
    }
  })
})

test.group('An error of a vendor’s client', () => {
  const own = new ProviderError('conflict', 'It is there', { outcome: 'unknown' })

  test('is the error that its fetch threw, however deeply it is wrapped', async ({ assert }) => {
    const wrapped = new Error('Request failed', { cause: new Error('fetch', { cause: own }) })
    assert.strictEqual(await failureOf(answerOfClient(Promise.reject(wrapped))), own)
    assert.strictEqual(await failureOf(answerOfClient(Promise.reject(own))), own)
  })

  test('is a protocol error with an unknown outcome if the client itself threw it', async ({
    assert,
  }) => {
    const error = await failureOf(answerOfClient(Promise.reject(new TypeError('no such field'))))
    assert.deepEqual([error.code, error.detail.outcome], ['protocol', 'unknown'])
  })
})
