import { test } from '@japa/runner'
import { makeLate } from './late.js'

test.group('A ticket that a fix request names', () => {
  test('is 422 if no tracker of the app has it, and nothing is stored', async ({
    assert,
    cleanup,
  }) => {
    const { admin, requests } = await makeLate(cleanup, { otherProjects: ['OPS'] })
    const { status, body } = await admin.post(requests, { title: 'Late', ticketId: 'SHOP-404' })
    assert.equal(status, 422)
    assert.containsSubset(body.errors, [{ pointer: '/ticketId', code: 'unknown_ticket' }])
    assert.include(body.errors[0].message, 'SHOP-404')
    assert.isEmpty((await admin.get(requests)).body)
  })

  test('is accepted in any case if one tracker has it, or does not answer', async ({
    assert,
    cleanup,
  }) => {
    const { admin, requests, tracker } = await makeLate(cleanup, { otherProjects: ['OPS'] })
    const statusOf = async (ticketId: string) =>
      (await admin.post(requests, { title: 'Late', ticketId })).status
    assert.equal(await statusOf('shop-1'), 201)
    tracker.set('OPS-7')
    assert.equal(await statusOf('OPS-7'), 201)
    tracker.isAway = true
    assert.equal(await statusOf('SHOP-404'), 201)
  })
})
