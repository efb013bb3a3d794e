import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { readyWorld, tidy } from '#stores/tests/support'
import type { ApiAnswer } from '#tests/support/api'

const ladder = (...shares: number[]) => ({
  ladder: [
    ...shares.map((percentage) => ({ percentage, hours: 24 })),
    { percentage: 100, hours: 0 },
  ],
})

/** Returns release 1.4.0, submitted with a ladder and approved since. */
async function approvedWith(type: 'apple' | 'google', ...shares: number[]) {
  const given = await readyWorld(type)
  const { admin, appId, path, store, work } = given
  const policy = (input: object) => admin.put(`/app/${appId}/rolloutPolicy`, { policy: input })
  const { status, text } = await policy(ladder(...shares))
  if (status !== 200) throw new Error(text)
  await admin.put(`${path}/submit`, {})
  await work()
  await work()
  store.become('pendingRelease', { release: { method: 'manual' } })
  await work()
  return { ...given, policy, released: () => store.changes.includes('release') }
}

test.group('A ladder that changes between submission and takeoff', (group) => {
  group.each.teardown(tidy)

  test('Google Play: 409 with both shares; force releases it as it was submitted', async ({
    assert,
  }) => {
    const given = await approvedWith('google', 20)
    const { admin, path, step, policy, work, release } = given
    await policy(ladder(2, 20))
    const { stepRunId } = await step('takeoff')
    for (const call of [`${path}/takeoff`, `${path}/stepRun/${stepRunId}/takeoff`]) {
      const { status, body } = await admin.put(call)
      assert.deepEqual([status, body.code], [409, 'ladder_changed'])
      assert.deepEqual(body.ladder, { submitted: 20, wanted: 2 })
      assert.include(body.allowedActions, 'force')
      assert.notInclude(body.allowedActions, 'developerReject')
      assert.notMatch(body.detail, /withdraw/i)
    }
    await work()
    assert.notEqual((await release()).storePlans[0].wanted.what, 'released')
    assert.equal((await admin.put(`${path}/takeoff`, { force: true })).status, 200)
    await work()
    assert.equal((await release()).storePlans[0].inConsole.do, 'publish')
  })

  test('Google Play: 409 also after a takeoff that the red button stopped', async ({ assert }) => {
    const given = await approvedWith('google', 20)
    const { admin, path, policy, work, release } = given
    assert.equal((await admin.put(`${path}/takeoff`)).status, 200)
    await work()
    await admin.put(`${path}/redButton`)
    assert.equal((await release()).storePlans[0].wanted.status, 'failed')
    await policy(ladder(2))
    const { status, body } = await admin.put(`${path}/takeoff`)
    assert.deepEqual([status, body.code], [409, 'ladder_changed'])
    assert.deepEqual(body.ladder, { submitted: 20, wanted: 2 })
  })

  test('Google Play: the share of a submission outside of Tarmac is unknown, and not compared', async ({
    assert,
  }) => {
    const given = await approvedWith('google', 20)
    const { admin, path, policy, store, work } = given
    store.become('developerRejected')
    await work()
    store.become('inReview')
    await work()
    store.become('pendingRelease')
    await work()
    await policy(ladder(2))
    assert.equal((await admin.put(`${path}/takeoff`)).status, 200)
  })

  test('Google Play: later rungs may change, and a change may be undone', async ({ assert }) => {
    const given = await approvedWith('google', 20)
    const { admin, path, policy, work, release } = given
    await policy(ladder(2))
    await policy(ladder(20, 40, 60))
    assert.equal((await admin.put(`${path}/takeoff`)).status, 200)
    await work()
    assert.equal((await release()).storePlans[0].inConsole.do, 'publish')
  })

  test('Google Play: removing the ladder is a change as well', async ({ assert }) => {
    const { admin, path, appId } = await approvedWith('google', 20)
    await admin.put(`/app/${appId}/rolloutPolicy`, { policy: null })
    const { status, body } = await admin.put(`${path}/takeoff`)
    assert.deepEqual([status, body.code], [409, 'ladder_changed'])
    assert.deepEqual(body.ladder, { submitted: 20, wanted: 100 })
  })
})

test.group('A ladder that changes while a version is in review', (group) => {
  group.each.teardown(tidy)

  for (const [releaseMethod, isByItself] of [
    ['manual', false],
    ['automatic', true],
  ] as const) {
    test(`Google Play, ${releaseMethod}: the answer, the timeline and whyNotMoving report it`, async ({
      assert,
    }) => {
      const given = await readyWorld('google')
      const { admin, appId, path, store, work } = given
      const yaml = (rollout: object, query = ''): Promise<ApiAnswer<any>> =>
        admin.send('PATCH', `/app/${appId}/app/config${query}`, {
          raw: Buffer.from(JSON.stringify({ appStoreReleaseSettings: { releaseMethod, rollout } })),
          headers: { 'content-type': 'application/yaml' },
        })
      await yaml(ladder(20))
      await db.from('store_plans').update({ settings: null })
      await admin.put(`${path}/submit`, {})
      await work()
      await work()
      store.become('inReview')
      await work()
      const message = /1\.4\.0 was submitted to start at 20 %, but its ladder now starts at 2 %/
      const entries = async () =>
        (await admin.get(`${path}/timelineEvents?type=rollout.ladderChanged`)).body.data
      const set = (input: object, query = '') =>
        admin.put(`/app/${appId}/rolloutPolicy${query}`, { policy: input })

      const [planned] = (await yaml(ladder(2), '?dryRun=true')).body
      assert.match(planned.effect, message)
      assert.isEmpty(await entries())
      const { body } = await set(ladder(2))
      assert.deepEqual(
        body.warnings.map(({ code }: { code: string }) => code),
        ['submitted_before']
      )
      assert.match(body.warnings[0].message, message)
      assert.match(body.warnings[0].message, /Withdraw it and resubmit it/)
      const byItself = /goes out with 20 % automatically/
      if (isByItself) assert.match(body.warnings[0].message, byItself)
      else assert.notMatch(body.warnings[0].message, byItself)
      // Changes of later rungs are not reported.
      await set(ladder(2, 30))
      const [entry, ...more] = await entries()
      assert.isEmpty(more)
      assert.match(entry.title, message)
      const asked = async () => (await admin.get(`${path}/whyNotMoving`)).body.warnings
      assert.containSubset(await asked(), [
        { code: 'ladder_changed', who: [{ type: 'releasePilot' }] },
      ])

      // A manual release at Google Play warns of managed publishing, whatever its ladder.
      const ofLadder = ({ body: applied }: ApiAnswer<any>) =>
        (applied.warnings ?? []).filter(
          ({ code }: { code: string }) => code !== 'managed_publishing'
        )
      assert.isEmpty(ofLadder(await yaml(ladder(20))))
      assert.isEmpty(await asked())
      const [ofFile] = ofLadder(await yaml(ladder(2)))
      assert.match(ofFile.message, message)
      store.become('pendingRelease')
      await work()
      const [approved] = await asked()
      assert.match(approved.message, /an approved version stays approved on Google Play/)
      assert.notMatch(approved.message, /withdraw/i)
    })
  }

  test('App Store: a hotfix that was submitted for all users, and is to be phased now', async ({
    assert,
  }) => {
    const given = await readyWorld('apple')
    const { admin, appId, path, store, work } = given
    await db.from('releases').update({ create_type: 'hotfix' })
    await db.from('store_plans').update({ settings: null })
    await admin.put(`${path}/submit`, {})
    await work()
    await work()
    const { body } = await admin.put(`/app/${appId}/rolloutPolicy`, {
      policy: { hotfix: 'ladder' },
    })
    assert.containSubset(body.warnings, [{ code: 'submitted_before' }])
    store.become('pendingRelease')
    await work()
    const refused = await admin.put(`${path}/takeoff`)
    assert.deepEqual([refused.status, refused.body.code], [409, 'ladder_changed'])
    assert.deepEqual(refused.body.ladder, { submitted: 100, wanted: 1 })
    assert.match(refused.body.detail, /withdraw it and resubmit it/)
    assert.include(refused.body.allowedActions, 'developerReject')
    assert.equal((await admin.put(`${path}/takeoff`, { force: true })).status, 200)
  })
})
