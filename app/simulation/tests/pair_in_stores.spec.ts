import { test } from '@japa/runner'
import { tidy } from '#stores/tests/support'
import { playing, rehearsedIn } from './support/simulated_release.js'

const BOTH = ['apple', 'google'] as const

/**
 * Returns an app on both platforms in one simulated world, whose releases were submitted as a pair.
 */
async function submittedPair() {
  const playingNow = await playing('happy-train')
  const [apple, google] = [
    await rehearsedIn(playingNow, 'apple'),
    await rehearsedIn(playingNow, 'google'),
  ]
  const both = { apple, google }
  const { admin } = apple
  const { status } = await admin.put(`${apple.path}/pair`, {
    releaseId: `${google.appId}:4.2.0`,
    managedPublishing: true,
  })
  if (status !== 200) throw new Error(`They are not joined: ${status}`)
  for (const type of BOTH) await both[type].build()
  await apple.advance('2h')
  for (const type of BOTH) await both[type].submit()
  return { ...both, admin }
}

test.group('A pair in simulated stores', (group) => {
  group.each.teardown(tidy)

  test('both wait for both reviews, and iOS is released once Android is published', async ({
    assert,
  }) => {
    const { apple, google, admin } = await submittedPair()
    const waits = async ({ path }: typeof apple) =>
      (await admin.get(`${path}/whyNotMoving`)).body.release.some(
        ({ code }: { code: string }) => code === 'pair_waits'
      )
    for (const each of [apple, google]) assert.isTrue(await waits(each))
    await apple.advance('2d')
    for (const each of [apple, google]) {
      assert.equal((await each.release()).phase, 'readyToRelease')
      assert.isTrue(await waits(each))
    }
    assert.equal((await admin.put(`${google.path}/takeoff`)).status, 200)
    await apple.advance('2h')
    assert.equal((await apple.release()).phase, 'readyToRelease')
    assert.equal((await google.release()).storePlans[0].inConsole.do, 'publish')
    await google.publish()
    await apple.advance('1h')
    for (const each of [apple, google]) {
      assert.include(['rollingOut', 'released'], (await each.release()).phase)
      assert.isFalse(await waits(each))
      assert.isEmpty(await each.refused())
    }
    const [at, then] = [await google.release(), await apple.release()]
    assert.isBelow(Date.parse(at.releasedAt), Date.parse(then.releasedAt))
  })
})
