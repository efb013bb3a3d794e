import { test } from '@japa/runner'
import { liveAtAShare, trains, type Overlapping } from './support/overlapping.js'
import { withoutLeftWork } from '#tests/support/left_work'

/*
 * Cases in which a stop, or a decision after it, was once lost at Google Play. The last decision
 * has to win in the store, the timeline must not report anything that the store did not do, and
 * must not attribute own decisions to somebody outside.
 */

/** A scenario in which lists show a change after five minutes. */
const LAGGING = trains({ lag: '5m' })

/** Works every twenty seconds, for longer than lists lag. */
const settle = (given: Overlapping) => given.pass(20, 45)

/** Returns the end: in the store, by the record, and by the step. */
async function ends({ inStore, plan, run }: Overlapping) {
  const { status: inPlay, userFraction } = await inStore()
  const { standing, rollout } = await plan()
  const { status: shown, percentage } = await run()
  const { status } = rollout
  return { store: `${inPlay} ${userFraction}`, standing, status, shown, percentage }
}

const HALTED = { store: 'halted 0.2', standing: 'agreed', status: 'done', shown: 'halted' }
const OUTSIDE = /outside of Tarmac|somebody/i

test.group('The last decision', (group) => {
  withoutLeftWork(group)

  for (const wait of ['1h', '1m', null]) {
    test(`wins if it is a pause after a resume and a growth, ${wait ?? 'at once'}`, async ({
      assert,
    }) => {
      const given = await liveAtAShare(LAGGING)
      const { rollout, advance, timeline } = given
      for (const body of [
        { action: 'pause' },
        { action: 'resume' },
        { action: 'set', percentage: 30 },
        { action: 'pause' },
      ]) {
        const { status, text } = await rollout(body)
        assert.equal(status, 200, text)
        if (wait && body.action === 'pause') await advance(wait)
      }
      await settle(given)
      await advance('2h')
      await settle(given)
      assert.containSubset(await ends(given), {
        standing: 'agreed',
        status: 'done',
        shown: 'halted',
      })
      assert.match((await ends(given)).store, /^halted 0\.[23]$/)
      assert.notMatch((await timeline()).join('\n'), OUTSIDE)
    })
  }

  test('wins if it is a resume at once after a pause', async ({ assert }) => {
    const given = await liveAtAShare(LAGGING)
    const { rollout, advance, timeline } = given
    const before = (await timeline()).length
    await rollout({ action: 'pause' })
    await rollout({ action: 'resume' })
    await settle(given)
    await advance('2h')
    await settle(given)
    assert.deepEqual(await ends(given), {
      ...{ store: 'inProgress 0.2', standing: 'agreed', status: 'done' },
      ...{ shown: 'active', percentage: 20 },
    })
    assert.notMatch((await timeline()).slice(before).join('\n'), OUTSIDE)
  })

  test('wins if it is a resume after a pause that lists do not show yet', async ({ assert }) => {
    const given = await liveAtAShare(LAGGING)
    const { rollout, advance, timeline, inStore, pass } = given
    const before = (await timeline()).length
    await rollout({ action: 'pause' })
    await pass(20, 1)
    assert.equal((await inStore()).status, 'halted')
    await rollout({ action: 'resume' })
    await settle(given)
    await advance('2h')
    await settle(given)
    assert.containSubset(await ends(given), {
      ...{ store: 'inProgress 0.2', standing: 'agreed', status: 'done' },
      ...{ shown: 'active', percentage: 20 },
    })
    const reported = (await timeline()).slice(before)
    assert.deepEqual(
      reported.filter((title) => /^The rollout of 4\.2\.0 is (halted|inProgress)/.test(title)),
      [
        'The rollout of 4.2.0 is halted at 20 %, as admin decided',
        'The rollout of 4.2.0 is inProgress at 20 %',
      ]
    )
    assert.notMatch(reported.join('\n'), OUTSIDE)
  })

  test('wins if it is the red button of a release that was skipped at a share', async ({
    assert,
  }) => {
    const given = await liveAtAShare(LAGGING)
    const { admin, path, rollout, advance, release } = given
    const refused = await admin.put(`${path}/skip`)
    assert.deepEqual([refused.status, refused.body.code], [409, 'release_live'])
    assert.containSubset(refused.body.inStores, [{ state: 'active', percentage: 20 }])
    const forced = await admin.put(`${path}/skip`, { force: true })
    assert.equal(forced.body.status, 'skipped')
    assert.match(forced.body.warnings[0].message, /stays at 20 %/)
    for (const body of [
      { action: 'complete' },
      { action: 'resume' },
      { action: 'set', percentage: 50 },
    ]) {
      const { status, body: problem } = await rollout(body)
      assert.deepEqual([status, problem.code], [409, 'release_skipped'])
      assert.include(problem.allowedActions, 'unskip')
    }
    assert.equal((await admin.put(`${path}/redButton`, { reason: 'It crashes' })).status, 200)
    await settle(given)
    await advance('2h')
    assert.containSubset(await ends(given), HALTED)
    assert.equal((await release()).status, 'skipped')
    await admin.put(`${path}/unskip`)
    assert.equal((await rollout({ action: 'resume' })).status, 200)
    await settle(given)
    await advance('2h')
    assert.containSubset(await ends(given), { store: 'inProgress 0.2', shown: 'active' })
  })

  test('wins if it is the end of a release, over growth that still waits', async ({ assert }) => {
    for (const end of ['skip', 'complete']) {
      const given = await liveAtAShare(LAGGING)
      const { admin, path, rollout, advance, timeline, inStore } = given
      await given.overlap()
      await rollout({ action: 'set', percentage: 50 })
      await settle(given)
      const { status } = await admin.put(`${path}/${end}`, { force: true })
      assert.equal(status, 200)
      await advance('6h')
      await settle(given)
      assert.containSubset(await inStore(), { status: 'inProgress', userFraction: 0.2 })
      assert.match((await timeline()).join('\n'), /is not set to 50 %: It was (skipped|completed)/)
    }
  })
})
