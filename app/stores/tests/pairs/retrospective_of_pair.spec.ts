import { test } from '@japa/runner'
import { passMinutes, tidy } from '../support.js'
import { pairWorld } from './support.js'

interface Waited {
  name: string
  type: string | null
  hours: number
  waits: { who: { name: string }[] }[]
}

test.group('The retrospective of a release of a pair', (group) => {
  group.each.teardown(tidy)

  test('attributes time to the other release while only this one was ready', async ({ assert }) => {
    const given = await pairWorld()
    const { admin, join, submit, approve, takeOff, pathOf, stores, work } = given
    await join()
    await submit('apple')
    await submit('google')
    await approve('apple')
    passMinutes(10 * 60)
    await approve('google')
    await work(2)
    passMinutes(3 * 60)
    await takeOff('apple')
    await work(2)
    stores.google.publish()
    await work(4)
    const { body } = await admin.get(`${pathOf('apple')}/retrospective`)
    const steps: Waited[] = body.retrospective.steps
    const other = steps.find(({ name }) => name === 'The other release of its pair')
    assert.closeTo(other?.hours ?? 0, 10, 0.5)
    assert.isNull(other!.type)
    const [longest] = other!.waits
    assert.deepEqual(
      longest.who.map(({ name }) => name),
      ['Google Play']
    )
    const own = steps.find(({ type }) => type === 'takeoff')
    assert.closeTo(own?.hours ?? 0, 3, 0.5)
  })
})
