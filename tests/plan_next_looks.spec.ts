import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { planNextLooks } from '#database/plan_next_looks'
import { Stage } from '#foundation/agenda/tests/support/stage'
import { evaluateOnTime } from '#releases/lifecycle/evaluate_on_time'
import { makeTrain, recordStepFacts } from '#releases/tests/helpers/release_world'

test.group('Releases from before there was an agenda', () => {
  test('get the timer that they would have been given', async ({ assert }) => {
    const stage = await Stage.set(evaluateOnTime)
    await db.from('releases').update({ next_look_at: null })
    const train = await makeTrain(['1.0.0', '2.0.0'], {
      steps: [{ type: 'kickoff' }, { type: 'takeoff' }],
    })
    const notBefore = '2099-01-01T00:00:00.000Z'
    const facts = { pending: true, released: false, notBefore }
    await recordStepFacts(train, '1.0.0', 'takeoff', facts)
    const [planned] = await stage.entries()
    await db.from('agenda_entries').delete()
    await planNextLooks(db.connection())
    const entries = await stage.entries()
    assert.lengthOf(entries, 1)
    const differing = { place: 0, id: '', created_at: '' }
    assert.deepEqual({ ...entries[0], ...differing }, { ...planned, ...differing })
    stage.clock.travelTo(notBefore)
    assert.equal(await stage.worker.turn(), 1)
    assert.lengthOf(await stage.entries(), 0)
  })
})
