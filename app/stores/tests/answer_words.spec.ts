import { test } from '@japa/runner'
import { errorOfAnswer } from '#plugin-kit/answer_error'
import { PROVIDER_ERROR_CODES } from '#plugin-kit/provider_error'
import { rollingOut } from '#rollouts/tests/support'
import { refusal } from './memory_store.js'
import { tidy } from './support.js'

const RAW = /\b(GET|POST|PUT|PATCH|DELETE) \S|answered \d/

/** Returns the error that the plugin kit makes of an answer with a status. */
const errorOf = (status: number, code?: (typeof PROVIDER_ERROR_CODES)[number]) =>
  errorOfAnswer(
    {
      method: 'POST',
      where: 'store.example/v1/versions/{id}/rollout',
      status,
      rate: {},
      body: null,
      ...(code && { described: { code, reason: 'someReason' } }),
    },
    (text) => text
  )

test.group('A refusal by a store', (group) => {
  group.each.teardown(tidy)

  for (const code of PROVIDER_ERROR_CODES) {
    test(`${code} is put into words, and only the call itself shows its request`, async ({
      assert,
    }) => {
      const given = await rollingOut()
      const { admin, path, store, work, release } = given
      for (const action of ['complete', 'halt']) {
        for (let time = 0; time < 4; time++) store.failures.push(errorOf(409, code))
        await admin.put(`${path}/rollout`, { action })
        await work()
        store.failures.length = 0
        const { body: timeline } = await admin.get(`${path}/timelineEvents?limit=100`)
        const { body: why } = await admin.get(`${path}/whyNotMoving`)
        const { body: rollout } = await admin.get(`${path}/rollout`)
        const [{ asked: requested, ...shown }] = rollout.stores
        const reported = JSON.stringify([timeline, why, shown, (await release()).storePlans])
        assert.notMatch(reported, RAW)
        assert.match(reported, /someReason|asked for fewer calls/)
        assert.match(JSON.stringify(requested), /POST store\.example\S+ answered 409: someReason/)
      }
    })
  }

  test('lost answers and failing reads are put into words as well', async ({ assert }) => {
    const given = await rollingOut()
    const { admin, path, store, work, release } = given
    store.failures.push(errorOf(500))
    await admin.put(`${path}/rollout`, { action: 'complete' })
    await work()
    const { body: why } = await admin.get(`${path}/whyNotMoving`)
    const reported = JSON.stringify([why, (await release()).storePlans])
    assert.notMatch(reported, RAW)
    assert.include(reported, 'The response of the store was lost')
  })

  test('a message of the plugin for people stays as it is', async ({ assert }) => {
    const given = await rollingOut()
    const { admin, path, store, work } = given
    store.failures.push(refusal('unsupported', 'This app has no staged rollouts'))
    await admin.put(`${path}/rollout`, { action: 'complete' })
    await work()
    const { body } = await admin.get(`${path}/timelineEvents?type=store.failed`)
    assert.match(body.data[0].title, /could not be .*: This app has no staged rollouts$/)
  })
})
