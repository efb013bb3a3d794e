import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { ProviderError } from '#plugin-kit/provider_error'
import { makeWorld } from '#tests/support/world'
import { refusal } from './memory_store.js'
import { storeWorld, tidy } from './support.js'

const AT = '2026-11-20T12:00:00.000Z'
const TEXT = 'Sorry! 1.4.1 mends it ✓'

/** Returns a world whose store has a review of a submitted release. */
async function reviewed(type: 'apple' | 'google' = 'apple') {
  const given = await storeWorld(type)
  const { store, work, admin, appId } = given
  store.become(type === 'apple' ? 'waitingForReview' : 'live')
  store.reviews.push({ id: 'R1', rating: 1, text: 'It crashes', author: 'ada', at: AT })
  await work()
  await work()
  const shown = async () => (await admin.get(`/app/${appId}/reviews`)).body.data[0]
  const path = `/app/${appId}/review/${(await shown()).id}/reply`
  const sent = () => store.changes.filter((each) => each.startsWith('replyToReview'))
  return { ...given, shown, path, sent, reply: (text: string) => admin.put(path, { text }) }
}

test.group('PUT /app/{appId}/review/{reviewId}/reply', (group) => {
  group.each.teardown(tidy)

  test('200 the answer is pending, then sent, then published, and sent once', async ({
    assert,
  }) => {
    const { reply, shown, work, sent, store, world } = await reviewed()
    const { status, body } = await reply(` ${TEXT}\n`)
    assert.equal(status, 200)
    assert.containsSubset(body.reply, { text: TEXT, state: 'pending', reason: null })
    assert.deepEqual(body.reply.askedBy.type, 'apiKey')
    assert.isNull(body.data.developerResponse)
    assert.isEmpty(sent())
    assert.equal((await reply(TEXT)).body.reply.askedAt, body.reply.askedAt)
    await work()
    assert.deepEqual(sent(), [`replyToReview R1: ${TEXT}`])
    assert.equal((await shown()).reply.state, 'sent')
    assert.containsSubset((await shown()).data.developerResponse, { body: TEXT, state: 'pending' })
    store.reviews[0].reply!.state = 'published'
    await work()
    assert.equal((await shown()).data.developerResponse.state, 'published')
    assert.equal((await reply(TEXT)).body.reply.state, 'sent')
    await work()
    assert.lengthOf(sent(), 1)
    const audit = await db
      .from('audit_entries')
      .where({ organization_id: world.organizationId, action: 'appStoreReview.answered' })
    assert.lengthOf(audit, 1)
  })

  test('another text takes the place of one that is not sent yet', async ({ assert }) => {
    const { reply, shown, work, sent } = await reviewed('google')
    await reply('Sory')
    await reply('Sorry')
    await work()
    assert.deepEqual(sent(), ['replyToReview R1: Sorry'])
    await reply('Sorry, truly')
    await work()
    assert.containsSubset(await shown(), {
      reply: { text: 'Sorry, truly', state: 'sent' },
      data: { developerResponse: { body: 'Sorry, truly', state: 'published' } },
    })
  })

  test('an answer with an unknown outcome is sent again, and exists once', async ({ assert }) => {
    const { reply, shown, work, sent, store } = await reviewed()
    store.breaks.add('after replyToReview')
    await reply(TEXT)
    await work()
    // The next poll may show the answer before the call is repeated.
    await work()
    assert.equal((await shown()).reply.state, 'sent')
    assert.isAtMost(sent().length, 2)
    assert.equal(store.reviews[0].reply!.text, TEXT)
  })

  test('a refused answer stays, with the reason and the remedy', async ({ assert }) => {
    const { reply, shown, work, sent, store } = await reviewed()
    const action = 'An admin gives the key the role Customer Support.'
    const message = `The key may not answer reviews. ${action}`
    store.failures.push(
      new ProviderError('forbidden', message, { outcome: 'notApplied', action }),
      refusal('unavailable', 'Come back later')
    )
    await reply(TEXT)
    await work()
    assert.containsSubset((await shown()).reply, {
      ...{ state: 'refused', text: TEXT, action },
      reason: 'The key may not answer reviews.',
    })
    // The same answer is requested again; a store that is unavailable is retried.
    await reply(TEXT)
    await work()
    assert.containsSubset((await shown()).reply, { state: 'pending', reason: null, action: null })
    await work()
    assert.equal((await shown()).reply.state, 'sent')
    assert.lengthOf(sent(), 1)
  })

  test('an answer that the store shows later replaces the requested one', async ({ assert }) => {
    const { reply, shown, work, store } = await reviewed()
    await reply(TEXT)
    await work()
    store.reviews[0].reply = { text: 'From the console', state: 'published', at: store.now() }
    await work()
    const { reply: requested, data } = await shown()
    assert.isNull(requested)
    assert.equal(data.developerResponse.body, 'From the console')
    // A list that lags behind shows nothing new.
    store.reviews[0].reply = { text: TEXT, state: 'pending', at: AT }
    await work()
    assert.equal((await shown()).data.developerResponse.body, 'From the console')
  })

  test('422 for more than the store takes, or nothing at all', async ({ assert }) => {
    const { reply, shown, admin, path, sent, work } = await reviewed('google')
    const { status, body } = await reply('✓'.repeat(351))
    assert.equal(status, 422)
    assert.containsSubset(body.errors, [{ pointer: '/text', code: 'too_long_for_store' }])
    assert.equal((await reply('   ')).status, 422)
    assert.equal((await admin.put(path, {})).status, 422)
    assert.isNull((await shown()).reply)
    assert.equal((await reply('😀'.repeat(350))).status, 200)
    await work()
    assert.lengthOf(sent(), 1)
    const apple = await reviewed()
    assert.equal((await apple.reply('x'.repeat(5970))).status, 200)
    assert.equal((await apple.reply('x'.repeat(5971))).status, 422)
  })

  test('403 without the right to submit, 404 elsewhere, 409 without the store', async ({
    assert,
  }) => {
    const { world, path, appId, reply } = await reviewed()
    const triage = { name: 'Triage', userActions: ['ManageTriageIssues'] }
    await world.admin.post(`/org/${world.organizationId}/group`, triage)
    const member = await world.keyed({ groups: ['Triage'] })
    assert.equal((await member.put(path, { text: TEXT })).status, 403)
    const other = await makeWorld()
    assert.equal((await other.admin.put(path, { text: TEXT })).status, 404)
    const unknown = `/app/${appId}/review/review_of_nobody/reply`
    assert.equal((await world.admin.put(unknown, { text: TEXT })).status, 404)
    await db.from('integrations').where({ app_id: appId, kind: 'appStore' }).delete()
    const { status, body } = await reply(TEXT)
    assert.deepEqual([status, body.code], [409, 'integration_missing'])
  })
})
