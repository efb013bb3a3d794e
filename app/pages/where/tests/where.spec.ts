import { test } from '@japa/runner'
import { makeFeatures } from '#features/tests/support'
import { signedIn, textOf } from '../../tests/support.js'

test.group('The page of where a change is', () => {
  test('200 finds a commit, a pull request and a ticket in one field, and says if nothing is known', async ({
    assert,
    cleanup,
  }) => {
    const { repository, tracker, release, kickOff, look, world, app } = await makeFeatures(cleanup)
    const path = `/dashboard/app/${app}/whereIs`
    repository.commit({ message: 'Before' })
    repository.git('tag', 'v0.9.0', 'main')
    tracker.set('SHOP-1', { versions: ['1.0.0'] })
    const hash = repository.commit({ message: 'SHOP-1 Log in <b> (#11)' })
    await release('1.0.0')
    await kickOff('1.0.0')
    await look()
    const person = await signedIn(world)
    const shown = async (change: string) => {
      const { status, text } = await person.get(`${path}?${new URLSearchParams({ change })}`)
      assert.equal(status, 200, change)
      return textOf(text)
    }
    for (const change of [hash, hash.slice(0, 7).toUpperCase(), '#11', '11', 'SHOP-1']) {
      const found = await shown(change)
      assert.include(found, 'It is in 1.0.0, which no user has yet.', change)
      assert.include(found, `${hash.slice(0, 7)} SHOP-1 Log in <b> (#11)`, change)
      assert.match(found, /1\.0\.0 [A-Z][a-z ]+ , brings it/, change)
    }
    for (const change of ['abcdef0', '#4711', 'SHOP-4711', '__proto__', 'x'.repeat(300)]) {
      assert.include(await shown(change), 'Nothing is known of it.', change)
    }
    assert.notInclude(textOf((await person.get(path)).text), 'Nothing is known')
  })
})
