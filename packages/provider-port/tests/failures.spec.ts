import { gzipSync } from 'node:zlib'
import { test } from '@japa/runner'
import { MAX_RESPONSE_BYTES } from '../transfer.js'
import { ProviderError, type ProviderErrorCode } from '../../plugin-kit/provider_error.js'
import { errorOf, stageOf } from './support/port_stage.js'
import { json, type Behaviour } from './support/provider_server.js'

const endless: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  const write = () => {
    while (!response.destroyed && response.write('x'.repeat(65_536)));
  }
  response.on('drain', write)
  write()
}

const raw =
  (text: string): Behaviour =>
  (response) =>
    response.socket?.end(text)

const drip: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.write('{')
  const timer = setInterval(() => response.write(' '), 10)
  response.on('close', () => clearInterval(timer))
}

const gzipped =
  (bytes: Buffer): Behaviour =>
  (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
    response.end(bytes)
  }

/** The reported failures of a GET, a POST and an idempotent POST, with their numbers of requests. */
type Reported = [code: ProviderErrorCode, outcome: string, requests: number]

const thrice = (code: ProviderErrorCode, outcomeOfPost: string): [Reported, Reported, Reported] => [
  [code, 'notApplied', 3],
  [code, outcomeOfPost, 1],
  [code, outcomeOfPost, 3],
]

const single = (code: ProviderErrorCode, outcomeOfPost: string): [Reported, Reported, Reported] => [
  [code, 'notApplied', 1],
  [code, outcomeOfPost, 1],
  [code, outcomeOfPost, 1],
]

const silence: Behaviour = () => {}

/** The timeout for endless answers, in milliseconds: enough for a busy machine to read the headers. */
const SLOW = new Map([
  [silence, 1000],
  [drip, 1000],
])

const FAILURES: [name: string, behaviour: Behaviour, reported: [Reported, Reported, Reported]][] = [
  ['never answers', silence, thrice('timeout', 'unknown')],
  ['resets before the head', (response) => response.destroy(), thrice('unavailable', 'unknown')],
  [
    'resets within the body',
    (response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('{"a":', () => response.destroy())
    },
    thrice('unavailable', 'applied'),
  ],
  [
    'ends before the length it named',
    raw('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"a":1}'),
    thrice('unavailable', 'applied'),
  ],
  ['drips its body', drip, thrice('timeout', 'applied')],
  ['fails', json({ message: 'Oops' }, 500), thrice('unavailable', 'unknown')],
  ['is away', json({}, 503), thrice('unavailable', 'unknown')],
  [
    'is busy',
    json({}, 429),
    [
      ['rateLimited', 'notApplied', 3],
      ['rateLimited', 'notApplied', 1],
      ['rateLimited', 'notApplied', 3],
    ],
  ],
  [
    'shows a page',
    (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Log in'),
    single('protocol', 'unknown'),
  ],
  ['speaks no HTTP', raw('HELLO THERE\r\n\r\n'), single('protocol', 'unknown')],
  ['floods', endless, single('protocol', 'applied')],
  [
    'names a length above the limit',
    (response) => {
      response.writeHead(200, { 'content-length': String(MAX_RESPONSE_BYTES + 1) })
      response.write('{')
    },
    single('protocol', 'applied'),
  ],
  [
    'sends a bomb',
    gzipped(gzipSync(Buffer.alloc(MAX_RESPONSE_BYTES + 1))),
    single('protocol', 'applied'),
  ],
  ['garbles its encoding', gzipped(Buffer.from('no gzip')), single('protocol', 'applied')],
  [
    'encodes as nobody asked',
    (response) => response.writeHead(200, { 'content-encoding': 'zip' }).end('x'),
    single('protocol', 'applied'),
  ],
  [
    'answers a strange status',
    raw('HTTP/1.1 799 Odd\r\ncontent-length: 0\r\n\r\n'),
    single('protocol', 'unknown'),
  ],
  [
    'redirects',
    json({}, 302, { location: 'https://elsewhere.example/' }),
    single('protocol', 'notApplied'),
  ],
  ['does not know it', json({ message: 'No such thing' }, 404), single('notFound', 'notApplied')],
  ['refuses the input', json({}, 422), single('invalid', 'notApplied')],
  ['finds another version', json({}, 412), single('preconditionFailed', 'notApplied')],
  ['says no', json({}, 403), single('forbidden', 'notApplied')],
  ['does not know who asks', json({}, 401), single('unauthorized', 'notApplied')],
]

const ASKED = [
  { method: 'GET' as const },
  { method: 'POST' as const, json: { a: 1 } },
  { method: 'POST' as const, json: { a: 1 }, idempotent: true },
]

test.group('A provider that', () => {
  for (const [name, behaviour, reported] of FAILURES) {
    test(`${name} is reported with code and outcome, and retried if that is safe`, async ({
      assert,
      cleanup,
    }) => {
      const failures = ASKED.map(async (requested) => {
        const stage = await stageOf(cleanup, { options: { timeoutMs: SLOW.get(behaviour) } })
        stage.server.answers(behaviour)
        const { http } = stage.use()
        const error = await errorOf(http.send({ path: '/thing', ...requested }))
        assert.instanceOf(error, ProviderError)
        const requests = stage.server.seen.length
        assert.lengthOf(stage.logged, requests)
        assert.lengthOf(stage.waits, requests - 1)
        return [error.code, error.detail.outcome, requests]
      })
      assert.deepEqual(await Promise.all(failures), reported)
    })
  }

  test('is unreachable has received nothing, so any call is retried', async ({
    assert,
    cleanup,
  }) => {
    const stage = await stageOf(cleanup)
    // A free port may be taken by another test meanwhile; nothing listens on this one.
    const { http } = stage.use({ settings: { host: 'http://127.0.0.1:1' } })
    const error = await errorOf(http.send({ method: 'POST', path: '/thing', json: {} }))
    assert.deepEqual([error.code, error.detail.outcome], ['unavailable', 'notApplied'])
    assert.deepEqual(stage.waits, [250, 500])
  })

  test('did not answer an attempt leaves the outcome unknown, whatever it refuses later', async ({
    assert,
    cleanup,
  }) => {
    const lost: Behaviour = (response) => response.destroy()
    const outcomeOf = async (...behaviours: Behaviour[]) => {
      const stage = await stageOf(cleanup)
      stage.server.answers(...behaviours)
      const requested = { method: 'POST', path: '/x', json: {}, idempotent: true } as const
      const { code, detail } = await errorOf(stage.use().http.send(requested))
      return [code, detail.outcome]
    }
    assert.deepEqual(await outcomeOf(json({}, 409)), ['conflict', 'notApplied'])
    assert.deepEqual(await outcomeOf(lost, json({}, 409)), ['conflict', 'unknown'])
    const away = [json({}, 500), json({}, 429, { 'retry-after': '1' }), json({}, 403)]
    assert.deepEqual(await outcomeOf(...away), ['forbidden', 'unknown'])
    const stage = await stageOf(cleanup, { options: { breaker: { failures: 1 } } })
    stage.server.answers(lost)
    const request = { method: 'PUT', path: '/x', json: {}, idempotent: true } as const
    const { detail } = await errorOf(stage.use().http.send(request))
    assert.deepEqual([detail.reason, detail.outcome], ['breakerOpen', 'unknown'])
  })

  test('recovers within the retries causes no failure', async ({ assert, cleanup }) => {
    const stage = await stageOf(cleanup)
    stage.server.answers(json({}, 502), (response) => response.destroy(), json({ ok: true }))
    const { body } = await stage.use().http.send({ method: 'GET', path: '/thing' })
    assert.deepEqual(body, { ok: true })
    assert.deepEqual(
      stage.logged.map(({ attempt, status, code, outcome }) => [attempt, status, code, outcome]),
      [
        [1, 502, 'unavailable', 'notApplied'],
        [2, null, 'unavailable', 'notApplied'],
        [3, 200, null, 'applied'],
      ]
    )
  })

  test('sends more than the length it declared is read up to that length', async ({
    assert,
    cleanup,
  }) => {
    const stage = await stageOf(cleanup)
    stage.server.answers(raw('HTTP/1.1 200 OK\r\ncontent-length: 7\r\n\r\n{"a":1}{"b":2}'))
    const { body } = await stage.use().http.send({ method: 'GET', path: '/thing' })
    assert.deepEqual(body, { a: 1 })
  })

  test('asks for a longer wait than is left has it in the message', async ({ assert, cleanup }) => {
    const stage = await stageOf(cleanup)
    stage.server.answers(json({}, 503, { 'retry-after': '120' }))
    const error = await errorOf(stage.use().http.send({ method: 'GET', path: '/thing' }))
    assert.equal(error.detail.retryAfterMs, 120_000)
    assert.lengthOf(stage.server.seen, 1)
  })

  test('is slow does not delay a caller who gave up', async ({ assert, cleanup }) => {
    const stage = await stageOf(cleanup)
    stage.server.answers(() => {})
    const mine = new AbortController()
    const waiting = errorOf(stage.use().fetch(`${stage.server.origin}/a`, { signal: mine.signal }))
    while (stage.server.seen.length === 0) await new Promise((done) => setTimeout(done, 5))
    mine.abort(new Error('enough'))
    assert.equal((await waiting).message, 'enough')

    const all = new AbortController()
    const { http } = stage.use({ signal: all.signal })
    const other = errorOf(http.send({ method: 'POST', path: '/b', json: {} }))
    while (stage.server.seen.length === 1) await new Promise((done) => setTimeout(done, 5))
    all.abort()
    const error = await other
    assert.deepEqual([error.code, error.detail.outcome], ['timeout', 'unknown'])
    assert.lengthOf(stage.server.seen, 2)
  })
})
