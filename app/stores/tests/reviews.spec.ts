import db from '@adonisjs/lucid/services/db'
import fc from 'fast-check'
import { test } from '@japa/runner'
import type { StoreReview } from '#plugin-kit/capabilities/stores'
import { makeWorld } from '#tests/support/world'
import { issuesOf } from '../derive/review_issues.js'
import { termsOf } from '../reviews/review_terms.js'
import { storeWorld, tidy } from './support.js'

const at = (day: number) => new Date(Date.UTC(2026, 10, day, 12)).toISOString()
const review = (id: string, change: Partial<StoreReview> = {}): StoreReview => ({
  id,
  rating: 5,
  text: 'Lovely',
  author: 'ada',
  at: at(20),
  locale: 'en-US',
  version: '1.4.0',
  ...change,
})

/** Returns an app whose release was submitted, so that its reviews are polled. */
async function reviewed(...reviews: StoreReview[]) {
  const given = await storeWorld()
  const { store, work, admin, appId } = given
  store.become('waitingForReview')
  store.reviews.push(...reviews)
  await work()
  await work()
  const get = async (query = '') => (await admin.get(`/app/${appId}/reviews${query}`)).body
  return { ...given, get }
}

test.group('GET /app/{appId}/reviews', (group) => {
  group.each.teardown(tidy)

  test('200 newest first, with their summary', async ({ assert }) => {
    const { get } = await reviewed(
      review('R1', { at: at(18), rating: 4 }),
      review('R2', { at: at(20), rating: 1, title: 'No', territory: 'USA' }),
      review('R3', { at: at(19), reply: { text: 'Thank you', state: 'published', at: at(21) } })
    )
    const { data, summary, pagination } = await get()
    assert.deepEqual(
      data.map(({ rating }: { rating: number }) => rating),
      [1, 5, 4]
    )
    assert.containsSubset(data[0], {
      title: 'No',
      body: 'Lovely',
      author: 'ada',
      territory: 'USA',
      createdAt: at(20),
      sentiment: 'negative',
      destination: { id: null, name: 'App Store', storeType: 'apple' },
    })
    const answered = { body: 'Thank you', at: at(21), state: 'published' }
    assert.deepEqual(data[1].data.developerResponse, answered)
    assert.isNull(data[1].reply)
    assert.deepEqual(summary, {
      averageRating: 3.33,
      ratingCount: 3,
      byRating: { 1: 1, 2: 0, 3: 0, 4: 1, 5: 1 },
    })
    assert.isFalse(pagination.hasMore)
  })

  test('filters and pages the reviews; the summary covers all that match the filters', async ({
    assert,
  }) => {
    const { get } = await reviewed(
      review('R1', { rating: 1, version: '1.3.0', at: at(10) }),
      review('R2', { rating: 2, locale: 'de-DE', at: at(11) }),
      review('R3', { rating: 2, at: at(12) }),
      review('R4', { rating: 5, at: at(13) })
    )
    const ratings = async (query: string) =>
      (await get(query)).data.map((each: { rating: number }) => each.rating)
    assert.deepEqual(await ratings('?version=1.3.0'), [1])
    assert.deepEqual(await ratings('?rating=2'), [2, 2])
    assert.deepEqual(await ratings('?locale=de-DE'), [2])
    assert.deepEqual(await ratings(`?from=${at(11)}&to=${at(13)}`), [2, 2])
    const first = await get('?limit=3')
    assert.deepEqual([first.data.length, first.summary.ratingCount], [3, 4])
    const rest = await get(`?limit=3&cursor=${first.pagination.nextCursor}`)
    assert.deepEqual(
      rest.data.map((each: { rating: number }) => each.rating),
      [1]
    )
  })

  test('without reviews there is no average, and no issue', async ({ assert }) => {
    const { get } = await reviewed()
    assert.deepEqual(await get(), {
      data: [],
      pagination: { limit: 50, hasMore: false, nextCursor: null },
      summary: {
        averageRating: null,
        ratingCount: 0,
        byRating: { 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 },
      },
      issues: [],
    })
  })

  test('complaints are grouped by the words they share, without replies', async ({ assert }) => {
    const { get } = await reviewed(
      review('R1', { rating: 1, text: 'It crashes at the start', at: at(20) }),
      review('R2', { rating: 2, text: 'Crashed again and again', at: at(21) }),
      review('R3', { rating: 1, text: 'Crashing since the update', at: at(22) }),
      review('R4', { rating: 5, text: 'It never crashes', at: at(22) }),
      ...['A', 'B', 'C'].map((id) =>
        review(id, { rating: 1, text: id, reply: { text: 'Sorry, battery', state: 'published' } })
      )
    )
    const { issues, data } = await get()
    assert.deepEqual(
      issues.map(({ title, reviewCount }: any) => [title, reviewCount]),
      [['crashed', 3]]
    )
    const [{ id, firstSeenAt, lastSeenAt }] = issues
    assert.deepEqual([firstSeenAt, lastSeenAt], [at(20), at(22)])
    const named = data.filter(({ issueIds }: { issueIds: string[] }) => issueIds.includes(id))
    assert.lengthOf(named, 3)
    assert.isEmpty((await get('?rating=5')).issues)
  })

  test('an edited review is updated once, and never reverted', async ({ assert }) => {
    const { get, store, work, world } = await reviewed(review('R1', { rating: 1 }))
    store.reviews[0] = review('R1', { rating: 4, text: 'Better', at: at(22) })
    await work()
    assert.deepEqual((await get()).data[0].rating, 4)
    store.reviews[0] = review('R1', { rating: 1, at: at(20) })
    await work()
    assert.deepEqual((await get()).data[0].rating, 4)
    const rows = await db.from('app_store_reviews').where('organization_id', world.organizationId)
    assert.lengthOf(rows, 1)
  })

  test('400 and 422 for invalid filters; 404 for another organization', async ({ assert }) => {
    const { admin, appId } = await reviewed()
    const { status } = await admin.get(`/app/${appId}/reviews?rating=6`)
    assert.include([400, 422], status)
    assert.include([400, 422], (await admin.get(`/app/${appId}/reviews?from=soon`)).status)
    const other = await makeWorld()
    assert.equal((await other.admin.get(`/app/${appId}/reviews`)).status, 404)
  })
})

test.group('issues of reviews', () => {
  const word = fc.constantFrom('crash', 'battery', 'login', 'slow', 'ads')
  const arbitrary = fc.uniqueArray(
    fc.record({
      id: fc.uuid(),
      writtenAt: fc.integer({ min: 1, max: 28 }).map(at),
      terms: fc
        .uniqueArray(word, { maxLength: 4 })
        .map((words) => words.map((each) => ({ stem: each, word: each }))),
    }),
    { selector: ({ id }) => id, maxLength: 25 }
  )

  test('do not depend on the order of reviews', ({ assert }) => {
    fc.assert(
      fc.property(arbitrary, (reviews) => {
        assert.deepEqual(issuesOf([...reviews].reverse(), at(28)), issuesOf(reviews, at(28)))
      })
    )
  })

  test('have all reviews with their word, at least three', ({ assert }) => {
    fc.assert(
      fc.property(arbitrary, (reviews) => {
        for (const { title, reviewCount, reviewIds } of issuesOf(reviews, at(28))) {
          const speaking = reviews.filter(({ terms }) => terms.some(({ stem }) => stem === title))
          assert.isAtLeast(reviewCount, 3)
          assert.equal(reviewIds.size, reviewCount)
          assert.sameMembers(
            [...reviewIds],
            speaking.map(({ id }) => id)
          )
        }
      })
    )
  })

  test('have a trend', ({ assert }) => {
    const spoken = (...days: number[]) =>
      days.map((day, index) => ({
        id: `r${index}`,
        writtenAt: at(day),
        terms: [{ stem: 'crash', word: 'crash' }],
      }))
    const trend = (...days: number[]) => issuesOf(spoken(...days), at(28))[0].trend
    assert.equal(trend(16, 27, 27, 27), 'up')
    assert.equal(trend(16, 17, 18, 27), 'down')
    assert.equal(trend(16, 17, 27, 28), 'flat')
  })

  test('share stems by the language of the review', ({ assert }) => {
    const stems = (text: string, locale: string) => termsOf(text, locale).map(({ stem }) => stem)
    assert.deepEqual(stems('Crashes and crashed', 'en-US'), stems('crashing', 'en-GB'))
    assert.deepEqual(stems('Die Abstürze', 'de-DE'), stems('Abstürzen', 'de'))
    assert.deepEqual(stems('アプリ が 落ちます', 'ja'), ['アプリ', '落ちます'])
    assert.isEmpty(stems('the app', 'en'))
  })
})
