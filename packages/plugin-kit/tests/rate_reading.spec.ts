import { test } from '@japa/runner'
import fc from 'fast-check'
import { codeOfStatus, waitOfRate } from '../answer_error.js'
import { readRate, waitInBody, waitOf } from '../rate_reading.js'

const NOW = Date.parse('2026-11-20T12:00:00.000Z')
const epoch = NOW / 1000

/** Each vendor's answer with 429 (GitHub also with 403), and its reading. */
const VENDORS: [
  vendor: string,
  headers: Record<string, string>,
  wait: number | undefined,
  code: 'rateLimited' | 'quotaExhausted',
][] = [
  ['Slack', { 'retry-after': '30' }, 30_000, 'rateLimited'],
  [
    'GitHub, primary',
    {
      'x-ratelimit-limit': '5000',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': `${epoch + 900}`,
    },
    900_000,
    'quotaExhausted',
  ],
  [
    'GitHub, secondary',
    { 'retry-after': '60', 'x-ratelimit-remaining': '4000' },
    60_000,
    'rateLimited',
  ],
  [
    'GitLab',
    {
      'ratelimit-limit': '2000',
      'ratelimit-remaining': '0',
      'ratelimit-reset': `${epoch + 12}`,
      'retry-after': '12',
    },
    12_000,
    'rateLimited',
  ],
  [
    'App Store Connect',
    { 'x-rate-limit': 'user-hour-lim:3500;user-hour-rem:0;' },
    undefined,
    'quotaExhausted',
  ],
  [
    'Jira',
    {
      'retry-after': '5',
      'ratelimit-reason': 'jira-burst-based',
      'x-ratelimit-reset': '2026-11-20T12:00:05Z',
    },
    5000,
    'rateLimited',
  ],
  [
    'Linear',
    {
      'x-ratelimit-requests-remaining': '0',
      'x-ratelimit-requests-limit': '2500',
      'x-ratelimit-requests-reset': `${NOW + 600_000}`,
    },
    600_000,
    'quotaExhausted',
  ],
  [
    'Sentry',
    {
      'x-sentry-rate-limit-remaining': '0',
      'x-sentry-rate-limit-limit': '40',
      'x-sentry-rate-limit-reset': `${epoch + 1}`,
    },
    1000,
    'rateLimited',
  ],
  [
    'Datadog',
    { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '42', 'x-ratelimit-period': '60' },
    42_000,
    'rateLimited',
  ],
  [
    'PagerDuty',
    { 'ratelimit-remaining': '0', 'ratelimit-reset': '7', 'ratelimit-limit': '960' },
    7000,
    'rateLimited',
  ],
  [
    'LaunchDarkly',
    {
      'x-ratelimit-global-remaining': '0',
      'x-ratelimit-route-remaining': '3',
      'x-ratelimit-reset': `${NOW + 2500}`,
    },
    2500,
    'rateLimited',
  ],
  [
    'Phrase',
    {
      'x-rate-limit-remaining': '0',
      'x-rate-limit-reset': `${epoch + 300}`,
      'x-rate-limit-limit': '1000',
    },
    300_000,
    'quotaExhausted',
  ],
  ['Azure', { 'retry-after-ms': '1500' }, 1500, 'rateLimited'],
  ['an HTTP date', { 'retry-after': 'Fri, 20 Nov 2026 12:00:10 GMT' }, 10_000, 'rateLimited'],
  ['the IETF draft 10', { ratelimit: '"default";r=0;t=30' }, 30_000, 'rateLimited'],
  ['the IETF draft 7', { ratelimit: 'limit=100, remaining=0, reset=5' }, 5000, 'rateLimited'],
  ['nobody', {}, undefined, 'rateLimited'],
]

test.group('Reading rate limits', () => {
  for (const [vendor, headers, wait, code] of VENDORS) {
    test(`as ${vendor} spells them`, ({ assert }) => {
      const rate = readRate(new Headers(headers), NOW)
      assert.equal(waitOfRate(rate), wait)
      assert.equal(codeOfStatus(429, rate), code)
    })
  }

  test('a header of the manifest counts as well, and the longest wait wins', ({ assert }) => {
    const headers = new Headers({ 'retry-after': '1', 'x-acme-wait': '2m', 'x-acme-ms': '9' })
    assert.equal(readRate(headers, NOW, ['x-acme-wait', 'x-acme-ms']).retryAfterMs, 120_000)
  })

  test('the rest of the budget is reported even if nothing is refused', ({ assert }) => {
    const headers = new Headers({ 'x-rate-limit': 'user-hour-lim:3500;user-hour-rem:500;' })
    assert.deepEqual(readRate(headers, NOW), { limit: 3500, remaining: 500 })
  })

  test('403 is a limit only if its headers say so', ({ assert }) => {
    const code = (headers: Record<string, string>) =>
      codeOfStatus(403, readRate(new Headers(headers), NOW))
    assert.equal(code({}), 'forbidden')
    assert.equal(code({ 'x-ratelimit-remaining': '10' }), 'forbidden')
    assert.equal(code({ 'retry-after': '3' }), 'rateLimited')
  })

  test('a limit may be stated in the body', ({ assert }) => {
    const details = [{ '@type': 'google.rpc.ErrorInfo' }, { retryDelay: '30s' }]
    assert.equal(waitInBody({ error: { code: 429, details } }), 30_000)
    const pauses = [{ says: 'secondary rate limit', seconds: 60 }]
    const message = 'You have exceeded a Secondary rate limit.'
    assert.equal(waitInBody({ message }, pauses), 60_000)
    assert.equal(waitInBody({ data: null, errors: [{ message }] }, pauses), 60_000)
    assert.isUndefined(waitInBody({ data: {}, errors: [null, { message }] }, pauses))
    assert.isUndefined(waitInBody({ message }))
    // JSON:API.
    const used = [{ says: 'RATE_LIMIT_EXCEEDED', seconds: 120 }]
    const reported = { status: '429', code: 'RATE_LIMIT_EXCEEDED', detail: 'Slow down' }
    assert.equal(waitInBody({ errors: [reported] }, used), 120_000)
    assert.equal(waitInBody({ errors: [reported] }, [{ says: 'slow down', seconds: 5 }]), 5000)
    for (const body of [null, 'x', { error: 1 }, { error: { details: [null, 3] } }]) {
      assert.isUndefined(waitInBody(body))
    }
  })

  test('no text leads to a wait that is negative, not a number, or longer than a day', ({
    assert,
  }) => {
    const texts = fc.oneof(fc.string(), fc.integer().map(String), fc.double().map(String))
    fc.assert(
      fc.property(texts, texts, (one, other) => {
        const wait = waitOf(one, NOW)
        assert.isTrue(wait === undefined || (wait >= 0 && wait <= 24 * 3_600_000))
        const headers = new Headers()
        for (const name of ['retry-after', 'ratelimit', 'x-rate-limit', 'x-ratelimit-reset']) {
          try {
            headers.set(name, other)
          } catch {
            // HTTP forbids such a header.
          }
        }
        const reported = waitOfRate(readRate(headers, NOW))
        assert.isTrue(reported === undefined || (reported >= 0 && reported <= 24 * 3_600_000))
      })
    )
  })
})
