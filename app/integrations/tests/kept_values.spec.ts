import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { unitOfWork } from '#foundation/core/services'
import { connect } from '#integrations/tests/support/connect'
import { makeWorld } from '#tests/support/world'
import { keptOf } from '../connections/kept_values.js'

test.group('What a plugin keeps for its connection', () => {
  test('is there for every process, and for no other connection', async ({ assert }) => {
    const world = await makeWorld()
    const [one, other] = [await connect(world, 'memory'), await connect(world, 'memory')]
    const { organization } = world.principal
    // Each process makes its own.
    const kept = (id = one.id) => keptOf(unitOfWork)(organization, id)
    assert.isNull(await kept().get('sentByHand a.b'))
    await kept().set('sentByHand a.b', 'yes')
    await kept().set('sentByHand a.b', 'y'.repeat(300))
    assert.equal(await kept().get('sentByHand a.b'), 'y'.repeat(200))
    assert.isNull(await kept().get('sentByHand a.c'))
    assert.isNull(await kept(other.id).get('sentByHand a.b'))
    await kept().set('sentByHand a.b', null)
    assert.isNull(await kept().get('sentByHand a.b'))
  })

  test('goes with the connection', async ({ assert }) => {
    const world = await makeWorld()
    const { id } = await connect(world, 'memory')
    const kept = keptOf(unitOfWork)(world.principal.organization, id)
    await kept.set('learnt', 'yes')
    await db.from('connections').where('id', id).delete()
    assert.isEmpty(await db.from('connection_values').where('connection_id', id))
    await kept.set('learnt', 'too late')
    assert.isNull(await kept.get('learnt'))
  })
})
