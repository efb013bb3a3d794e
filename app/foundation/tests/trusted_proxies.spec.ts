import { test } from '@japa/runner'
import { trustedProxies } from '#config/trusted_proxies'
import { some } from '#tests/support/effort'
import { startService } from '#tests/support/processes'

test.group('Trusted proxies', () => {
  test('are a number of hops, or addresses and networks', ({ assert }) => {
    const cases: [setting: string | undefined, address: string, distance: number, is: boolean][] = [
      [undefined, '127.0.0.1', 0, false],
      ['', '127.0.0.1', 0, false],
      ['false', '127.0.0.1', 0, false],
      ['0', '127.0.0.1', 0, false],
      ['true', '10.0.0.1', 0, true],
      ['true', '10.0.0.1', 1, false],
      ['2', '10.0.0.1', 1, true],
      ['2', '10.0.0.1', 2, false],
      ['10.0.0.0/8, fd00::/8', '10.1.2.3', 7, true],
      ['10.0.0.0/8, fd00::/8', '::ffff:10.1.2.3', 0, true],
      ['10.0.0.0/8, fd00::/8', 'fd00::1', 0, true],
      ['10.0.0.0/8, fd00::/8', '11.0.0.1', 0, false],
      ['10.0.0.0/8', 'unknown', 0, false],
      ['10.0.0.1', '10.0.0.1', 0, true],
    ]
    for (const [setting, address, distance, is] of cases) {
      assert.equal(trustedProxies(setting)(address, distance), is, `${setting} ${address}`)
    }
    for (const wrong of ['yes', 'nginx', '1000', '-1', '10.0.0.0/40', '10.0.0.1,proxy']) {
      assert.throws(() => trustedProxies(wrong), /TRUST_PROXY is a number of proxies/)
    }
  })

  test('determine the address for which failures are counted', async ({ assert }) => {
    const count = async (setting: string, forwarded: (index: number) => string) => {
      const service = await startService({
        TRUST_PROXY: setting,
        LIMIT_STORE: 'memory',
        LIMIT_FAILURES_PER_MINUTE: '2',
      })
      const statuses: number[] = []
      for (let index = 0; index < 4; index++) {
        const headers = { 'x-forwarded-for': forwarded(index) }
        statuses.push((await fetch(`${service.base}/org/org_0`, { headers })).status)
      }
      await service.stop()
      return statuses
    }
    const REFUSED = [401, 401, 429, 429]
    const ALLOWED = [401, 401, 401, 401]
    const forged = (index: number) => `203.0.113.${index}, 198.51.100.7`
    const each = (index: number) => `198.51.100.${index}`
    const all = [
      { setting: '127.0.0.0/8', forwarded: forged, expected: REFUSED },
      { setting: 'true', forwarded: forged, expected: REFUSED },
      // A client that is no trusted proxy may claim any address.
      { setting: '10.0.0.0/8', forwarded: each, expected: REFUSED },
      // Several clients of one proxy are distinguished.
      { setting: '1', forwarded: each, expected: ALLOWED },
    ]
    for (const { setting, forwarded, expected } of some(all)) {
      assert.deepEqual(await count(setting, forwarded), expected, setting)
    }
  }).timeout(60_000)
})
