import type { TestContext } from '@japa/runner/core'
import { test } from '@japa/runner'
import { features } from '#features/module'
import { MINUTE, Stage } from '#foundation/jobs/tests/support/stage'
import { SetFollowUp } from '#planning/actions/set_follow_up'
import { fileAt, packageAt } from '#releases/tests/helpers/code_world'
import { makeMarked } from './marked_tickets.js'
import { PLANNED_WORK, DAY, HOUR, makePlannedCode, pass, ran, workAll } from './support.js'

/** Kicks off 1.2.0, whose tickets are to be marked while the tracker does not answer. */
async function withTrackerAway(
  cleanup: TestContext['cleanup'],
  options?: Parameters<typeof makeMarked>[1]
) {
  const stage = await Stage.set(...PLANNED_WORK, ...features.work!)
  const given = await makeMarked(cleanup, options)
  const { world, tracker, kickOff, automate } = given
  await kickOff()
  const look = async () => {
    await world.write((scope) => scope.jobs.pollNow())
    await workAll(stage)
    await workAll(stage)
  }
  await look()
  tracker.isAway = true
  await automate()
  // Work that calls plan is due by the service's own clock.
  stage.clock.advance(MINUTE)
  await workAll(stage)
  return { ...given, stage, look }
}

/** Sets a stage whose worker ignores one kind of command until it is switched on. */
async function setStageWithout(kind: string) {
  const all = PLANNED_WORK
  const stage = await Stage.set(...all.filter(({ name }) => name !== kind))
  return {
    stage,
    /** Carries out all planned work except the command, which keeps waiting. */
    async workUntilIt() {
      stage.clock.advance(MINUTE)
      await workAll(stage)
      const waiting = (await stage.jobs()).filter((each) => each.kind === kind)
      if (waiting.length !== 1) throw new Error(`${waiting.length} of ${kind} wait`)
    },
    takeIt: () => stage.works.add(all.filter(({ name }) => name === kind)),
  }
}

const reasons = (runs: readonly { result: string; reason: string | null }[]) =>
  runs.map(({ result, reason }) => [result, reason])

test.group('Tickets that are marked late', () => {
  test('are retried as long as the tracker does not answer', async ({ assert, cleanup }) => {
    const { stage, tracker, ...given } = await withTrackerAway(cleanup)
    assert.deepEqual(await given.ran(), [])
    await pass(stage, 12 * HOUR, HOUR)
    const [failed, ...others] = await given.ran()
    assert.deepEqual(others, [])
    assert.containsSubset(failed, { result: 'failed', reason: 'blocked' })
    await pass(stage, 2 * DAY, 4 * HOUR)
    assert.isBelow((await given.ran()).length, 8)
    assert.deepEqual(tracker.changes, [])

    tracker.isAway = false
    await pass(stage, 16 * HOUR, 4 * HOUR)
    assert.deepEqual(tracker.changes, [
      'version 1.2.0 of SHOP',
      '1.2.0 for SHOP-1',
      'release-1.2.0 on SHOP-1',
    ])
    const runs = await given.ran()
    assert.equal(runs.at(-1).result, 'succeeded')
    await pass(stage, 2 * DAY, 8 * HOUR)
    assert.lengthOf(await given.ran(), runs.length)
  })

  test('are retried at once when the automation is switched on again', async ({
    assert,
    cleanup,
  }) => {
    const { stage, tracker, world, app, ...given } = await withTrackerAway(cleanup)
    await pass(stage, 12 * HOUR, HOUR)
    assert.lengthOf(await given.ran(), 1)
    tracker.isAway = false
    await pass(stage, HOUR)
    assert.deepEqual(tracker.changes, [])
    // The time is that of the stage, but calls use the service's own clock.
    for (const enabled of [false, true]) {
      const type = 'addLabelsAndFixVersions'
      await stage.write(
        (scope) => new SetFollowUp(scope).handle(app, type, { type, enabled }),
        world
      )
    }
    await workAll(stage)
    assert.isNotEmpty(tracker.changes)
    assert.deepEqual(reasons(await given.ran()).at(-1), ['succeeded', null])
  })

  test('are not marked if the release is over by then, or the automation is off or paused', async ({
    assert,
    cleanup,
  }) => {
    for (const [change, reason] of [
      ['skip', '1.2.0 was skipped'],
      ['complete', '1.2.0 was completed'],
      ['off', 'the automation was switched off'],
      ['pause', 'automations are paused'],
    ] as const) {
      const { stage, tracker, admin, path, automate, pause, timeline, ...given } =
        await withTrackerAway(cleanup)
      if (change === 'off') await automate(false)
      else if (change === 'pause') await pause(true)
      else assert.equal((await admin.put(`${path('1.2.0')}/${change}`)).status, 200)
      tracker.isAway = false
      await pass(stage, 9 * HOUR, HOUR)
      assert.deepEqual(tracker.changes, [], change)
      const why = change === 'skip' ? 'over' : 'held'
      assert.deepEqual(reasons(await given.ran()), [['skipped', why]], change)
      const { title } = (await timeline('1.2.0')).find(({ type }) => type === 'automation.failed')
      assert.include(title, reason)
      // A delayed run happens later; an ended one does not.
      if (change === 'off') await automate()
      if (change === 'pause') await pause(false)
      await workAll(stage)
      assert.equal(tracker.changes.length > 0, change === 'off' || change === 'pause', change)
    }
  })

  test('are not marked if they are ignored or gone by then, and get no outdated mark', async ({
    assert,
    cleanup,
  }) => {
    const { stage, tracker, admin, path, search, setAffiliations, repository, look } =
      await withTrackerAway(cleanup)
    tracker.isAway = false
    // The tracker is not polled meanwhile, so earlier answers count.
    const [{ id }] = (await search('1.2.0')).filter(
      ({ workItem }) => workItem.ticket?.key === 'SHOP-1'
    )
    await admin.post(`${path('1.2.0')}/frIgnoreUnignore`, { items: [{ id, ignored: true }] })
    await setAffiliations([{ type: 'label', pattern: 'ships-in-{version}' }])
    repository.commit({ branch: 'release/1.2.0', message: 'SHOP-3 Fix' })
    await look()
    await pass(stage, 9 * HOUR, HOUR)
    assert.notInclude(tracker.changes.join(), 'SHOP-1')
    for (const key of ['SHOP-2', 'SHOP-3']) {
      assert.isTrue(
        tracker.changes.some((each) => each.startsWith('ships-in-1.2.0') && each.includes(key))
      )
    }
    assert.notInclude(tracker.changes.join(), ' release-1.2.0')
  })

  test('of one tracker are marked while another does not answer', async ({ assert, cleanup }) => {
    const label = { type: 'label', pattern: 'release-{version}' } as const
    const { stage, tracker, repository, look, ...given } = await withTrackerAway(cleanup, {
      affiliations: [label, { ...label, integration: 'others' }],
      otherProjects: ['PAY'],
    })
    tracker.set('PAY-1', { done: true })
    repository.commit({ branch: 'release/1.2.0', message: 'PAY-1 By card' })
    tracker.isAway = false
    tracker.awayProject = 'SHOP'
    await look()
    await pass(stage, HOUR, 10 * 60_000)
    assert.deepEqual(tracker.changes, ['release-1.2.0 on PAY-1'])
    assert.containsSubset(await given.ran(), [{ result: 'failed', reason: 'blocked' }])
    tracker.awayProject = null
    await pass(stage, 9 * HOUR, HOUR)
    assert.deepEqual(tracker.changes.slice(1), ['release-1.2.0 on SHOP-1 SHOP-2'])
    assert.equal((await given.ran()).at(-1).result, 'succeeded')
  })
})

test.group('Code that is to be changed', () => {
  test('is not changed for a release that was skipped meanwhile; the run reports it', async ({
    assert,
    cleanup,
  }) => {
    const { stage, workUntilIt, takeIt } = await setStageWithout('release.bump')
    const code = await makePlannedCode(cleanup)
    const { repository, admin, at, path, automate, setVersionFiles } = code
    await setVersionFiles('package.json')
    repository.commit({ files: { 'package.json': packageAt('1.1.0') } })
    await automate('bumpVersionAfterKickoff')
    await admin.post(at('release'), { version: '1.2.0' })
    await admin.put(`${path('1.2.0')}/kickoff`)
    await workUntilIt()
    assert.equal((await admin.put(`${path('1.2.0')}/skip`)).status, 200)
    assert.deepEqual(reasons(await ran(code, '1.2.0')), [['skipped', 'over']])
    takeIt()
    await pass(stage, 9 * HOUR, HOUR)
    await admin.put(`${path('1.2.0')}/unskip`)
    await pass(stage, 9 * HOUR, HOUR)
    assert.lengthOf(await ran(code, '1.2.0'), 1)
    assert.equal(fileAt(code, 'main', 'package.json'), packageAt('1.1.0').trim())
  })

  test('is not changed if the automation is switched off or paused between attempts', async ({
    assert,
    cleanup,
  }) => {
    for (const change of ['off', 'pause'] as const) {
      const { stage, workUntilIt, takeIt } = await setStageWithout('release.tag')
      const code = await makePlannedCode(cleanup)
      const { repository, admin, at, path, automate, pause } = code
      await automate('tagOnRelease')
      await admin.post(at('release'), { version: '1.2.0' })
      await admin.put(`${path('1.2.0')}/kickoff`)
      stage.clock.advance(MINUTE)
      await workAll(stage)
      await admin.put(`${path('1.2.0')}/complete`)
      await workUntilIt()
      if (change === 'off') await automate('tagOnRelease', false)
      else await pause({ paused: true })
      takeIt()
      await pass(stage, 9 * HOUR, HOUR)
      assert.isFalse(repository.refs().has('refs/tags/1.2.0'), change)
      assert.deepEqual(reasons(await ran(code, '1.2.0')), [['skipped', 'held']], change)
    }
  })
})
