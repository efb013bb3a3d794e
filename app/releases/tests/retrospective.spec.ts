import { test } from '@japa/runner'
import { ImportReleases } from '#releases/actions/import_releases'
import { passMinutes } from '#stores/tests/support'
import { parseVersion } from '#workflow/version'
import { makeItem, makeTrain, recordFacts, setItem, type Train } from './helpers/release_world.js'

const HOUR = 60
const steps = (['kickoff', 'regressionTesting', 'approvals'] as const).map((type) => ({
  ...{ name: type, type },
  releaseTypes: { standard: { required: true }, hotfix: { required: true } },
}))

const sumOf = (all: readonly { hours: number }[]) => all.reduce((sum, { hours }) => sum + hours, 0)

/** Creates a train of an app without a store, with one regression item and one approval. */
async function makeReleases(versions: readonly string[]) {
  const train = await makeTrain(versions, { platform: 'react-native-ota', steps })
  const tested = await makeItem(train, { kind: 'regression', stepType: 'regressionTesting' })
  const approved = await makeItem(train, { kind: 'approval', stepType: 'approvals' })
  return { ...train, tested, approved }
}

/** Completes a release after these hours of testing and of approving. */
async function ship(
  train: Awaited<ReturnType<typeof makeReleases>>,
  version: string,
  [testing, approving]: [number, number]
) {
  const { admin, path, tested, approved } = train
  await admin.put(`${path(version)}/kickoff`)
  passMinutes(testing * HOUR)
  await setItem(train, version, tested, 'passed')
  passMinutes(approving * HOUR)
  await setItem(train, version, approved, 'approved')
  await recordFacts(train, version, async (scope, release) => void (release.releasedAt = scope.now))
}

async function retrospectiveIn({ admin, path }: Pick<Train, 'admin' | 'path'>, version: string) {
  const { status, body } = await admin.get(`${path(version)}/retrospective`)
  return { status, body: body.retrospective }
}

test.group('GET /app/{appId}/release/{releaseId}/retrospective', () => {
  test('200 contains hours per step and by whom, with medians of earlier releases', async ({
    assert,
  }) => {
    const versions = ['1.0.0', '1.1.0', '1.2.0', '1.3.0']
    const train = await makeReleases(versions)
    await ship(train, '1.0.0', [10, 2])
    await ship(train, '1.1.0', [20, 4])
    await ship(train, '1.2.0', [60, 6])
    const { status, body } = await retrospectiveIn(train, '1.2.0')
    assert.equal(status, 200)
    assert.closeTo(body.hours, 66, 0.1)
    assert.closeTo(body.medianHours, 18, 0.1)
    assert.deepEqual(
      body.comparedWith.map((each: { version: string }) => each.version),
      ['1.1.0', '1.0.0']
    )
    const [first, second] = body.steps
    assert.deepEqual([first.type, second.type], ['regressionTesting', 'approvals'])
    assert.closeTo(first.hours, 60, 0.1)
    assert.closeTo(first.medianHours, 15, 0.1)
    assert.closeTo(second.medianHours, 3, 0.1)
    assert.closeTo(sumOf(body.steps), body.hours, 0.05)
    for (const step of body.steps) assert.closeTo(sumOf(step.waits), step.hours, 0.05)
    const names = first.waits[0].who.map(({ name }: { name: string }) => name)
    assert.include(names, 'UpdateRegressionTesting')

    // The first release has none to compare with, and later releases do not change that.
    const before = await retrospectiveIn(train, '1.0.0')
    assert.deepEqual([before.body.medianHours, before.body.comparedWith], [null, []])
    assert.deepEqual(
      before.body.steps.map((step: { medianHours: number | null }) => step.medianHours),
      [null, null]
    )
  })

  test('200 compares with up to five completed releases of the same kind', async ({ assert }) => {
    const versions = Array.from({ length: 8 }, (_, minor) => `1.${minor}.0`)
    const train = await makeReleases(versions)
    const { admin, app, path } = train
    for (const version of versions.slice(0, 6)) await ship(train, version, [1, 1])
    await admin.post(`/app/${app}/release`, { version: '1.5.1', releaseType: 'hotfix' })
    await ship(train, '1.5.1', [100, 100])
    await admin.put(`${path('1.6.0')}/kickoff`)
    await admin.put(`${path('1.6.0')}/skip`)
    await ship(train, '1.7.0', [3, 1])
    const { body } = await retrospectiveIn(train, '1.7.0')
    assert.deepEqual(
      body.comparedWith.map((each: { version: string }) => each.version),
      ['1.5.0', '1.4.0', '1.3.0', '1.2.0', '1.1.0']
    )
    assert.closeTo(body.medianHours, 2, 0.1)
    const hotfix = await retrospectiveIn(train, '1.5.1')
    assert.deepEqual(hotfix.body.comparedWith, [])
  })

  test('200 counts blocked steps, and the time while the release was skipped', async ({
    assert,
  }) => {
    const train = await makeReleases(['1.0.0'])
    const { admin, path, tested, approved } = train
    await admin.put(`${path('1.0.0')}/kickoff`)
    await setItem(train, '1.0.0', tested, 'failed')
    passMinutes(2 * HOUR)
    await admin.put(`${path('1.0.0')}/skip`)
    passMinutes(5 * HOUR)
    await admin.put(`${path('1.0.0')}/unskip`)
    passMinutes(HOUR)
    await setItem(train, '1.0.0', tested, 'passed')
    await setItem(train, '1.0.0', approved, 'approved')
    await recordFacts(
      train,
      '1.0.0',
      async (scope, release) => void (release.releasedAt = scope.now)
    )
    const { body } = await retrospectiveIn(train, '1.0.0')
    const hours = new Map(
      body.steps.map((step: { type: string | null; hours: number }) => [step.type, step.hours])
    )
    assert.closeTo(hours.get(null) as number, 5, 0.1)
    assert.closeTo(hours.get('regressionTesting') as number, 3, 0.1)
    assert.closeTo(sumOf(body.steps), body.hours, 0.05)
  })

  test('200 with null until completion, and for skipped and imported releases', async ({
    assert,
  }) => {
    const train = await makeReleases(['1.0.0', '1.1.0'])
    const { admin, path, world, app } = train
    const none = async (version: string) =>
      assert.deepEqual(await retrospectiveIn(train, version), { status: 200, body: null }, version)
    await none('1.0.0')
    await admin.put(`${path('1.0.0')}/kickoff`)
    await none('1.0.0')
    await admin.put(`${path('1.0.0')}/skip`)
    await none('1.0.0')
    // Without a kickoff, the beginning is unknown.
    await admin.put(`${path('1.1.0')}/complete`)
    await none('1.1.0')
    await world.write((scope) =>
      new ImportReleases(scope).handle(app, [
        { version: parseVersion('0.9.0')!, tag: null, releasedAt: '2026-01-05T08:00:00.000Z' },
      ])
    )
    await none('0.9.0')
  })

  test('404 for another organization, 200 for a read-only key', async ({ assert }) => {
    const [own, other] = [await makeReleases(['1.0.0']), await makeReleases(['1.0.0'])]
    await ship(own, '1.0.0', [1, 1])
    assert.equal((await other.admin.get(`${own.path('1.0.0')}/retrospective`)).status, 404)
    const reader = await own.world.keyed({ groups: [] })
    assert.equal((await retrospectiveIn({ ...own, admin: reader }, '1.0.0')).status, 200)
  })
})
