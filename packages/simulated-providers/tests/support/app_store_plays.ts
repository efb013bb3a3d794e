import fc from 'fast-check'
import {
  attachBuild,
  cancelReview,
  createVersion,
  release,
  rollOut,
  setOnSale,
  submit,
} from '../../app_store.js'
import { type VersionState } from '../../version_states.js'
import { uploadBuild } from '../../app_store_builds.js'
import {
  isRefused,
  USUAL_APP_STORE,
  type Result,
  type SimulatedAppStore,
} from '../../app_store_state.js'

/*
 * Random actions in an App Store, and their possible order.
 */

export const HOUR = 3_600_000
export const DAY = 24 * HOUR
export const BEGIN = Date.parse('2026-11-20T12:00:00.000Z')

/** Allowed transitions by Apple's documents; unchanged states are not listed. */
export const FOLLOWS: Record<VersionState, VersionState[]> = {
  PREPARE_FOR_SUBMISSION: ['WAITING_FOR_REVIEW'],
  WAITING_FOR_REVIEW: ['IN_REVIEW', 'DEVELOPER_REJECTED'],
  IN_REVIEW: [
    'REJECTED',
    'METADATA_REJECTED',
    'DEVELOPER_REJECTED',
    'PENDING_DEVELOPER_RELEASE',
    'PENDING_APPLE_RELEASE',
    'PROCESSING_FOR_DISTRIBUTION',
  ],
  REJECTED: ['WAITING_FOR_REVIEW'],
  METADATA_REJECTED: ['WAITING_FOR_REVIEW'],
  DEVELOPER_REJECTED: ['WAITING_FOR_REVIEW'],
  PENDING_DEVELOPER_RELEASE: ['PROCESSING_FOR_DISTRIBUTION', 'DEVELOPER_REJECTED'],
  PENDING_APPLE_RELEASE: ['PROCESSING_FOR_DISTRIBUTION'],
  PROCESSING_FOR_DISTRIBUTION: [
    'READY_FOR_DISTRIBUTION',
    'DEVELOPER_REMOVED_FROM_SALE',
    'REPLACED_WITH_NEW_VERSION',
  ],
  READY_FOR_DISTRIBUTION: ['DEVELOPER_REMOVED_FROM_SALE', 'REPLACED_WITH_NEW_VERSION'],
  DEVELOPER_REMOVED_FROM_SALE: [
    'PROCESSING_FOR_DISTRIBUTION',
    'READY_FOR_DISTRIBUTION',
    'REPLACED_WITH_NEW_VERSION',
  ],
  REPLACED_WITH_NEW_VERSION: [],
}

export const VERSIONS = ['1.0.0', '1.1.0', '1.1.1']
const version = fc.constantFrom(...VERSIONS)
const action = fc.oneof(
  fc.record({
    create: version,
    phased: fc.boolean(),
    how: fc.constantFrom('MANUAL' as const, 'AFTER_APPROVAL' as const, 'SCHEDULED' as const),
  }),
  fc.record({
    upload: version,
    fate: fc.constantFrom('valid' as const, 'invalid' as const, 'stuck' as const),
  }),
  // Consecutive actions of people, so that plays get beyond the first step.
  fc.record({
    bring: version,
    phased: fc.boolean(),
    how: fc.constantFrom('MANUAL' as const, 'AFTER_APPROVAL' as const, 'SCHEDULED' as const),
  }),
  fc.record({ send: version }),
  fc.record({ attach: version }),
  fc.record({ submit: version }),
  fc.record({ cancel: version }),
  fc.record({ release: version }),
  fc.record({ sell: version, isOnSale: fc.boolean() }),
  fc.record({
    roll: version,
    deed: fc.constantFrom('pause' as const, 'resume' as const, 'complete' as const),
  })
)
export const plays = fc.record({
  seed: fc.string(),
  deeds: fc.array(fc.tuple(fc.integer({ min: 0, max: 12 }), action), {
    minLength: 10,
    maxLength: 60,
  }),
})

type Deed = typeof action extends fc.Arbitrary<infer Each> ? Each : never

function perform(store: SimulatedAppStore, seed: string, now: number, one: Deed): Result {
  if ('create' in one) {
    const how = one.how === 'SCHEDULED' ? { type: one.how, at: now + DAY } : { type: one.how }
    return createVersion(store, now, { version: one.create, release: how, phased: one.phased })
  }
  if ('bring' in one) {
    const built = uploadBuild(store, now, { number: '1', version: one.bring })
    const next = isRefused(built) ? store : built.store
    const how = one.how === 'SCHEDULED' ? { type: one.how, at: now + DAY } : { type: one.how }
    const made = { version: one.bring, release: how, phased: one.phased }
    return createVersion(next, now, made)
  }
  if ('send' in one) {
    const attached = attachBuild(store, now, one.send, `${one.send} 1`)
    return isRefused(attached) ? attached : submit(attached.store, seed, now, one.send)
  }
  if ('upload' in one)
    return uploadBuild(store, now, { number: '1', version: one.upload }, one.fate)
  if ('attach' in one) return attachBuild(store, now, one.attach, `${one.attach} 1`)
  if ('submit' in one) return submit(store, seed, now, one.submit)
  if ('cancel' in one) return cancelReview(store, now, one.cancel)
  if ('release' in one) return release(store, now, one.release)
  if ('sell' in one) return setOnSale(store, now, one.sell, one.isOnSale)
  return rollOut(store, now, one.roll, one.deed)
}

/** Reviews are often rejected here, so that plays reach the states after a rejection. */
const STRICT = {
  ...USUAL_APP_STORE,
  settings: { ...USUAL_APP_STORE.settings, rejected: 0.2, metadataRejected: 0.2 },
}
/** Interval of inspections; no state is shorter by itself. */
const OFTEN = HOUR / 3

/** Performs the deeds, and inspects the store often in between. */
export function play(
  { seed, deeds: actions }: { seed: string; deeds: [number, Deed][] },
  look: (store: SimulatedAppStore, now: number, result: Result | null) => void
) {
  let store: SimulatedAppStore = STRICT
  let now = BEGIN
  for (const [hours, one] of actions) {
    for (let looks = 0; looks < 3 * hours; looks++) look(store, (now += OFTEN), null)
    const result = perform(store, seed, now, one)
    if (!isRefused(result)) store = result.store
    look(store, now, result)
  }
  return store
}

/** Returns a store with an approved version, made by the usual steps. */
export function approved(phased = true, how: 'MANUAL' | 'AFTER_APPROVAL' = 'MANUAL') {
  const calm = { ...USUAL_APP_STORE.settings, rejected: 0, metadataRejected: 0 }
  const made = [
    (store: SimulatedAppStore) => uploadBuild(store, BEGIN, { number: '1', version: '1.0.0' }),
    (store: SimulatedAppStore) =>
      createVersion(store, BEGIN, { version: '1.0.0', release: { type: how }, phased }),
    (store: SimulatedAppStore) => attachBuild(store, BEGIN + HOUR, '1.0.0', '1.0.0 1'),
    (store: SimulatedAppStore) => submit(store, 's', BEGIN + HOUR, '1.0.0'),
  ].reduce<SimulatedAppStore>((store, step) => ok(step(store)), {
    ...USUAL_APP_STORE,
    settings: calm,
  })
  return { store: made, at: BEGIN + 12 * HOUR }
}

export function ok(result: Result): SimulatedAppStore {
  if (isRefused(result)) throw new Error(result.refused)
  return result.store
}
