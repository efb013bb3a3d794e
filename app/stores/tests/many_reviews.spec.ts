import { test } from '@japa/runner'
import { yieldsOf } from '#tests/support/yields'
import { RecordReviews } from '../actions/record_reviews.js'
import { observeBuilds } from '../work/observe_builds.js'
import { storeWorld, tidy } from './support.js'

const MANY = 30
const AT = '2026-11-20T12:00:00.000Z'

test.group('A store that reports much at once', (group) => {
  group.each.teardown(tidy)

  test('is recorded while the process serves others in between', async ({ assert }) => {
    const { world, store, appId, target } = await storeWorld()
    const place = await target()
    const reviews = Array.from({ length: MANY }, (_, index) => ({
      ...{ id: `R${index}`, rating: 5, text: 'Lovely', author: 'ada', at: AT, locale: 'en-US' },
    }))
    const ofReviews = await world.write((scope) =>
      yieldsOf(() => new RecordReviews(scope).handle(place, reviews))
    )
    assert.isAtLeast(ofReviews, MANY)
    for (let index = 0; index < MANY; index++) store.upload(`${4711 + index}`)
    const { handler } = observeBuilds
    if (handler.nature !== 'observation') return assert.fail('It looks')
    const { integrationId, connectionId } = place
    const entry = { payload: { appId, integrationId, connectionId } } as never
    const ofBuilds = await world.write((scope) =>
      yieldsOf(() => handler.store(scope, entry, store.builds))
    )
    assert.isAtLeast(ofBuilds, MANY)
  })
})
