import { test } from '@japa/runner'
import { makeApp, type FixtureStep } from '#tests/support/app_fixture'
import { makeWorld } from '#tests/support/world'

const both = { standard: { required: true }, hotfix: { required: true } }
const STEPS: FixtureStep[] = [
  { type: 'kickoff', releaseTypes: both },
  { type: 'regressionTesting', releaseTypes: both },
  { type: 'screenshots', releaseTypes: both },
  { type: 'metadata', releaseTypes: both },
  { type: 'submission', releaseTypes: both },
]

async function makeRelease(platform: 'ios' | 'android' = 'ios') {
  const world = await makeWorld()
  const app = await makeApp(world, { steps: STEPS, platform })
  await world.admin.post(`/app/${app}/release`, { version: '1.0.0' })
  await world.admin.put(`/app/${app}/release/${app}:1.0.0/kickoff`)
  const path = `/app/${app}/release/${app}:1.0.0`
  const { body: steps } = await world.admin.get(`${path}/steps`)
  const step = (type: string) => steps.find((each: { type: string }) => each.type === type)
  const newEvents = async (after: number) =>
    (await world.events()).filter((event) => (event.sequence ?? 0) > after)
  const last = async () => Math.max(...(await world.events()).map((event) => event.sequence ?? 0))
  return { world, app, path, step, newEvents, last }
}

test.group('PUT …/regressionStatus', () => {
  test('200 sets the status of the release and its step, with one event each', async ({
    assert,
  }) => {
    const { world, path, newEvents, last } = await makeRelease()
    const before = await last()
    const { status, body } = await world.admin.put(`${path}/regressionStatus`, {
      status: 'failed',
      comment: 'Checkout crashes',
      url: 'https://tests.acme.example/run/7',
    })
    assert.equal(status, 200)
    assert.equal(body.regressionStatus, 'failed')
    const events = await newEvents(before)
    assert.deepEqual(
      events.map((event) => event.type),
      ['release.regressionStatusUpdated', 'releaseStep.statusChanged']
    )
    assert.equal(events[1].payload.releaseSteps[0].status, 'blocked')
    assert.deepEqual(events[0].payload.previous, { regressionStatus: 'notStarted' })
    await world.admin.put(`${path}/regressionStatus`, { status: 'failed' })
    assert.lengthOf(await newEvents(before), 2)
  })

  test('200 for one run, which shows the comment', async ({ assert }) => {
    const { world, path, step } = await makeRelease()
    const run = step('regressionTesting').stepRunId
    const { status, body } = await world.admin.put(`${path}/step/${run}/regressionStatus`, {
      status: 'passed',
      comment: 'All well',
    })
    assert.equal(status, 200)
    assert.containsSubset(body, {
      id: run,
      status: 'complete',
      data: { regressionStatus: 'passed', comment: 'All well' },
    })
  })

  test('409 for a run of another type, a completed and a skipped release', async ({ assert }) => {
    const { world, path, step } = await makeRelease()
    const kickoff = step('kickoff').stepRunId
    const mismatch = await world.admin.put(`${path}/step/${kickoff}/regressionStatus`, {
      status: 'passed',
    })
    assert.equal(mismatch.status, 409)
    assert.equal(mismatch.body.code, 'step_type_mismatch')
    await world.admin.put(`${path}/skip`)
    const skipped = await world.admin.put(`${path}/regressionStatus`, { status: 'passed' })
    assert.equal(skipped.body.code, 'release_skipped')
    await world.admin.put(`${path}/unskip`)
    await world.admin.put(`${path}/complete`)
    const completed = await world.admin.put(`${path}/regressionStatus`, { status: 'passed' })
    assert.equal(completed.status, 409)
    assert.equal(completed.body.currentStatus, 'completed')
  })

  test('409 for a run that is superseded', async ({ assert }) => {
    const { world, path, step } = await makeRelease()
    const old = step('regressionTesting').stepRunId
    await world.admin.put(`${path}/regressionStatus`, { status: 'inProgress' })
    await world.admin.put(`${path}/skip`)
    await world.admin.put(`${path}/unskip`)
    const { status, body } = await world.admin.put(`${path}/step/${old}/regressionStatus`, {
      status: 'passed',
    })
    assert.equal(status, 409)
    assert.equal(body.code, 'step_run_superseded')
    const past = await world.admin.get(`${path}/stepRun/${old}`)
    assert.equal(past.body.data.regressionStatus, 'inProgress')
  })

  test('422 for an unknown status, 403 without the action', async ({ assert }) => {
    const { world, path } = await makeRelease()
    const unknown = await world.admin.put(`${path}/regressionStatus`, { status: 'great' })
    assert.equal(unknown.status, 422)
    const marketing = await world.keyed({ groups: ['Marketing'] })
    const refused = await marketing.put(`${path}/regressionStatus`, { status: 'passed' })
    assert.equal(refused.status, 403)
    assert.include(refused.body.detail, 'UpdateRegressionTesting')
  })
})

test.group('Approvals of screenshots and metadata', () => {
  test('200 by type and by run complete the steps', async ({ assert }) => {
    const { world, path, step } = await makeRelease()
    const byType = await world.admin.put(`${path}/approval/screenshots`, { approved: true })
    assert.equal(byType.status, 200)
    assert.deepEqual(
      byType.body.map((each: { status: string }) => each.status),
      ['complete']
    )
    const run = step('metadata').stepRunId
    const byRun = await world.admin.put(`${path}/stepRun/${run}/approval`, { approved: true })
    assert.equal(byRun.body.status, 'complete')
    const back = await world.admin.put(`${path}/stepRun/${run}/approval`, { approved: false })
    assert.equal(back.body.status, 'notStarted')
  })

  test('an approval falls when the texts change, and the timeline says why', async ({ assert }) => {
    const { world, path, step, newEvents, last } = await makeRelease()
    const run = step('metadata').stepRunId
    await world.admin.put(`${path}/stepRun/${run}/metadata`, {
      localizations: [{ locale: 'en-us', releaseNotes: 'Faster' }],
    })
    await world.admin.put(`${path}/stepRun/${run}/approval`, { approved: true })
    const before = await last()
    const same = await world.admin.put(`${path}/stepRun/${run}/metadata`, {
      localizations: [{ locale: 'en-US', whatsNew: 'Faster' }],
    })
    assert.equal(same.body.status, 'complete')
    assert.lengthOf(await newEvents(before), 0)

    const changed = await world.admin.put(`${path}/stepRun/${run}/metadata`, {
      localizations: [{ locale: 'en-US', whatsNew: 'Faster and safer' }],
    })
    assert.equal(changed.body.status, 'inProgress')
    assert.deepEqual(
      (await newEvents(before)).map((event) => event.type),
      ['releaseStep.statusChanged']
    )
    const { body } = await world.admin.get(`${path}/timelineEvents?type=step.approvalFell`)
    assert.equal(body.data[0].data.reason, 'contentChanged')
  })

  test('422 for more than 200 locales in one run, even over several requests', async ({
    assert,
  }) => {
    const { world, path, step } = await makeRelease()
    const url = `${path}/stepRun/${step('metadata').stepRunId}/metadata`
    const locales = (language: string, count: number) =>
      Array.from({ length: count }, (_, index) => ({
        locale: `${language}-x-${index}`,
        whatsNew: 'Faster',
      }))
    const put = (localizations: object[]) => world.admin.put(url, { localizations })
    assert.equal((await put(locales('de', 150))).status, 200)
    const { status, body } = await put(locales('fr', 51))
    assert.equal(status, 422)
    assert.containsSubset(body.errors, [{ pointer: '/localizations', code: 'max_length' }])
    assert.equal((await put([...locales('fr', 50), ...locales('de', 150)])).status, 200)
  })

  test('422 lists everything that the store would refuse', async ({ assert }) => {
    const { world, path, step } = await makeRelease('android')
    const { status, body } = await world.admin.put(
      `${path}/stepRun/${step('metadata').stepRunId}/metadata`,
      {
        localizations: [
          { locale: 'not a locale' },
          { locale: 'de-DE', keywords: 'apple only', title: 'x'.repeat(31) },
          { locale: 'DE-de', whatsNew: 'again' },
          { locale: 'fr-FR', whatsNew: 'x'.repeat(501) },
        ],
      }
    )
    assert.equal(status, 422)
    assert.deepEqual(
      body.errors.map((error: { pointer: string; code: string }) => [error.pointer, error.code]),
      [
        ['/localizations/0/locale', 'locale'],
        ['/localizations/1/keywords', 'wrong_store'],
        ['/localizations/1/title', 'max_length'],
        ['/localizations/2/locale', 'unique'],
        ['/localizations/3/whatsNew', 'max_length'],
      ]
    )
    const run = await world.admin.get(`${path}/stepRun/${step('metadata').stepRunId}`)
    assert.deepEqual(run.body.data.localizations, [])
  })

  test('422 for another step type in the path, 409 if the release has no such step', async ({
    assert,
  }) => {
    const { world, path } = await makeRelease()
    assert.equal(
      (await world.admin.put(`${path}/approval/kickoff`, { approved: true })).status,
      422
    )
    const app = await makeApp(world, { steps: [{ type: 'kickoff' }] })
    await world.admin.post(`/app/${app}/release`, { version: '1.0.0' })
    const none = await world.admin.put(`/app/${app}/release/${app}:1.0.0/approval/metadata`, {
      approved: true,
    })
    assert.equal(none.status, 409)
  })

  test('409 for approving an approvals step as a whole with missing approvals', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const app = await makeApp(world, { steps: [{ type: 'kickoff' }, { type: 'approvals' }] })
    const { body: item } = await world.admin.post(`/app/${app}/approval`, { title: 'Legal' })
    await world.admin.post(`/app/${app}/release`, { version: '1.0.0' })
    const path = `/app/${app}/release/${app}:1.0.0`
    const { body: steps } = await world.admin.get(`${path}/steps?type=approvals`)
    const approve = () =>
      world.admin.put(`${path}/stepRun/${steps[0].stepRunId}/approval`, { approved: true })
    const refused = await approve()
    assert.equal(refused.status, 409)
    assert.equal(refused.body.code, 'approvals_missing')
    assert.deepEqual(refused.body.items, [{ id: item.id, title: 'Legal', status: 'notStarted' }])
    await world.admin.put(`${path}/checklistItem/${item.id}/status`, { status: 'approved' })
    assert.equal((await approve()).body.status, 'complete')
    await world.admin.put(`${path}/checklistItem/${item.id}/status`, { status: 'rejected' })
    const after = await world.admin.get(`${path}/stepRun/${steps[0].stepRunId}`)
    assert.equal(after.body.status, 'blocked')
  })
})
