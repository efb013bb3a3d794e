import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { HOUR } from '#foundation/core/durations'
import { passMinutes, tidy } from '#stores/tests/support'
import type { Stage } from '../tables.js'
import { guarded } from './guarded.js'
import { ago, asked } from './support.js'

const pass = (hours: number) => passMinutes(hours * 60)

async function stagesOf(appId: string): Promise<Stage[]> {
  const { stages } = await db.from('rollouts').where('app_id', appId).firstOrFail()
  return JSON.parse(stages)
}

test.group('A rollout that goes on at the share at which it was stopped', (group) => {
  group.each.teardown(tidy)

  test('keeps its counts, and the time of the stop does not count as time at its share', async ({
    assert,
  }) => {
    const given = await guarded()
    const { monitor, turns, steer, run, appId } = given
    monitor.versions.set('1.4.0', { sessions: 80_000, crashed: 160 })
    const [{ at: reached }] = await stagesOf(appId)
    await turns(1)
    await steer('halt')
    await turns(2)
    pass(30)
    await steer('resume')
    await turns(3)
    assert.equal((await run('rollout')).data.phased.status, 'active')
    const stages = await stagesOf(appId)
    assert.lengthOf(stages, 1)
    assert.equal(stages[0].at, reached)
    assert.closeTo(stages[0].stoppedFor! / HOUR, 30, 1)
    monitor.asked.length = 0
    pass(2)
    await turns(1)
    const counted = monitor.asked.find(({ version }) => version === '1.4.0')
    assert.equal(counted?.from, reached)
    // The rollout was active there for some six hours, and its rung lasts 24.
    assert.deepEqual(asked(given), ['setRollout halt', 'setRollout resume'])
    pass(18)
    await turns(3)
    assert.deepEqual(asked(given), ['setRollout halt', 'setRollout resume', 'setRollout 0.5'])
  })

  test('is counted from the start after it was found unhealthy there', async ({ assert }) => {
    const { turns, crash, steer, monitor, appId } = await guarded()
    crash()
    await turns(5)
    monitor.versions.delete('1.4.0')
    await steer('resume')
    await turns(3)
    const [unhealthy, resumed, ...others] = await stagesOf(appId)
    assert.isEmpty(others)
    assert.isDefined(unhealthy.unhealthyAt)
    assert.isAbove(Date.parse(resumed.at), Date.parse(ago(2)))
    assert.isUndefined(resumed.unhealthyAt)
  })

  test('is paused before the next day of Apple, which the pause has delayed', async ({
    assert,
  }) => {
    const given = await guarded('apple')
    const { monitor, turns, steer } = given
    monitor.versions.set('1.4.0', { sessions: 100, crashed: 0 })
    await steer('pause')
    await turns(2)
    pass(10)
    await steer('resume')
    await turns(2)
    const twice = ['setRollout pause', 'setRollout resume']
    pass(12)
    await turns(2)
    assert.deepEqual(asked(given), twice)
    // Some 20 hours of the day have passed by now, 17 of them since the resume.
    pass(4)
    await turns(3)
    assert.deepEqual(asked(given), [...twice, 'setRollout pause'])
  })

  test('at Apple is not held again that day after a resume, but on the next day', async ({
    assert,
  }) => {
    const given = await guarded('apple')
    const { monitor, store, turns, steer } = given
    monitor.versions.set('1.4.0', { sessions: 100, crashed: 0 })
    pass(18)
    await turns(3)
    assert.deepEqual(asked(given), ['setRollout pause'])
    await steer('resume')
    await turns(3)
    pass(1)
    await turns(3)
    const once = ['setRollout pause', 'setRollout resume']
    assert.deepEqual(asked(given), once)
    store.rollout({ state: 'active', day: 5 })
    await turns(3)
    assert.deepEqual(asked(given), once)
    pass(21)
    await turns(3)
    assert.deepEqual(asked(given), [...once, 'setRollout pause'])
  })
})
