import { test } from '@japa/runner'
import { startService } from './support/processes.js'

test.group('A start with PROVIDER_HOSTS', () => {
  test('warns that calls go to a fake', async ({ assert }) => {
    const service = await startService({
      PROVIDER_HOSTS: 'api.github.com=http://127.0.0.1:4001',
      LOG_LEVEL: 'warn',
    })
    const { code, stderr } = await service.stop()
    assert.equal(code, 0)
    assert.include(stderr, 'calls to api.github.com go to the fake at http://127.0.0.1:4001')
  }).timeout(60_000)
})
