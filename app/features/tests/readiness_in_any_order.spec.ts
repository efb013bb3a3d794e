import { test } from '@japa/runner'
import fc from 'fast-check'
import { makeFeatures, openPull } from './support.js'
import { runs } from '#tests/support/effort'

/*
 * Work items follow from what there is in the end: whatever of it came first, how much came between
 * two looks, and whether a provider was away meanwhile.
 */

const ARRIVALS = [
  'commit',
  'unmentioned commit',
  'late commit',
  'pick',
  'done ticket',
  'open ticket',
  'fix versions',
  'pull',
  'tracker away',
] as const

test.group('In whatever order code and tickets are observed', () => {
  test('the items are the same', async ({ assert, cleanup }) => {
    const turn = fc.record({
      order: fc.shuffledSubarray([...ARRIVALS], { minLength: ARRIVALS.length }),
      looks: fc.array(fc.boolean(), {
        minLength: ARRIVALS.length,
        maxLength: ARRIVALS.length,
      }),
    })
    await fc.assert(
      fc.asyncProperty(turn, async ({ order, looks }) => {
        const made = await makeFeatures(cleanup)
        const { repository, tracker, pulls, release, kickOff, look, items } = made
        repository.git('tag', 'v0.9.0', repository.commit())
        repository.commit({ message: 'SHOP-1 Early' })
        await release('1.0.0')
        await kickOff('1.0.0')
        const branch = 'release/1.0.0'
        const happens: Record<(typeof ARRIVALS)[number], () => unknown> = {
          'commit': () => repository.commit({ branch, message: 'SHOP-2 Two' }),
          'unmentioned commit': () => repository.commit({ branch, message: 'Tidy up' }),
          'late commit': () => repository.commit({ message: 'SHOP-3 Three' }),
          'pick': () => repository.commit({ branch, message: 'SHOP-4 Four' }),
          'done ticket': () => tracker.set('SHOP-1', { done: true, versions: ['1.0.0'] }),
          'open ticket': () => tracker.set('SHOP-2', { versions: ['1.0.0'] }),
          'fix versions': () => {
            tracker.set('SHOP-3', { done: true, versions: ['1.0.0'] })
            tracker.set('SHOP-4', { done: true })
          },
          'pull': () => {
            tracker.set('SHOP-5', { done: true, versions: ['1.0.0'] })
            pulls.push(openPull(7, { title: 'SHOP-5 Five' }))
          },
          'tracker away': () => (tracker.isAway = true),
        }
        for (const [index, arrival] of order.entries()) {
          happens[arrival]()
          if (looks[index]) await look()
        }
        tracker.isAway = false
        // A text that only looked like a key is requested again after a while.
        await made.world.write((scope) =>
          scope.table('tracker_tickets').update({ seen_at: '1970-01-01T00:00:00.000Z' })
        )
        await look()
        await look()
        assert.deepEqual(await items('1.0.0'), {
          'SHOP-1': 'inRelease ready',
          'SHOP-2': 'inRelease ticketNotDone',
          'SHOP-3': 'merged notMerged',
          'SHOP-4': 'inRelease missingAffiliation',
          'SHOP-5': 'inProgress notMerged',
          'Tidy up': 'inRelease ready',
        })
      }),
      { numRuns: runs(6), seed: Number(process.env.TEST_SEED ?? 20261123) }
    )
  }).timeout(240_000)
})
