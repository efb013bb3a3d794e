import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { Api } from '#tests/support/api'
import { startService } from '#tests/support/processes'

test.group('Limits of a service with default settings', () => {
  test('admit 5 requests per second, and block addresses with too many failures', async ({
    assert,
    cleanup,
  }) => {
    const home = await mkdtemp(join(tmpdir(), 'tarmac-limits-'))
    const service = await startService({
      NODE_ENV: 'production',
      TARMAC_HOME: home,
      DATABASE_URL: undefined,
      LIMIT_PER_SECOND: undefined,
      LIMIT_PER_DAY: undefined,
      LIMIT_FAILURES_PER_MINUTE: undefined,
    })
    cleanup(async () => {
      await service.stop()
      await rm(home, { recursive: true, force: true })
    })
    const key = await service.waitForOutput(/tarmac_[0-9A-Za-z]{50}/)
    const organizationId = await service.waitForOutput(/org_[0-9A-Za-z]{20}/)
    const path = `/org/${organizationId}`
    const api = new Api(key, service.base)

    const responses = await Promise.all(Array.from({ length: 20 }, () => api.get(path)))
    const refused = responses.filter(({ status }) => status === 429)
    // On a slow machine this takes more than a second, so that more than five are admitted.
    assert.isNotEmpty(refused)
    assert.isAtLeast(responses.length - refused.length, 5)
    for (const { headers, body } of refused) {
      assert.equal(body.code, 'rate_limited')
      assert.equal(headers['retry-after'], '1')
    }
    for (const { headers } of responses) {
      assert.equal(headers['ratelimit-policy'], '"burst";q=5;w=1, "daily";q=8000;w=86400')
      assert.match(headers.ratelimit, /^"burst";r=\d;t=\d, "daily";r=79\d\d;t=\d+$/)
      assert.equal(headers['x-ratelimit-limit'], '8000')
      assert.isAtLeast(Number(headers['x-ratelimit-remaining']), 7980)
    }

    const stranger = new Api('tarmac_wrong', service.base)
    const statuses: number[] = []
    for (let count = 0; count < 31; count++) statuses.push((await stranger.get(path)).status)
    assert.deepEqual(statuses, [...Array(30).fill(401), 429])
    const blocked = await stranger.get(path)
    assert.equal(blocked.body.code, 'too_many_failures')
    assert.isAtLeast(Number(blocked.headers['retry-after']), 1)
    assert.notProperty(blocked.headers, 'x-ratelimit-limit')
  })
})
