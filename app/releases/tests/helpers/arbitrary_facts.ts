import fc from 'fast-check'
import type { ItemFacts, ReleaseFacts, StepFacts, StepPart } from '#releases/engine/facts'
import { later } from '#foundation/core/clock'
import { CREATE_EDIT_RELEASE_TYPES, REGRESSION_STATUSES } from '#releases/vocabulary'
import { RELEASE_TYPES } from '#workflow/vocabulary'
import { STORE_KINDS } from '#apps/vocabulary'
import { ITEM_KINDS } from '../../vocabulary.js'
import { LEGAL_ITEM_STATUSES } from '../../engine/item_statuses.js'

const instant = fc
  .integer({ min: 0, max: 60 * 24 * 30 })
  .map((minutes) => later('2026-11-05T00:00:00.000Z', minutes * 60_000))
const maybeInstant = fc.option(instant, { nil: null })
const count = fc.integer({ min: 0, max: 2 })
const percentage = fc.constantFrom(0, 1, 50, 99.9, 100)

const part: fc.Arbitrary<StepPart> = fc.oneof(
  fc.record({
    type: fc.constant('kickoff' as const),
    facts: fc.record({ blockedReason: fc.constantFrom(null, 'The branch exists.') }),
  }),
  fc.record({
    type: fc.constant('featureReadiness' as const),
    facts: fc.record({
      counts: fc.option(
        fc.record({ ready: count, notReady: count, ignored: count, missing: count }),
        { nil: null }
      ),
    }),
  }),
  fc.record({
    type: fc.constant('translations' as const),
    facts: fc.record({
      locales: fc.option(
        fc.array(fc.record({ locale: fc.constantFrom('de', 'fr'), percentage }), { maxLength: 2 }),
        { nil: null }
      ),
    }),
  }),
  fc.record({
    type: fc.constantFrom('rollbackBuild' as const, 'releaseCandidate' as const),
    facts: fc.record({
      activeBuild: fc.constantFrom(
        ...([null, 'pending', 'running', 'success', 'failed', 'canceled', 'skipped'] as const)
      ),
    }),
  }),
  fc.record({
    type: fc.constant('regressionTesting' as const),
    facts: fc.record({ handSet: fc.constantFrom(null, null, ...REGRESSION_STATUSES) }),
  }),
  fc.record({
    type: fc.constant('betaTesting' as const),
    facts: fc.record({
      state: fc.constantFrom(...([null, 'inReview', 'rejected', 'available'] as const)),
    }),
  }),
  fc.record({
    type: fc.constantFrom('screenshots' as const, 'metadata' as const),
    facts: fc.record({ edited: fc.boolean(), approved: fc.boolean() }),
  }),
  fc.record({
    type: fc.constant('approvals' as const),
    facts: fc.record({ handSet: fc.constantFrom(null, true, false) }),
  }),
  fc.record({
    type: fc.constant('submission' as const),
    facts: fc.record({
      selectedBuild: fc.boolean(),
      invalidBinary: fc.boolean(),
      submitted: fc.boolean(),
      underWay: fc.boolean(),
      failure: fc.constantFrom(null, 'Refused'),
      isAway: fc.boolean(),
      question: fc.constantFrom(null, 'Which of the two?'),
    }),
  }),
  fc.record({
    type: fc.constant('storeReview' as const),
    facts: fc.record({
      state: fc.constantFrom(...([null, 'waiting', 'inReview', 'rejected', 'approved'] as const)),
    }),
  }),
  fc.record({
    type: fc.constant('takeoff' as const),
    facts: fc.record({
      pending: fc.boolean(),
      released: fc.boolean(),
      notBefore: maybeInstant,
      failure: fc.constantFrom(null, 'Refused'),
      question: fc.constantFrom(null, 'Which of the two?'),
    }),
  }),
  fc.record({
    type: fc.constant('rollout' as const),
    facts: fc.record({
      state: fc.constantFrom(
        ...([null, 'active', 'paused', 'halted', 'completed', 'replaced'] as const)
      ),
      percentage,
      nextStage: fc.option(fc.record({ at: instant, percentage }), { nil: null }),
      question: fc.constantFrom(null, 'Which of the two?'),
    }),
  })
)

const steps: fc.Arbitrary<StepFacts[]> = fc
  .array(
    fc.record({
      part,
      newGroup: fc.boolean(),
      required: fc.boolean(),
      destinationId: fc.constantFrom(null, null, 'store', 'other'),
    }),
    { maxLength: 10 }
  )
  .map((list) => {
    let groupIndex = 0
    let position = -1
    return list.map(({ part: known, newGroup, required, destinationId }, index) => {
      position = newGroup ? 0 : position + 1
      if (newGroup) groupIndex += 1
      return {
        id: `step-${index}`,
        stepConfigId: `config-${index}`,
        name: `Step ${index}`,
        groupIndex,
        position,
        required,
        destinationId,
        run: { id: `run-${index}`, attempt: 1 },
        ...known,
      }
    })
  })

const owner = fc.constantFrom(
  { type: 'user' as const, id: 'user_1', name: 'Ada' },
  { type: 'group' as const, id: 'group_1', name: 'QA' },
  { type: 'releasePilot' as const, id: null, name: 'Release pilot' }
)

const approvals = fc.option(
  fc.record({
    required: fc.integer({ min: 1, max: 3 }),
    missing: fc.integer({ min: 0, max: 3 }),
    givenBy: fc.subarray(['user_1', 'user_2']),
  }),
  { nil: undefined }
)

const item: fc.Arbitrary<Omit<ItemFacts, 'id'>> = fc.constantFrom(...ITEM_KINDS).chain((kind) =>
  fc.record({
    stepId: fc.integer({ min: 0, max: 10 }).map((index) => `step-${index}`),
    kind: fc.constant(kind),
    title: fc.constantFrom('Smoke test', 'Legal'),
    status: fc.constantFrom(...LEGAL_ITEM_STATUSES[kind]),
    required: fc.boolean(),
    owners: fc.uniqueArray(owner, { maxLength: 2 }),
    ...(kind === 'approval' && { approvals }),
  })
)

const action = fc.constantFrom('kickoff' as const, 'submit' as const, 'release' as const)

/** Generates any facts that type-check, likely or not, with up to 10 steps and 12 items. */
export const arbitraryFacts: fc.Arbitrary<ReleaseFacts> = fc.record({
  storeKind: fc.constantFrom(...STORE_KINDS),
  releaseType: fc.constantFrom(...RELEASE_TYPES),
  createType: fc.constantFrom(...CREATE_EDIT_RELEASE_TYPES),
  kickedOffAt: maybeInstant,
  submittedAt: maybeInstant,
  approvedAt: maybeInstant,
  releasedAt: fc.option(instant, { nil: null, freq: 1 }),
  completedAt: fc.option(instant, { nil: null, freq: 1 }),
  skippedAt: fc.option(instant, { nil: null, freq: 1 }),
  statusBeforeSkip: fc.constantFrom(null, 'upcoming', 'active'),
  targets: fc.record({
    kickoffAt: maybeInstant,
    submitAt: maybeInstant,
    releaseAt: maybeInstant,
  }),
  pilot: fc.constantFrom(null, { id: 'user_2', name: 'Grace' }),
  automations: fc.array(
    fc.record({
      action,
      enabled: fc.boolean(),
      heldBy: fc.constantFrom(...([null, null, 'pause', 'freeze'] as const)),
    }),
    { maxLength: 3 }
  ),
  reminders: fc.array(fc.record({ about: action, at: instant }), { maxLength: 2 }),
  steps,
  items: fc
    .array(item, { maxLength: 12 })
    .map((list) => list.map((known, index) => ({ ...known, id: `item-${index}` }))),
})
