import { test } from '@japa/runner'
import {
  commitEdit,
  openEdit,
  publishApproved,
  putTrack,
  sentForReview,
  trackIn,
} from '../play_edits.js'
import { playTimesOut, releasesOf, waitsForSending } from '../play_releases.js'
import { PRODUCTION } from '../play_state.js'
import {
  AT_ONCE,
  commitTrack,
  byHand,
  HOUR,
  LATER,
  ok,
  release,
  staged,
  states,
  STORE,
  why,
} from './support/play_deeds.js'

test.group('Reviews of simulated Google Play', () => {
  test('a commit cancels a review unless it is asked to fail', ({ assert }) => {
    const inReview = ok(commitTrack(STORE, LATER, [staged(1, 0.05)]))
    const at = LATER + HOUR
    assert.deepEqual(states(inReview, at), ['1 IN_REVIEW inProgress 0.05'])
    const two = [staged(1, 0.05), release(2, { status: 'draft' })]
    assert.equal(why(commitTrack(inReview, at, two)), 'reviewInProgress')
    const behavior = { changesInReviewBehavior: 'CANCEL_IN_REVIEW_AND_SUBMIT' as const }
    const again = ok(commitTrack(inReview, at, two, behavior))
    assert.equal(again.releases[0].submission?.at, at, 'It is sent anew')
    const kept = ok(
      commitTrack(byHand(inReview), at, two, { ...behavior, changesNotSentForReview: true })
    )
    assert.deepEqual(states(kept, at), [
      '1 NOT_SENT_FOR_REVIEW inProgress 0.05',
      '2 DRAFT draft null',
    ])
    // Internal tests need no review, and block nobody.
    const internal = ok(commitTrack(inReview, at, [release(2)], { track: 'internal' }))
    assert.deepEqual(states(internal, at, 'internal'), ['2 PUBLISHED completed null'])
    assert.deepEqual(states(internal, at), ['1 IN_REVIEW inProgress 0.05'])
  })

  test('a review of any track blocks a commit, and the blocked edit stays', ({ assert }) => {
    const live = ok(commitTrack(STORE, LATER, [staged(1, 0.05)]))
    const at = LATER + 6 * HOUR
    const inReview = ok(commitTrack(live, at, [release(2)], { track: 'beta' }))
    const { store, edit } = openEdit(inReview, at)
    const halted = [release(1, { status: 'halted', userFraction: 0.05 })]
    const put = ok(putTrack(store, at, { editId: edit.id, track: PRODUCTION, releases: halted }))
    const refused = commitEdit(put, 's', at, { editId: edit.id, ...AT_ONCE })
    assert.deepEqual(refused, { refused: 'reviewInProgress' })
    const replaced = ok(
      commitEdit(put, 's', at + HOUR / 2, {
        ...AT_ONCE,
        editId: edit.id,
        changesInReviewBehavior: 'CANCEL_IN_REVIEW_AND_SUBMIT',
      })
    )
    assert.deepEqual(states(replaced, at + HOUR / 2), ['1 PUBLISHED halted 0.05'])
    assert.deepEqual(states(replaced, at + HOUR / 2, 'beta'), ['2 IN_REVIEW completed null'])
    const [sent] = releasesOf(replaced, 'beta', at + HOUR / 2)
    assert.equal(sent.submission?.at, at + HOUR / 2, 'It is sent anew')
  })

  test('unsent changes wait for a person, or for the next commit that sends', ({ assert }) => {
    const strict = byHand(STORE)
    const how = { changesNotSentForReview: true }
    const kept = ok(commitTrack(strict, LATER, [staged(1, 0.05)], how))
    const at = LATER + 24 * HOUR
    assert.deepEqual(states(kept, at), ['1 NOT_SENT_FOR_REVIEW inProgress 0.05'])
    assert.isTrue(waitsForSending(kept.releases[0], at))
    const sent = sentForReview(kept, 's', at)
    assert.deepEqual(states(sent, at + 6 * HOUR), ['1 PUBLISHED inProgress 0.05'])
    const along = ok(commitTrack({ ...kept, settings: STORE.settings }, at, [staged(1, 0.05)]))
    assert.deepEqual(states(along, at), ['1 IN_REVIEW inProgress 0.05'])
  })

  test('a commit that is wrong about who sends changes is refused, and its edit is lost', ({
    assert,
  }) => {
    const notSent = { changesNotSentForReview: true }
    for (const [store, how, expected] of [
      [byHand(STORE), {}, 'notSentAutomatically'],
      [STORE, notSent, 'sentAutomatically'],
    ] as const) {
      const result = commitTrack(store, LATER, [release(1)], how)
      assert.equal(why(result), expected)
      assert.isTrue(result.store?.edits.at(-1)?.isDeleted)
      assert.isEmpty(result.store?.releases)
    }
    assert.equal(why(commitTrack(byHand(STORE), LATER, [release(1)], notSent)), 'done')
    assert.equal(
      why(commitTrack(byHand(STORE), LATER, [release(1)], { track: 'internal' })),
      'done'
    )
  })

  test('where changes are sent by hand, a rollout changes only once a person sends it', ({
    assert,
  }) => {
    const live = byHand(ok(commitTrack(STORE, LATER, [staged(1, 0.2)])))
    const at = LATER + 6 * HOUR
    const halted = [release(1, { status: 'halted', userFraction: 0.2 })]
    const kept = ok(commitTrack(live, at, halted, { changesNotSentForReview: true }))
    assert.deepEqual(states(kept, at), ['1 PUBLISHED inProgress 0.2'])
    assert.isTrue(waitsForSending(kept.releases[0], at))
    const { store, edit } = openEdit(kept, at)
    assert.equal(trackIn(store, edit, PRODUCTION, at)[0].status, 'halted', 'As it was committed')
    const sent = sentForReview(kept, 's', at + HOUR)
    assert.deepEqual(states(sent, at + HOUR), ['1 PUBLISHED halted 0.2'])
    assert.isFalse(waitsForSending(sent.releases[0], at + HOUR))
    const back = ok(commitTrack(kept, at, [staged(1, 0.2)], { changesNotSentForReview: true }))
    assert.isFalse(waitsForSending(back.releases[0], at), 'Nothing of it is another')
  })

  test('a rejected release goes to another review once it is changed', ({ assert }) => {
    const strict = { ...STORE, settings: { ...STORE.settings, verdicts: ['rejected' as const] } }
    const rejected = ok(commitTrack(strict, LATER, [staged(2, 0.1)]))
    const at = LATER + 6 * HOUR
    const beside = ok(commitTrack(rejected, at, [staged(2, 0.1)]))
    assert.deepEqual(states(beside, at), ['2 NOT_APPROVED inProgress 0.1'])
    const again = ok(commitTrack(rejected, at, [{ ...staged(2, 0.1), name: 'Mended' }]))
    assert.deepEqual(states(again, at), ['2 IN_REVIEW inProgress 0.1'])
  })

  test('a managed release waits after its approval until it is published', ({ assert }) => {
    const sent = ok(commitTrack(STORE, LATER, [staged(1, 0.05)], { isManaged: true }))
    const at = LATER + 6 * HOUR
    assert.equal(why(publishApproved(sent, LATER)), 'notApproved')
    assert.deepEqual(states(sent, at), ['1 APPROVED_NOT_PUBLISHED inProgress 0.05'])
    const out = ok(publishApproved(sent, at))
    assert.deepEqual(states(out, at), ['1 PUBLISHED inProgress 0.05'])
    assert.equal(why(publishApproved(out, at)), 'notApproved')
    assert.deepEqual(playTimesOut(out, at + HOUR), [{ version: '1.1.0', from: at, until: null }])
  })
})
