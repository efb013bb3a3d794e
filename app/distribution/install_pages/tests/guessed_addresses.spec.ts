import { test } from '@japa/runner'
import { startService } from '#tests/support/processes'

/** Addresses that need no key, as they contain an unguessable token. */
const SECRET = [
  '/install/{}',
  '/install/{}/builds',
  '/install/{}/update?bundleId=com.acme.app&buildNumber=1',
  '/install/{}/device',
  '/install-manifest/{}',
  '/install-package/{}',
  '/install-icon/{}',
  '/calendars/{}.ics',
  '/sharedRelease/{}',
  '/shared/{}',
]

test.group('Addresses that need no key', () => {
  test('cannot be guessed: too many failures have to wait, as with keys', async ({ assert }) => {
    const service = await startService({
      LIMIT_STORE: 'memory',
      LIMIT_FAILURES_PER_MINUTE: String(SECRET.length),
    })
    const ask = async (path: string) => {
      const { status, headers } = await fetch(`${service.base}${path}`)
      return [status, headers.get('retry-after') !== null] as const
    }
    for (const path of SECRET) {
      assert.deepEqual(await ask(path.replace('{}', 'x'.repeat(40))), [404, false], path)
    }
    for (const path of [...SECRET, '/org/org_0']) {
      assert.deepEqual(await ask(path.replace('{}', 'y'.repeat(40))), [429, true], path)
    }
    // Public addresses are not limited.
    assert.deepEqual(await ask('/problems/not_found'), [200, false])
    assert.deepEqual(await ask('/icons/none.png'), [404, false])
    await service.stop()
  }).timeout(60_000)
})
