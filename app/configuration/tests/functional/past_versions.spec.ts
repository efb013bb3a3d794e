import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { workAway } from '#releases/tests/helpers/code_world'
import { BRANCHES, makeHistory, makeHistoryInStore } from './history.js'
import { makeApp, sendYaml } from './yaml.js'

test.group('Past versions of an app', () => {
  test('become completed releases without steps or events', async ({ assert, cleanup }) => {
    const { world, admin, code, ship, releases } = await makeHistory(cleanup)
    const first = ship('v1.0.0', 0)
    ship('v1.0.1', 7)
    ship('v1.1.0', 21)
    ship('v2.0.0-rc.1', 25)
    ship('other/3.0.0', 26)
    const { id } = await makeApp(world, `${BRANCHES}${code}`)
    const before = await world.events()
    await workAway()
    const all = await releases(id)
    assert.deepEqual(
      all.map(({ version, releaseType, releasedAt }) => [version, releaseType, releasedAt]),
      [
        ['1.1.0', 'minor', '2024-01-22T12:00:00.000Z'],
        ['1.0.1', 'point', '2024-01-08T12:00:00.000Z'],
        ['1.0.0', 'major', '2024-01-01T12:00:00.000Z'],
      ]
    )
    for (const each of all) {
      assert.containsSubset(each, {
        ...{ imported: true, status: 'completed', phase: 'released' },
        ...{ completedAt: each.releasedAt, kickedOffAt: null, releasePilotId: null },
      })
    }
    assert.containsSubset(all[2].tag, { name: 'v1.0.0', commitHash: first, version: '1.0.0' })
    assert.deepEqual(await world.events(), before)
    const path = `/app/${id}/release/${id}:1.0.1`
    assert.deepEqual((await admin.get(`${path}/steps`)).body, [])
    assert.deepEqual((await admin.get(`${path}/timelineEvents`)).body.data, [])
    assert.equal((await admin.get(`${path}/whyNotMoving`)).status, 200)
    assert.equal((await admin.get(`/v2/app/${id}/releases/${id}:1.0.1`)).status, 200)
  })

  test('count for versions, comparisons and searches', async ({ assert, cleanup }) => {
    const { world, admin, code, ship } = await makeHistory(cleanup)
    ship('v1.0.0', 0)
    const fix = ship('v1.0.1', 7, 'Fixes the cart (#12)')
    ship('v1.1.0', 21)
    const { id } = await makeApp(world, `${BRANCHES}${code}`)
    await workAway()
    const period = 'from=2024-01-02T00:00:00Z&to=2024-02-01T00:00:00Z'
    const { body: reported } = await admin.get(`/org/${world.organizationId}/metrics?${period}`)
    const valueOf = (key: string) =>
      reported.metrics.find((each: { key: string }) => each.key === key).value
    assert.equal(valueOf('releasesCompleted'), 2)
    assert.equal(valueOf('releaseCadence'), 14)
    assert.isNull(valueOf('leadTimeKickoffToRelease'))
    const { body: found } = await admin.get(`/app/${id}/whereIs?commit=${fix}`)
    assert.deepEqual(
      found.apps[0].releases.map(({ version, how }: any) => [version, how]),
      [
        ['1.1.0', 'before'],
        ['1.0.1', 'introduced'],
      ]
    )
    const hotfix = { version: '1.1.1', releaseType: 'hotfix' }
    const { status, body, text } = await admin.post(`/app/${id}/release`, hotfix)
    assert.equal(status, 201, text)
    assert.equal(body.baseTag.name, 'v1.1.0')
    const next = await admin.post(`/app/${id}/release`, { version: '1.2.0' })
    assert.equal(next.body.releaseType, 'minor')
  })

  test('are read once, and again with other tag patterns', async ({ assert, cleanup }) => {
    const { world, admin, code, ship, releases, versions } = await makeHistory(cleanup)
    ship('ios/1.0.0', 0)
    ship('android/1.1.0', 7)
    ship('2.0', 9)
    const { id } = await makeApp(world, `${BRANCHES}${code}`)
    await workAway()
    assert.deepEqual(await versions(id), ['2.0.0'])
    const draft = await admin.post(`/app/${id}/release`, { version: '1.0' })
    assert.equal(draft.body.releaseType, 'major')
    const change = (pattern: string) =>
      sendYaml(admin, 'PATCH', `/app/${id}/config`, `tagSettings:\n  a: {pattern: "${pattern}"}\n`)
    assert.equal((await change('android/{version}')).status, 200)
    await workAway()
    assert.deepEqual(await versions(id), ['2.0.0', '1.1.0', '1.0'])
    const before = await releases(id)
    // A release that people work on does not change.
    assert.equal((await change('ios/{version}')).status, 200)
    await workAway()
    assert.deepEqual(await releases(id), before)
    assert.equal((await change('android/{version}')).status, 200)
    await workAway()
    assert.deepEqual(await releases(id), before)
    assert.isFalse(before.at(-1).imported)
  })

  test('give the next release its type, and stay as they are when touched', async ({
    assert,
    cleanup,
  }) => {
    const { world, admin, code, ship, releases } = await makeHistory(cleanup)
    ship('1.0.0', 0)
    const { id } = await makeApp(world, `${BRANCHES}${code}`)
    const draft = await admin.post(`/app/${id}/release`, { version: '1.1.0' })
    assert.equal(draft.body.releaseType, 'major')
    await workAway()
    const [next, past] = await releases(id)
    assert.equal(next.releaseType, 'minor')
    const path = `/app/${id}/release/${id}:1.0.0`
    const { status, body, text } = await admin.put(path, { releaseDescription: 'The first' })
    assert.equal(status, 200, text)
    assert.containsSubset(body, {
      ...{ status: 'completed', phase: 'released', releasedAt: past.releasedAt },
      ...{ readyToSubmit: false, readyToRelease: false },
    })
    for (const action of ['kickoff', 'skip'])
      assert.equal((await admin.put(`${path}/${action}`)).body.code, 'release_completed')
    // A tag may have marked a version that never shipped.
    assert.equal((await admin.delete(path)).status, 204)
    assert.equal((await admin.get(`/v2/app/${id}/releases/${id}:1.0.0`)).status, 404)
    assert.equal((await releases(id))[0].releaseType, 'major')
  })

  test('start no automation, even when they are edited', async ({ assert, cleanup }) => {
    const { world, admin, code, ship, releases, repository } = await makeHistory(cleanup)
    ship('1.0.0', 0)
    const { id } = await makeApp(world, `${BRANCHES}${code}`)
    for (const type of ['tagOnRelease', 'backMergeAfterRelease']) {
      const { status, text } = await admin.put(`/app/${id}/automations`, { type, enabled: true })
      assert.equal(status, 200, text)
    }
    // The automations were on before the version was released.
    const plans = db.from('app_plans').where('app_id', id)
    const { follow_ups: now } = await plans.clone().firstOrFail()
    const earlier = now.replaceAll(/"enabledAt":"[^"]+"/g, '"enabledAt":"2020-01-01T00:00:00.000Z"')
    assert.notEqual(earlier, now)
    await plans.clone().update({ follow_ups: earlier })
    await workAway()
    const before = repository.git('for-each-ref')
    const [past] = await releases(id)
    assert.isTrue(past.imported)
    await admin.put(`/app/${id}/release/${past.id}`, { releaseDescription: 'The first' })
    await workAway()
    assert.equal(repository.git('for-each-ref'), before)
    const { body } = await admin.get(`/app/${id}/release/${past.id}/timelineEvents`)
    assert.deepEqual(
      body.data.map(({ type }: { type: string }) => type),
      ['release.updated']
    )
  })

  test('are read once the name of the repository is corrected, or the key sees it', async ({
    assert,
    cleanup,
  }) => {
    const { world, admin, code, ship, versions } = await makeHistory(cleanup)
    ship('1.0.0', 0)
    const { id } = await makeApp(world, `${BRANCHES}${code.replace('app.git', 'typo.git')}`)
    await workAway()
    assert.deepEqual(await versions(id), [])
    const failed = await db.from('jobs').where({ kind: 'app.readTags', subject: id })
    assert.deepEqual(
      failed.map(({ state }) => state),
      ['planned']
    )
    const { status, text } = await sendYaml(admin, 'PATCH', `/app/${id}/config`, code)
    assert.equal(status, 200, text)
    await workAway()
    assert.deepEqual(await versions(id), ['1.0.0'])
  })

  test('are read before the first train of a cadence, unless the repository does not answer', async ({
    assert,
    cleanup,
  }) => {
    const { world, code, ship, versions, repository } = await makeHistory(cleanup)
    ship('5.3.0', 0)
    const cadence = `
x-scheduleCadence:
  enabled: true
  intervalWeeks: 1
  timezone: UTC
  startDate: 2024-01-01
  targets: {kickoff: {dayOffset: 0, time: 09:00}}`
    const draftAnew = async () => {
      const drafting = db.from('jobs').where('kind', 'planning.draft')
      await drafting.update({ visible_at: '2020-01-01T00:00:00.000Z' })
      await workAway()
    }
    const { id } = await makeApp(world, `${BRANCHES}${code}${cadence}`)
    await workAway()
    await draftAnew()
    const all = await versions(id)
    assert.equal(all.at(-1), '5.3.0')
    assert.include(all, '5.4.0')
    assert.notInclude(all, '1.0.0')
    // A repository that does not answer for more than ten minutes does not hold up a train.
    repository.git('config', 'core.bare', 'nonsense')
    const other = await makeApp(world, `${BRANCHES}${code}${cadence}`)
    await workAway()
    await draftAnew()
    assert.deepEqual(await versions(other.id), [])
    await db
      .from('jobs')
      .where({ kind: 'app.readTags', subject: other.id })
      .update({ created_at: '2020-01-01T00:00:00.000Z' })
    await draftAnew()
    assert.include(await versions(other.id), '1.0.0')
  })

  test('are merged with those that a store reports', async ({ assert, cleanup }) => {
    const { world, admin, code, withStore, store, ship, releases } = await makeHistoryInStore(
      cleanup,
      'apple'
    )
    ship('1.0.0', 0)
    ship('1.1.0', 7)
    const startedAt = '2024-01-10T08:00:00.000Z'
    store.become('replaced', { version: '1.1.0' })
    store.become('live', { version: '1.2.0' })
    store.become('inReview', { version: '1.3.0' })
    store.find('1.1.0')!.rollout = { mode: 'phased', state: 'complete', startedAt }
    const { id } = await makeApp(world, `${BRANCHES}${code}`)
    await workAway()
    const changed = await sendYaml(admin, 'PATCH', `/app/${id}/config`, withStore)
    assert.equal(changed.status, 200, changed.text)
    await workAway()
    const all = await releases(id)
    assert.deepEqual(
      all.map(({ version, releasedAt, tag }) => [version, releasedAt, tag?.name ?? null]),
      [
        // The store does not report the date, so it stays unknown.
        ['1.2.0', null, null],
        ['1.1.0', startedAt, '1.1.0'],
        ['1.0.0', '2024-01-01T12:00:00.000Z', '1.0.0'],
      ]
    )
    assert.isTrue(all.every(({ imported }) => imported))
    await db.from('jobs').where('kind', 'app.readTags').delete()
    await sendYaml(
      admin,
      'PATCH',
      `/app/${id}/config`,
      'tagSettings:\n  a: {pattern: "{version}"}\n'
    )
    await workAway()
    assert.deepEqual(await releases(id), all)
  })

  test('are asked for again while the repository does not answer', async ({ assert, cleanup }) => {
    const { world, code, ship, versions, repository } = await makeHistory(cleanup)
    ship('1.0.0', 0)
    repository.git('config', 'core.bare', 'nonsense')
    const { id } = await makeApp(world, `${BRANCHES}${code}`)
    await workAway()
    assert.deepEqual(await versions(id), [])
    const entry = await db.from('jobs').where({ kind: 'app.readTags', subject: id }).first()
    assert.equal(entry.state, 'planned')
    assert.isNotNull(entry.last_error)
  })

  test('reach back a hundred versions', async ({ assert, cleanup }) => {
    const { world, code, repository, versions } = await makeHistory(cleanup)
    const hash = repository.commit()
    const lines = Array.from({ length: 130 }, (_, n) => `create refs/tags/1.${n}.0 ${hash}\n`)
    repository.git('update-ref', '--stdin', { input: lines.join('') })
    const { id } = await makeApp(world, `${BRANCHES}${code}`)
    await workAway()
    const found = await versions(id)
    assert.lengthOf(found, 100)
    assert.equal(found.at(-1), '1.30.0')
  })
})
