import type { Assert } from '@japa/assert'
import type { Api } from './api.js'

interface Reviewed {
  admin: Api
  appId: string
  path: string
  work: () => Promise<void>
}

/**
 * Checks that an answer to a review reaches the store behind a plugin, and so does a second answer
 * that replaces it.
 * @param results the answers of all reviews in the store
 */
export async function requireAnswer(
  assert: Assert,
  { admin, appId, path, work }: Reviewed,
  results: () => (string | null)[]
): Promise<void> {
  await admin.put(`${path}/submit`, {})
  for (let turn = 0; turn < 4; turn++) await work()
  const reviews = async () => (await admin.get(`/app/${appId}/reviews`)).body.data
  const [{ id }] = await reviews()
  for (const text of ['Sory', 'Sorry, 1.3.1 mends it ✓']) {
    const { status, body } = await admin.put(`/app/${appId}/review/${id}/reply`, { text })
    assert.equal(status, 200)
    assert.equal(body.reply.state, 'pending')
    assert.notInclude(results(), text)
    await work()
    const review = (await reviews()).find((each: { id: string }) => each.id === id)
    assert.containsSubset(review, {
      reply: { text, state: 'sent', reason: null },
      data: { developerResponse: { body: text } },
    })
    assert.deepEqual(
      results().filter((each) => each !== null),
      [text]
    )
  }
}
