import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { runAceWith, startService } from '#tests/support/processes'

test.group('The home of a service', () => {
  if (process.env.DATABASE_URL) {
    test('may be shared by services on PostgreSQL', async ({ assert }) => {
      const services = [await startService(), await startService()]
      for (const service of services) assert.equal((await service.stop()).code, 0)
    }).timeout(180_000)
    return
  }

  test('is for one service on SQLite; commands run beside it, and a killed service leaves no lock', async ({
    assert,
    cleanup,
  }) => {
    const home = mkdtempSync(join(tmpdir(), 'tarmac-home-'))
    cleanup(() => rmSync(home, { recursive: true, force: true }))
    const settings = { TARMAC_HOME: home, DATABASE_URL: undefined, APP_KEY: undefined }
    const first = await startService(settings)
    const second = await startService(settings).then(
      () => assert.fail('two services share a home'),
      (error: Error) => error.message
    )
    assert.match(second, /another service uses .*tarmac-home-.* \(process \d+\)/)
    assert.match(second, /TARMAC_HOME/)
    const { code } = await runAceWith(settings, ['org:create', 'Beside', '--json'])
    assert.equal(code, 0)
    await first.kill()

    const third = await startService(settings)
    assert.equal((await third.stop()).code, 0)
    assert.isFalse(existsSync(join(home, 'service.pid')))
    const fourth = await startService(settings)
    assert.equal((await fourth.stop()).code, 0)
  }).timeout(180_000)
})
