import { test } from '@japa/runner'
import { tidy } from '../support.js'
import { approvedPair, pairWorld } from './support.js'

test.group('One takeoff of two releases', (group) => {
  group.each.teardown(tidy)

  for (const first of ['apple', 'google'] as const) {
    test(`both wait for each other, whichever is approved first: ${first}`, async ({ assert }) => {
      const given = await pairWorld()
      const { join, submit, approve, takeOff, waits, asked, work, stores, release, titles } = given
      assert.equal((await join()).status, 200)
      const second = first === 'apple' ? 'google' : 'apple'
      await submit(first)
      await approve(first)
      assert.match((await waits(first)).join(), /which is not submitted for review\.$/)
      assert.match((await waits(second)).join(), /which is waiting for this one\.$/)
      assert.equal((await takeOff(first)).status, 200)
      await work(2)
      assert.deepEqual(await asked(), { apple: false, google: false })
      assert.match((await waits(first)).join(), /admin started the takeoff of both/)
      await submit(second)
      assert.match((await waits(first)).join(), /is not approved by its store yet/)
      assert.match((await waits(second)).join(), /which is waiting for this one/)
      await approve(second)
      await work(2)
      assert.deepEqual(await asked(), { apple: false, google: true })
      assert.match((await waits('apple')).join(), /live on Google Play\. .*press Publish changes/)
      assert.match((await waits('google')).join(), /released once this one is live on Google Play/)
      stores.google.publish()
      await work(3)
      assert.isTrue((await asked()).apple)
      for (const type of ['apple', 'google'] as const) {
        assert.deepEqual((await release(type)).status, 'completed')
        assert.lengthOf(await titles(type, 'pair.takenOff'), 1)
        assert.lengthOf(await titles(type, 'pair.ended'), 0)
        assert.lengthOf(await titles(type, 'pair.joined'), 1)
      }
    })
  }

  test('concurrent joins and takeoffs from both sides count once', async ({ assert }) => {
    const given = await pairWorld()
    const { admin, pathOf, idOf, join, submit, approve, takeOff, titles, work, asked } = given
    const back = { releaseId: idOf('apple'), managedPublishing: true }
    const joined = await Promise.all([join(), admin.put(`${pathOf('google')}/pair`, back)])
    assert.deepEqual(
      joined.map(({ status }) => status),
      [200, 200]
    )
    for (const type of ['apple', 'google'] as const) {
      await submit(type)
      await approve(type)
    }
    const taken = await Promise.all([takeOff('apple'), takeOff('google'), takeOff('apple')])
    assert.deepEqual(
      taken.map(({ status }) => status),
      [200, 200, 200]
    )
    await work(3)
    for (const type of ['apple', 'google'] as const) {
      assert.lengthOf(await titles(type, 'pair.joined'), 1)
      assert.lengthOf(await titles(type, 'pair.takenOff'), 1)
    }
    assert.deepEqual(await asked(), { apple: false, google: true })
  })

  test('iOS follows an early publication of Android once it is ready', async ({ assert }) => {
    const given = await pairWorld()
    const { join, submit, approve, takeOff, waits, asked, work, stores } = given
    await join()
    await submit('google')
    await approve('google')
    await takeOff('google')
    stores.google.publish()
    await work(2)
    assert.match((await waits('apple')).join(), /is out: this one follows once it is ready/)
    await submit('apple')
    assert.isFalse((await asked()).apple)
    await approve('apple')
    await work(2)
    assert.isTrue((await asked()).apple)
  })

  test('after a publication without a takeoff, people are notified once, and iOS waits for its own takeoff', async ({
    assert,
  }) => {
    const given = await approvedPair()
    const { stores, work, asked, titles, waits, takeOff } = given
    assert.match((await waits('apple')).join(), /both are ready\. Start the joint takeoff/)
    stores.google.publish()
    await work(3)
    assert.isFalse((await asked()).apple)
    assert.lengthOf(await titles('apple', 'pair.apart'), 1)
    assert.match((await waits('apple')).join(), /needs its own takeoff/)
    assert.equal((await takeOff('apple')).status, 200)
    await work(2)
    assert.isTrue((await asked()).apple)
  })
})
