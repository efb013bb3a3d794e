import fc from 'fast-check'
import { test } from '@japa/runner'
import { runs } from '#tests/support/effort'
import { heldBy, type Hold } from '../engine/held_by.js'
import type { HeldOutside } from '../engine/why_not_moving.js'
import type { ReleaseFacts } from '../engine/facts.js'
import { evaluate } from '../engine/evaluate.js'
import { whoText } from '../engine/who_text.js'
import { whyNotMoving } from '../engine/why_not_moving.js'
import { hoursText } from '#foundation/core/durations'
import { retrospectiveText } from '../retrospective/text.js'
import {
  medianOf,
  nameOfHold,
  spansOf,
  waitedPerStep,
  type HeldSince,
} from '../retrospective/waited.js'
import { arbitraryFacts } from './helpers/arbitrary_facts.js'
import { NOW, releaseFacts, stepFacts, workflow } from './helpers/release_facts.js'

const RUNS = { numRuns: runs(300) }
const KICKED_OFF = '2026-11-19T09:00:00.000Z'
const AFTER_NOW = '2026-11-20T12:00:01.000Z'

const holds = (facts: Partial<ReleaseFacts>) =>
  heldBy(releaseFacts({ kickedOffAt: KICKED_OFF, ...facts }), NOW)
const shownOf = (hold: Hold | null) =>
  hold && [hold.step?.name ?? null, hold.code, hold.who.map(({ type, name }) => name ?? type)]

test.group('What a release waits for', () => {
  test('is the step that is blocked, in progress or next, and nothing before the kickoff', ({
    assert,
  }) => {
    const steps = workflow(
      stepFacts('kickoff'),
      stepFacts({ type: 'translations', facts: { locales: [{ locale: 'de', percentage: 9 }] } }),
      stepFacts({ type: 'releaseCandidate', facts: { activeBuild: 'failed' } }),
      stepFacts('submission')
    )
    assert.isNull(holds({ steps, kickedOffAt: null }))
    assert.deepEqual(shownOf(holds({ steps })), [
      'releaseCandidate',
      'build_failed',
      ['TriggerCIWorkflow', 'CI system'],
    ])
    const building = workflow(
      stepFacts('kickoff'),
      stepFacts({ type: 'releaseCandidate', facts: { activeBuild: 'running' } }),
      stepFacts('submission')
    )
    assert.deepEqual(shownOf(holds({ steps: building })), [
      'releaseCandidate',
      'build_running',
      ['CI system'],
    ])
    assert.isNull(holds({ steps, completedAt: NOW }))
  })

  test('is the step that a condition of the whole release is about, such as the review', ({
    assert,
  }) => {
    const after = (review: 'waiting' | 'approved' | 'rejected', pending = false) =>
      workflow(
        stepFacts('kickoff'),
        stepFacts({
          type: 'submission',
          facts: { selectedBuild: true, invalidBinary: false, submitted: true },
        }),
        stepFacts({ type: 'storeReview', facts: { state: review } }),
        stepFacts({ type: 'takeoff', facts: { pending, released: false, notBefore: null } }),
        stepFacts('rollout')
      )
    assert.deepEqual(shownOf(holds({ steps: after('waiting') })), [
      'storeReview',
      'waiting_for_review',
      ['store'],
    ])
    assert.deepEqual(shownOf(holds({ steps: after('rejected') })), [
      'storeReview',
      'review_rejected',
      ['SubmitForReview'],
    ])
    assert.deepEqual(shownOf(holds({ steps: after('approved', true) })), [
      'takeoff',
      'release_pending',
      ['SubmitForReview'],
    ])
    const skipped = { steps: after('waiting'), skippedAt: NOW }
    assert.deepEqual(shownOf(holds(skipped)), [null, 'release_skipped', ['CreateDeleteRelease']])
  })

  test('is a freeze, a pause or another release once nothing of its own is missing', ({
    assert,
  }) => {
    const ready = (submitted: boolean) =>
      workflow(
        stepFacts('kickoff'),
        stepFacts({
          type: 'submission',
          facts: { selectedBuild: true, invalidBinary: false, submitted },
        }),
        stepFacts({ type: 'storeReview', facts: { state: submitted ? 'approved' : null } }),
        stepFacts({
          type: 'takeoff',
          facts: { pending: submitted, released: false, notBefore: null },
        })
      )
    const held = (heldByWhat: 'freeze' | 'pause', steps = ready(false)) => ({
      targets: { kickoffAt: null, submitAt: NOW, releaseAt: null },
      automations: [{ action: 'submit' as const, enabled: true, heldBy: heldByWhat }],
      steps,
    })
    const named = (hold: Hold | null) => [nameOfHold(hold), hold?.code]
    assert.deepEqual(named(holds(held('freeze'))), ['Freeze', 'automation_held'])
    // Before the target date, a freeze holds nothing.
    const targets = { kickoffAt: null, submitAt: AFTER_NOW, releaseAt: null }
    assert.deepEqual(named(holds({ ...held('freeze'), targets })), ['submission', 'not_submitted'])
    assert.deepEqual(named(holds(held('pause'))), ['Paused automations', 'automation_held'])
    assert.deepEqual(named(holds(held('freeze', ready(true)))), ['takeoff', 'release_pending'])

    const other: HeldOutside = {
      conditions: [{ code: 'pair_waits', message: 'It waits.', who: [{ type: 'store' }] }],
      ...{ isTakenOff: false, isForOther: true },
    }
    const facts = releaseFacts({ kickedOffAt: KICKED_OFF, steps: ready(true) })
    assert.deepEqual(named(heldBy(facts, NOW, undefined, [other])), [
      'The other release of its pair',
      'pair_waits',
    ])
    // If both are ready, it waits for its own takeoff.
    const due = heldBy(facts, NOW, undefined, [{ ...other, isForOther: false }])
    assert.deepEqual(named(due), ['takeoff', 'release_pending'])
    // Its own missing steps come first.
    const own = releaseFacts({ kickedOffAt: KICKED_OFF, steps: ready(false) })
    assert.equal(heldBy(own, NOW, undefined, [other])?.code, 'not_submitted')
  })

  test('is one of the conditions of whyNotMoving for any facts', ({ assert }) => {
    fc.assert(
      fc.property(arbitraryFacts, (facts) => {
        const hold = heldBy(facts, NOW)
        assert.deepEqual(heldBy(structuredClone(facts), NOW), hold)
        const why = whyNotMoving(facts, NOW)
        const open = why.release.filter(({ code }) => code !== 'automation_held')
        const isUnderWay = facts.kickedOffAt !== null && facts.completedAt === null
        assert.equal(hold !== null, isUnderWay && open.length > 0)
        if (isUnderWay && hold === null) assert.isTrue(evaluate(facts, NOW).finished)
        if (!hold) return
        const all = [...why.release, ...why.steps.flatMap(({ unmet }) => unmet)]
        assert.include(
          all.map(({ code }) => code),
          hold.code
        )
        const known = facts.steps.find(
          ({ stepConfigId }) => stepConfigId === hold.step?.stepConfigId
        )
        assert.equal(hold.step?.name, known?.name)
        assert.isAtMost(hold.who.length, 10)
      }),
      RUNS
    )
  })
})

const at = (hours: number) => new Date(Date.parse(KICKED_OFF) + hours * 3_600_000).toISOString()
const step = (name: string) => ({ stepConfigId: name, name, type: 'approvals' as const })
const hold = (name: string | null, who = 'QA'): Hold => ({
  step: name === null ? null : step(name),
  code: 'item_not_done',
  who: [{ type: 'group', name: who }],
})
const waits = fc.array(
  fc.record({
    since: fc.integer({ min: -20, max: 120 }).map(at),
    hold: fc
      .tuple(fc.constantFrom('A', 'B', null), fc.constantFrom('QA', 'Legal'))
      .map(([name, who]) => hold(name, who)),
  }),
  { maxLength: 12 }
)

test.group('The time that a release waited', () => {
  test('is split into spans without gaps, overlaps or negative lengths', ({ assert }) => {
    fc.assert(
      fc.property(waits, fc.integer({ min: 0, max: 100 }), (held, hours) => {
        const [from, to] = [at(0), at(hours)]
        const spans = spansOf(held, { from, to })
        let reached = from
        for (const span of spans) {
          assert.equal(span.from, reached)
          assert.isBelow(Date.parse(span.from), Date.parse(span.to))
          reached = span.to
        }
        assert.equal(reached, to)
        const steps = waitedPerStep(spans)
        const sum = (all: readonly { waited: number }[]) =>
          all.reduce((total, { waited }) => total + waited, 0)
        assert.equal(sum(steps), hours * 3_600_000)
        for (const { waited, by } of steps) {
          assert.equal(sum(by), waited)
          for (const each of by) assert.isAbove(each.waited, 0)
        }
      }),
      RUNS
    )
  })

  test('is summed up by step and by who could move it', ({ assert }) => {
    const held: HeldSince[] = [
      { since: at(0), hold: hold('A') },
      { since: at(10), hold: hold('B', 'Legal') },
      { since: at(12), hold: hold('A', 'Legal') },
    ]
    const steps = waitedPerStep(spansOf(held, { from: at(0), to: at(20) }))
    const hours = (milliseconds: number) => milliseconds / 3_600_000
    assert.deepEqual(
      steps.map(({ step: of, waited, by }) => [
        of?.name,
        hours(waited),
        by.map((each) => [whoText(each.who), hours(each.waited)]),
      ]),
      [
        [
          'A',
          18,
          [
            ['QA', 10],
            ['Legal', 8],
          ],
        ],
        ['B', 2, [['Legal', 2]]],
      ]
    )
  })

  test('is compared with the median of other releases', ({ assert }) => {
    assert.deepEqual([[], [3], [9, 1], [5, 1, 9]].map(medianOf), [null, 3, 5, 5])
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 1, maxLength: 6 }), (values) => {
        const median = medianOf(values)!
        const below = values.filter((value) => value <= median).length
        const above = values.filter((value) => value >= median).length
        assert.isAtLeast(2 * Math.min(below, above), values.length)
      }),
      RUNS
    )
  })
})

test.group('The text of a retrospective', () => {
  test('contains the duration and the longest waits', ({ assert }) => {
    const who = [{ type: 'group', name: 'QA' }]
    const of = (name: string, hours: number, medianHours: number | null) => ({
      ...{ stepConfigId: name, name, type: 'approvals' as const, hours, medianHours },
      waits: [{ who, hours }],
    })
    const text = retrospectiveText({
      ...{ releaseId: 'a:1.0.0', version: '1.0.0', from: at(0), to: at(60), hours: 60 },
      medianHours: 30.5,
      comparedWith: [{ releaseId: 'a:0.9.0', version: '0.9.0', hours: 30.5 }],
      steps: [of('Approvals', 50, 20.25), of('Review', 10, null)],
    })
    assert.equal(
      text,
      [
        '1.0.0 took 2 d 12 h from kickoff to completion (the one before: 1 d 7 h)',
        'Longest wait: Approvals: 2 d 2 h (usually 20.3 h), for QA',
        'Review: 10 h, for QA',
      ].join('\n')
    )
  })

  test('formats durations in hours or days', ({ assert }) => {
    const spans = [0.5, 23.9, 24, 47.4, 47.6, 143.8].map(hoursText)
    assert.deepEqual(spans, ['0.5 h', '23.9 h', '1 d 0 h', '1 d 23 h', '2 d 0 h', '6 d 0 h'])
  })
})
