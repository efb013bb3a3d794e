import { test } from '@japa/runner'
import { makeItem, makeTrain, setItem, reported, typesOf } from './helpers/release_world.js'
import { unsoundness } from './helpers/soundness.js'

async function makeTypes(versions: readonly string[]) {
  const train = await makeTrain(versions)
  const { admin, app } = train
  return {
    ...train,
    types: async (): Promise<Record<string, string>> => {
      const { body } = await admin.get(`/v2/app/${app}/releases?limit=200`)
      return Object.fromEntries(body.data.map((each: any) => [each.version, each.releaseType]))
    },
    create: (version: string, more = {}) => admin.post(`/app/${app}/release`, { version, ...more }),
  }
}

test.group('The derived type of a release that is not kicked off', () => {
  test('changes when a lower version is created, deleted or changed', async ({ assert }) => {
    const { admin, path, types, create } = await makeTypes(['1.0.0', '2.1.0'])
    assert.deepEqual(await types(), { '1.0.0': 'major', '2.1.0': 'major' })
    await create('2.0.0')
    assert.deepEqual(await types(), { '1.0.0': 'major', '2.0.0': 'major', '2.1.0': 'minor' })
    await admin.put(path('2.0.0'), { version: '1.5.0' })
    assert.deepEqual(await types(), { '1.0.0': 'major', '1.5.0': 'minor', '2.1.0': 'major' })
    await admin.put(path('1.5.0'), { version: '2.0.9' })
    assert.deepEqual(await types(), { '1.0.0': 'major', '2.0.9': 'major', '2.1.0': 'minor' })
    await admin.delete(path('2.0.9'))
    assert.deepEqual(await types(), { '1.0.0': 'major', '2.1.0': 'major' })
    await admin.delete(path('1.0.0'))
    assert.deepEqual(await types(), { '2.1.0': 'major' })
  })

  test('changes when a lower version moves above it', async ({ assert }) => {
    const { admin, path, types } = await makeTypes(['1.0.0', '1.1.0', '1.1.1', '2.0.0'])
    await admin.put(path('1.1.0'), { version: '1.9.0' })
    assert.deepEqual(await types(), {
      '1.0.0': 'major',
      '1.1.1': 'minor',
      '1.9.0': 'minor',
      '2.0.0': 'major',
    })
  })

  test('depends on hotfixes but not on rollbacks, whose own types never change', async ({
    assert,
  }) => {
    const { admin, path, types, create } = await makeTypes(['1.0.0', '1.1.0', '1.2.0'])
    await create('1.1.5', {
      releaseType: 'rollback',
      rollback: { sourceVersion: '1.0.0', targetVersion: '1.1.0' },
    })
    await create('1.2.1')
    assert.equal((await types())['1.2.0'], 'minor')
    await create('1.1.9', { releaseType: 'hotfix', baseTag: { name: 'v1.1.0' } })
    await create('1.3.1')
    assert.containsSubset(await types(), { '1.1.9': 'hotfix', '1.3.1': 'minor' })
    await create('1.3.0', { releaseType: 'hotfix', baseTag: { name: 'v1.2.0' } })
    assert.containsSubset(await types(), { '1.3.0': 'hotfix', '1.3.1': 'point' })
    // A rollback that becomes a plain release is a version to compare with.
    assert.equal((await admin.put(path('1.1.5'), { releaseType: 'release' })).status, 200)
    assert.equal((await types())['1.1.5'], 'point')
  })

  test('does not change after kickoff or while skipped; unskipping derives it again', async ({
    assert,
  }) => {
    const { admin, path, types, create } = await makeTypes(['2.1.0', '2.3.5'])
    await admin.put(path('2.1.0') + '/kickoff')
    await admin.put(path('2.3.5') + '/skip')
    await create('2.0.0')
    await create('2.3.4')
    assert.containsSubset(await types(), { '2.1.0': 'major', '2.3.5': 'minor' })
    await admin.put(path('2.3.5') + '/unskip')
    assert.equal((await types())['2.3.5'], 'point')
  })

  test('determines the items, and its change is recorded in the timeline', async ({ assert }) => {
    const train = await makeTypes(['1.0.0', '2.1.0'])
    const { admin, app, path, create, timeline, world } = train
    const item = (title: string, releaseTypes: string[]) =>
      admin.post(`/app/${app}/regressionItem`, { title, releaseTypes })
    await item('of a major', ['major'])
    await item('of a minor', ['minor'])
    const both = await makeItem(train, { kind: 'regression', stepType: 'regressionTesting' })
    await setItem(train, '2.1.0', both, 'failed')
    const titles = async () =>
      (await admin.get(`${path('2.1.0')}/checklistItems`)).body.map((each: any) => each.title)
    assert.deepEqual(await titles(), ['of a major', 'An item of regressionTesting'])
    await create('2.0.0')
    assert.deepEqual(await titles(), ['of a minor', 'An item of regressionTesting'])
    assert.containsSubset(await timeline('2.1.0'), [
      { type: 'release.updated', data: { releaseType: { from: 'major', to: 'minor' } } },
    ])
    assert.deepEqual(await unsoundness(world), [])
  })
})

test.group('A release that becomes one of another type', () => {
  const follows = ['release.regressionStatusUpdated', 'releaseStep.statusChanged']

  test('reports the effect of its new items on its steps', async ({ assert }) => {
    const train = await makeTypes(['1.0.0', '2.1.0'])
    const { admin, app, path, create, world } = train
    for (const type of ['major', 'minor']) {
      await admin.post(`/app/${app}/regressionItem`, { title: type, releaseTypes: [type] })
    }
    const since = async (count: number) => typesOf((await reported(world)).slice(count))
    const fail = async () => {
      const [item] = (await admin.get(`${path('2.1.0')}/checklistItems`)).body
      await setItem(train, '2.1.0', item.id, 'failed')
      return (await reported(world)).length
    }
    const beforeCreating = await fail()
    await create('2.0.0')
    assert.deepEqual(await since(beforeCreating), ['release.created', ...follows])
    const beforeDeleting = await fail()
    await admin.delete(path('2.0.0'))
    assert.deepEqual(await since(beforeDeleting), follows)
    assert.deepEqual(await unsoundness(world), [])
  })
})

test.group('Another spelling of the version a release has', () => {
  test('200 before kickoff, without effect on type and train; 409 after kickoff', async ({
    assert,
  }) => {
    const { admin, path, detail, world, statuses } = await makeTypes(['1.2', '1.3'])
    const { releaseType, steps } = await detail('1.2')
    for (const spelled of ['1.2.0', '01.2', '1.2']) {
      const { status, body } = await admin.put(path('1.2'), { version: spelled })
      assert.deepEqual([status, body.version, body.releaseType], [200, spelled, releaseType])
      assert.deepEqual(
        (await detail('1.2')).steps.map(({ id }: any) => id),
        steps.map(({ id }: any) => id)
      )
    }
    assert.deepEqual(await statuses(), { '1.2': 'active', '1.3': 'upcoming' })
    await admin.put(path('1.2') + '/kickoff')
    const before = await detail('1.2')
    const { length } = await world.events()
    const refused = await admin.put(path('1.2'), { version: '1.2.0', releaseName: 'Winter' })
    assert.deepEqual([refused.status, refused.body.code], [409, 'release_kicked_off'])
    assert.equal((await admin.put(path('1.2'), { version: '1.2' })).status, 200)
    assert.deepEqual(await detail('1.2'), before)
    assert.lengthOf(await world.events(), length)
  })
})
