import service from '@adonisjs/core/services/app'
import { test } from '@japa/runner'
import { ProviderError } from '#plugin-kit/provider_error'
import { storeWorld, tidy } from './support.js'

test.group('A store that waits for a role at its provider', (group) => {
  group.each.teardown(tidy)

  test('names that role as the one whose move it is, until it answers again', async ({
    assert,
  }) => {
    const { store, work, admin, path } = await storeWorld('apple', ['kickoff', 'submission'])
    store.become('preparing')
    await work()
    const failing = async () => {
      await (await service.container.make('integrations.answers')).flush()
      const { body } = await admin.get(`${path}/whyNotMoving`)
      return body.release.filter(({ code }: { code: string }) => code === 'connection_failing')
    }
    const { listed } = store
    store.listed = () => {
      const message = 'An agreement is not signed. The Account Holder signs it under Business.'
      throw new ProviderError('forbidden', message, {
        outcome: 'notApplied',
        who: 'Account Holder',
      })
    }
    await work()
    const [condition] = await failing()
    const { subject, who, message } = condition
    assert.deepEqual(who, [{ type: 'providerRole', name: `Account Holder of ${subject.name}` }])
    assert.match(message, /signs it under Business.* The Account Holder of .* can fix it\.$/)
    store.listed = listed
    await work()
    assert.deepEqual(await failing(), [])
  })
})
