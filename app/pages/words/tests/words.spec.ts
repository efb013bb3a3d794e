import fc from 'fast-check'
import { test } from '@japa/runner'
import { earlier, later } from '#foundation/core/clock'
import { DAY } from '#foundation/core/durations'
import type { Permissions, Principal } from '#foundation/core/principal'
import { evaluate } from '#releases/engine/evaluate'
import type { ReleaseFacts } from '#releases/engine/facts'
import { whyNotMoving } from '#releases/engine/why_not_moving'
import { CI_BUILD_STATUSES } from '#builds/vocabulary'
import { PULL_REQUEST_STATUSES, READINESS_REASONS } from '#features/vocabulary'
import { FIX_STATUSES, TRIAGE_STATUSES } from '#fixes/vocabulary'
import * as vocabulary from '#releases/vocabulary'
import { RELEASE_PHASES, RELEASE_STEP_STATUSES } from '#releases/vocabulary'
import { ASKED_STATES } from '#stores/vocabulary'
import { arbitraryFacts } from '#releases/tests/helpers/arbitrary_facts'
import { runs } from '#tests/support/effort'
import { nowOf } from '../now.js'
import { obstaclesOf, type HeldRelease } from '../obstacles.js'
import { actorName, entryTitle, plainText, refusalText } from '../plain.js'
import { sentenceOf } from '../sentence.js'
import * as statusWords from '../statuses.js'
import { PHASES, ROLLOUT_STATES, STEP_STATUSES, HEALTH_VERDICTS, statusLabel } from '../statuses.js'
import { relativeText, sinceText, timeOf, type TimeReader } from '../times.js'
import { faceOf, isOfSystems, isYours, namesOf, type Who } from '../who.js'

const NOW = '2026-11-20T12:00:00.000Z'
const NAMES: Record<string, string> = { store: 'App Store', service: 'service', provider: 'GitHub' }

const instants = fc
  .integer({ min: -60 * 24 * 60, max: 60 * 24 * 60 })
  .map((minutes) => later(NOW, minutes * 60_000))
const readers: fc.Arbitrary<TimeReader> = fc.record({
  zone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/Los_Angeles', 'Asia/Kolkata'),
  locale: fc.constantFrom('en', 'de', 'fr', 'ja', '*'),
  now: fc.constant(NOW),
})
const ACTIONS = ['SubmitForReview', 'UpdateApprovalItemStatus', 'CreateBranchPromoteCode']
const principals: fc.Arbitrary<Principal> = fc
  .record({
    admin: fc.boolean(),
    actions: fc.subarray(ACTIONS).map((all): ReadonlySet<string> => new Set(all)),
    groupIds: fc.subarray(['grp_qa', 'grp_pilots']),
    id: fc.constantFrom('usr_ada', 'usr_grace', null),
  })
  .map(({ id, ...permissions }) => ({
    organization: { id: 'org', name: 'Acme', requireIfMatch: false },
    actor: { type: 'user' as const, id, name: 'Ada' },
    permissions: { ...permissions, appIds: null } satisfies Permissions,
  }))
const responsibleParties: fc.Arbitrary<Who> = fc.oneof(
  fc.record({
    type: fc.constantFrom('user', 'releasePilot'),
    id: fc.constantFrom('usr_ada', 'usr_grace', 'usr_june'),
    name: fc.constantFrom('Ada Lovelace', 'grace@acme.example', 'June'),
  }),
  fc.record({
    type: fc.constant('group'),
    id: fc.constantFrom('grp_qa', 'grp_pilots', 'grp_legal'),
    name: fc.constantFrom('QA', 'Release Pilots'),
  }),
  fc.record({ type: fc.constant('userAction'), name: fc.constantFrom(...ACTIONS) }),
  fc.constantFrom('store', 'service', 'provider').map((type) => ({ type, name: NAMES[type] }))
)

/** Returns a release as an overview shows it, with what the engine derives from facts. */
function releaseOf(facts: ReleaseFacts): HeldRelease {
  const named = <Each extends { who: readonly { type: string; name?: string; id?: string }[] }>(
    condition: Each
  ) => ({
    ...condition,
    who: condition.who.map((each) => ({
      ...each,
      name: each.name ?? NAMES[each.type] ?? each.type,
    })),
  })
  const reasons = whyNotMoving(facts, NOW)
  const { phase } = evaluate(facts, NOW)
  const status = facts.skippedAt ? 'skipped' : facts.completedAt ? 'completed' : 'active'
  const stepsById = new Map(facts.steps.map((step) => [step.id, step]))
  return {
    ...{ status, phase, health: null },
    ...{ completedAt: facts.completedAt, releasedAt: facts.releasedAt },
    steps: reasons.steps.map((step) => {
      const each = stepsById.get(step.stepId)!
      const isRollout = each.type === 'rollout' && each.facts.state !== null
      return {
        ...{ id: step.stepId, name: step.name, type: step.type, status: step.status },
        ...{ required: step.required, hidden: false, statusChangedAt: earlier(NOW, DAY) },
        unmet: step.unmet.map(named),
        rollout: isRollout ? { state: each.facts.state!, percentage: each.facts.percentage } : null,
      }
    }),
    whyNotMoving: { release: reasons.release.map(named), warnings: [], next: reasons.next },
  }
}

/** Values that appear in a text only by mistake. */
const LEAKS = /undefined|null|NaN|Invalid|\[object/

test.group('The sentence of a release', () => {
  test('exists for every state, and names who has to act', ({ assert }) => {
    fc.assert(
      fc.property(arbitraryFacts, principals, readers, (facts, principal, times) => {
        const release = releaseOf(facts)
        const sentence = sentenceOf(release, principal, times)
        assert.match(sentence.head, /\S.*\.$/)
        assert.isNotEmpty(sentence.icon)
        for (const text of [sentence.head, sentence.rest, sentence.detail])
          assert.notMatch(text, LEAKS)
        const obstacles = obstaclesOf(release, principal)
        // A sentence says who has to act: a person, a group, a store or a service.
        for (const { condition } of obstacles) {
          assert.isNotEmpty(condition.who, condition.code)
          assert.match(namesOf(condition.who), /\S/)
        }
        // It says that nothing holds the release only if the API names nothing either.
        const named = release.whyNotMoving.release.filter(({ code }) => code !== 'rolling_out')
        if (sentence.head === 'Nothing is holding it up.' && release.steps.length > 0)
          assert.isEmpty(named)
        for (const { text, who } of sentence.list) assert.match(`${text} ${who}`, /\S \S/)
        if (sentence.list.length > 0) {
          const listed = obstacles.filter(({ condition }) => condition.code !== 'rolling_out')
          assert.equal(sentence.list.length + sentence.more, listed.length)
        } else assert.isNotEmpty(sentence.rest + sentence.detail)
      }),
      { numRuns: runs(1500) }
    )
  })

  test('has a short form for rows of lists; the obstacles are sorted by weight', ({ assert }) => {
    fc.assert(
      fc.property(arbitraryFacts, principals, readers, (facts, principal, times) => {
        const release = releaseOf(facts)
        const now = nowOf(release, principal, times)
        for (const text of [now.text, now.sub]) {
          assert.match(text, /\S/)
          assert.notMatch(text, LEAKS)
        }
        const obstacles = obstaclesOf(release, principal)
        if (now.isYours) assert.isTrue(obstacles.some(({ turn }) => turn === 'yours'))
        // The heaviest comes first: blocked before all, then the reader's own.
        const weights = obstacles.map(
          ({ isBlocking, turn }) =>
            (isBlocking ? 0 : 3) + ['yours', 'somebody', 'system'].indexOf(turn)
        )
        assert.deepEqual(
          weights,
          weights.toSorted((one, other) => one - other)
        )
      }),
      { numRuns: runs(1000) }
    )
  })
})

test.group('A past release', () => {
  /** Returns the sentence of a release and the text of its row in a list. */
  const textsOf = (status: string, ...rollouts: [string, number][]) => {
    const release = {
      ...{ status, phase: 'released', completedAt: NOW, releasedAt: NOW, health: null },
      steps: rollouts.map(([state, percentage]) => ({ rollout: { state, percentage } })),
    } as unknown as HeldRelease
    const times = { zone: 'UTC', locale: 'en', now: NOW }
    const { head, rest } = sentenceOf(release, {} as never, times)
    return [`${head} ${rest}`.trim(), nowOf(release, {} as never, times).text]
  }

  test('is said to be with all users only if all of its rollouts are complete', ({ assert }) => {
    const [sentence, row] = textsOf('completed', ['completed', 100], ['completed', 100])
    assert.equal(sentence, 'All users have had it since today 12:00.')
    assert.equal(row, 'All users have had it since today 12:00')
    assert.deepEqual(textsOf('completed', ['active', 20]), [
      'It is complete; 20\u00a0% of users have it.',
      'Completed; 20\u00a0% of users have it',
    ])
    assert.deepEqual(textsOf('completed', ['replaced', 5]), [
      'It is complete; replaced at 5\u00a0%.',
      'Completed; replaced at 5\u00a0%',
    ])
    assert.equal(
      textsOf('completed', ['completed', 100], ['replaced', 5])[0],
      'It is complete; 100\u00a0% of users have it, in another store replaced at 5\u00a0%.'
    )
    assert.deepEqual(textsOf('completed', ['notStarted', 0]), ['It is complete.', 'Completed'])
  })

  test('is said to reach no users only if none of its rollouts has begun', ({ assert }) => {
    assert.deepEqual(textsOf('skipped'), ['It was skipped. No user gets it.', 'Skipped'])
    assert.deepEqual(textsOf('skipped', ['active', 20]), [
      'It was skipped; 20\u00a0% of users have it.',
      'Skipped; 20\u00a0% of users have it',
    ])
    assert.equal(textsOf('skipped', ['completed', 100])[0], 'It was skipped. All users have it.')
  })
})

test.group('The reader', () => {
  test('is recognized by id, by membership in a group and by user action, and is never a system', ({
    assert,
  }) => {
    fc.assert(
      fc.property(fc.array(responsibleParties, { maxLength: 5 }), principals, (who, principal) => {
        const { actor, permissions } = principal
        const isExpected = who.some(({ type, id, name }) => {
          if (type === 'user' || type === 'releasePilot') return id === actor.id
          if (type === 'group') return permissions.groupIds.includes(id!)
          return type === 'userAction' && (permissions.admin || permissions.actions.has(name))
        })
        assert.equal(isYours(who, principal), isExpected)
        if (isOfSystems(who)) assert.isFalse(isYours(who, principal))
        assert.match(namesOf(who), /\S/)
        const face = faceOf(who)
        const hasFace = who.some(({ type }) => ['user', 'releasePilot', 'group'].includes(type))
        assert.equal(face !== null, hasFace)
        if (face) assert.match(face.initials, /^\S{1,2}$/u)
      }),
      { numRuns: runs(1000) }
    )
  })
})

test.group('Codes of the API', () => {
  test('become words for people in timeline titles, while texts that people wrote stay', ({
    assert,
  }) => {
    const title = (type: string, reported: string, data: object) =>
      entryTitle({ type, title: reported, data: data as Record<string, unknown> })
    const change = { from: 'notStarted', to: 'complete' }
    assert.equal(
      title('releaseStep.statusChanged', 'My inProgress: notStarted → complete', change),
      'My inProgress: Not started → Complete'
    )
    assert.equal(
      title('checklistItem.statusChanged', 'Log in: notStarted → complete', change),
      'Log in: Not started → Done'
    )
    const review = { from: 'IN_REVIEW', to: 'REJECTED' }
    const store = 'appStoreVersion.statusUpdated'
    assert.equal(
      title(store, '4.2.0 in the store: IN_REVIEW → REJECTED (Guideline 2.1)', review),
      '4.2.0 in the store: In review → Rejected (Guideline 2.1)'
    )
    assert.equal(
      title(store, '4.2.0 in the store: REJECTED (Why)', { from: 'REJECTED', to: 'REJECTED' }),
      '4.2.0 in the store: Rejected (Why)'
    )
    assert.equal(
      title('ciBuild.statusChanged', 'Build trigger_x of R: pending', {
        from: null,
        to: 'pending',
      }),
      'A build of R: Waiting'
    )
    assert.equal(
      title('step.regressionStatusSet', 'Tests was set to inProgress by hand', {}),
      'Tests was set to in progress by hand'
    )
    assert.equal(
      actorName({ type: 'automation', name: 'selectLatestBuild' }),
      'Select latest build'
    )
    assert.equal(actorName({ type: 'user', name: 'selectLatestBuild' }), 'selectLatestBuild')
    assert.equal(
      title('ciBuild.statusChanged', 'Build 7 of R: pending', { from: null, to: 'pending' }),
      'Build 7 of R: Waiting'
    )
    assert.equal(
      title('appStoreVersion.phasedReleaseUpdated', 'The rollout of 1 is inProgress at 10 %', {}),
      'The rollout of 1 is in progress at 10\u00a0%'
    )
    assert.equal(
      title('release.updated', 'A: notStarted → complete', change),
      'A: notStarted → complete'
    )
  })

  test('become words in messages, where advice to repeat with force names a checkbox or is cut', ({
    assert,
  }) => {
    const guard =
      'The host is not a public one; OUTBOUND_ALLOW lists the private networks to reach.'
    for (const [message, shown] of [
      [guard, guard],
      [
        'Stop: crashFreeSessions: unhealthy, 99 %',
        'Stop: crash-free sessions: unhealthy, 99\u00a0%',
      ],
      ['coldStarts: not enough data yet, no', 'Cold starts: not enough data yet, no'],
      [
        '"Check inProgress" was set to inProgress (WAITING_FOR_REVIEW).',
        '"Check inProgress" was set to in progress (waiting for review).',
      ],
      [
        'The store reports METADATA_REJECTED: Guideline 2.1.',
        'The store reports “Metadata rejected”: Guideline 2.1.',
      ],
    ]) {
      assert.equal(plainText(message), shown)
    }
    for (const [message, bare, boxed] of [
      [
        'Finish it, or repeat with force=true.',
        'Finish it.',
        'Finish it, or repeat with the box below ticked.',
      ],
      [
        'Complete them, or submit it anyway with force=true.',
        'Complete them.',
        'Complete them, or submit it anyway with the box below ticked.',
      ],
      [
        'The problem has both. Repeat with force=true to release it as submitted.',
        'The problem has both.',
        'The problem has both. Repeat with the box below ticked to release it as submitted.',
      ],
      [
        '2 is not stopped. Press its red button, or the one for both (`pair: true`).',
        '2 is not stopped.',
        '2 is not stopped.',
      ],
    ] as const) {
      assert.equal(refusalText(message), bare)
      assert.equal(refusalText(message, true), boxed)
    }
    assert.equal(
      namesOf([{ type: 'userAction', name: 'SubmitForReview' }]),
      'Someone who may submit and release'
    )
  })
})

test.group('Words of pages', () => {
  test('exist for every status of the service', ({ assert }) => {
    for (const status of RELEASE_STEP_STATUSES) assert.property(STEP_STATUSES, status)
    for (const phase of RELEASE_PHASES) assert.property(PHASES, phase)
    for (const verdict of ['healthy', 'unhealthy', 'notEnoughData']) {
      assert.property(HEALTH_VERDICTS, verdict)
    }
    for (const state of ['notStarted', 'active', 'paused', 'halted', 'completed', 'replaced']) {
      assert.property(ROLLOUT_STATES, state)
    }
    for (const [table, statuses] of [
      [statusWords.ITEM_STATUSES, vocabulary.ITEM_STATUSES],
      [statusWords.REGRESSION_STATUSES, vocabulary.REGRESSION_STATUSES],
      [statusWords.TEST_STATUSES, vocabulary.TEST_RUN_STATUSES],
      [statusWords.FIX_STATUSES, FIX_STATUSES],
      [statusWords.ISSUE_STATUSES, TRIAGE_STATUSES],
      [statusWords.STORE_REQUEST_STATES, ASKED_STATES],
      [statusWords.FEATURE_READINESS, READINESS_REASONS],
      [statusWords.PULL_REQUEST_STATUSES, PULL_REQUEST_STATUSES],
      [statusWords.BUILD_STATUSES, CI_BUILD_STATUSES],
    ] as const) {
      for (const status of statuses) assert.property(table, status)
    }
    // A status of a later version is shown as it is.
    assert.equal(statusLabel(STEP_STATUSES, 'delegated').word, 'delegated')
  })

  test('shows an instant in the reader’s zone, and its distance within a day', ({ assert }) => {
    fc.assert(
      fc.property(instants, readers, (instant, reader) => {
        const { iso, text, relative } = timeOf(instant, reader)
        assert.equal(iso, instant)
        assert.match(text, /\d/)
        assert.notMatch(text, LEAKS)
        const away = Math.abs(Date.parse(instant) - Date.parse(NOW))
        assert.equal(relative === null, away >= DAY)
        if (relative)
          assert.match(
            relative,
            Date.parse(instant) >= Date.parse(NOW) ? /^(in .*|now)$/ : /( ago|^just now)$/
          )
        assert.match(sinceText(instant, NOW), /^\d+ (minute|hour|day)s?$/)
      }),
      { numRuns: runs(1000) }
    )
    const berlin = { zone: 'Europe/Berlin', locale: 'en', now: NOW }
    assert.equal(timeOf('2026-11-26T12:20:00.000Z', berlin).text, 'Thu 26 Nov, 13:20')
    assert.equal(timeOf('2026-11-20T12:20:00.000Z', berlin).text, 'Today 13:20')
    assert.equal(relativeText('2026-11-21T08:00:00.000Z', NOW), 'in 20 h')
    assert.equal(relativeText(earlier(NOW, 999), NOW), 'just now')
    assert.equal(relativeText(earlier(NOW, 1000), NOW), '1 s ago')
  })
})
