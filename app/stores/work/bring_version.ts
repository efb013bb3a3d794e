import type { Instant } from '#foundation/core/clock'
import { isProviderError } from '#integrations/ask_provider'
import type {
  AppStore,
  LocalizedMetadata,
  NewReviewFile,
  StoreVersion,
} from '#plugin-kit/capabilities/stores'
import { ProviderError } from '#plugin-kit/provider_error'
import { isReached } from '../derive/adoption.js'
import { seenVersion } from '../derive/seen.js'
import { storeFacts } from '../derive/store_facts.js'
import { wishOf } from '../queries/store_state.js'
import { stops } from '../stop_again.js'
import type { RolloutChange } from '../tables.js'
import { everyPage } from './ask_store.js'

/** What came of bringing a store to where it is wanted. */
export type Brought =
  | { is: 'there'; version: StoreVersion }
  /** Somebody moved it elsewhere meanwhile: a person says which of the two is meant. */
  | { is: 'diverged'; version: StoreVersion; message: string }
  /** The store takes its time. */
  | { is: 'pending'; reason: string }

/** What a submission brings to the store. */
export interface Submission {
  version: string
  buildNumber: string
  /** Id of the build in the store. */
  buildRef: string | null
  phased: boolean
  /** Share of users that a rollout begins with, 0 to 1; the plugin's own choice without it. */
  fraction?: number
  release: 'manual' | 'auto' | { at: string }
  texts: readonly LocalizedMetadata[]
  /** For whoever reviews it; of stores that take some. */
  files: readonly NewReviewFile[]
}

/** Makes keys for the changes of one wish: a repetition of each has no second effect. */
type Key = (step: string) => { idempotencyKey: string }

const EDITABLE = [
  'preparing',
  'readyForReview',
  'rejected',
  'metadataRejected',
  'developerRejected',
  'invalidBinary',
]
const IN_REVIEW = ['waitingForReview', 'inReview']
const RELEASED = ['processing', 'rolledOutPartially', 'live', 'halted', 'replaced', 'removed']

/** The version as the store has it now; null for none. */
async function findVersion(store: AppStore, version: string): Promise<StoreVersion | null> {
  const found = await everyPage((cursor) => store.listVersions({ version }, cursor))
  const isForUsers = ({ track }: StoreVersion) =>
    track === undefined || track === 'production' || track.endsWith(':production')
  return found.find((each) => each.version === version && isForUsers(each)) ?? null
}

/** How a store says that something cannot be done as it stands. */
const REFUSED: readonly string[] = ['conflict', 'preconditionFailed']

/**
 * Brings a version to its review, from wherever it is: prepared with its build, with its texts,
 * submitted. Each step is taken after a look, so that one which was interrupted goes on from there.
 */
export async function bringToReview(
  store: AppStore,
  wanted: Submission,
  key: Key
): Promise<Brought> {
  const before = await findVersion(store, wanted.version)
  const arrived = before && arrivalOf(before, wanted)
  if (arrived) return arrived
  const version = await prepared(store, before, wanted, key)
  try {
    await write(store, version.id, wanted.texts, key)
    await attach(store, version.id, wanted.files, key)
    const onReviewInProgress = 'fail' as const
    const submitted = await store.submit(version.id, { ...key('submit'), onReviewInProgress })
    return { is: 'there', version: submitted }
  } catch (error) {
    // What was made a moment ago is not everywhere in the store yet.
    if (before === null && isProviderError(error) && error.code === 'notFound') {
      return { is: 'pending', reason: `The store does not find ${wanted.version} yet` }
    }
    // A call whose answer was lost may have been carried out before the store shows it.
    if (!isProviderError(error) || !REFUSED.includes(error.code)) throw error
    const after = await findVersion(store, wanted.version)
    const arrival = after && arrivalOf(after, wanted)
    if (arrival) return arrival
    throw error
  }
}

/** Where a version is not to be edited any more: with the build that is wanted, or another. */
function arrivalOf(version: StoreVersion, wanted: Submission): Brought | null {
  const { state, raw } = version.status
  if (EDITABLE.includes(state)) return null
  if (state === 'unknown') {
    const message = `The store says ${raw} of ${wanted.version}, which is not known here: is it to be submitted?`
    return { is: 'diverged', version, message }
  }
  if (holds(version, wanted)) return { is: 'there', version }
  const other = version.buildNumbers?.[0] ?? version.buildId ?? 'another build'
  const message = `The store has ${other} of ${wanted.version} already (${raw}), and ${wanted.buildNumber} was to be submitted.`
  return { is: 'diverged', version, message }
}

/** Whether a version holds the build; one that does not tell holds any. */
function holds({ buildId, buildNumbers }: StoreVersion, { buildNumber, buildRef }: Submission) {
  if (buildNumbers !== undefined && buildNumbers.length > 0) {
    return buildNumbers.includes(buildNumber)
  }
  return buildId === undefined || buildId === buildRef || buildId === buildNumber
}

async function prepared(
  store: AppStore,
  before: StoreVersion | null,
  wanted: Submission,
  key: Key
): Promise<StoreVersion> {
  const { version, buildNumber, phased, fraction, release } = wanted
  const isThere =
    before !== null &&
    (before.buildId !== undefined || (before.buildNumbers?.length ?? 0) > 0) &&
    holds(before, wanted) &&
    before.release?.method === (typeof release === 'object' ? 'scheduled' : release) &&
    (before.rollout !== undefined) === phased &&
    (fraction === undefined || before.rollout?.fraction === fraction)
  if (isThere) return before
  const staging = fraction === undefined ? { phased } : { phased, fraction }
  return store.prepare({ version, buildNumber, ...staging, release }, key('prepare'))
}

/** Writes the texts that the store has not, and no others. */
async function write(
  store: AppStore,
  versionId: string,
  texts: readonly LocalizedMetadata[],
  key: Key
): Promise<void> {
  if (texts.length === 0) return
  const there = new Map((await store.getMetadata(versionId)).map((each) => [each.locale, each]))
  const isOther = (text: LocalizedMetadata) =>
    Object.entries(text).some(
      ([name, value]) => there.get(text.locale)?.[name as keyof LocalizedMetadata] !== value
    )
  const others = texts.filter(isOther)
  if (others.length > 0) await store.setMetadata(versionId, others, key('texts'))
}

/** Sends the files that the store has not, where it takes some. One is known by name and size. */
async function attach(
  store: AppStore,
  versionId: string,
  files: readonly NewReviewFile[],
  key: Key
): Promise<void> {
  if (files.length === 0 || !store.listReviewFiles || !store.addReviewFile) return
  const there = await store.listReviewFiles(versionId)
  for (const file of files) {
    const at = there.findIndex(({ name, size }) => name === file.name && size === file.size)
    if (at >= 0) there.splice(at, 1)
    else await store.addReviewFile(versionId, file, key(`file ${file.sha256} ${file.name}`))
  }
}

/** Takes a version out of its review. The store may take its time to let go of it. */
export async function bringBack(store: AppStore, version: string, key: Key): Promise<Brought> {
  const there = await demandVersion(store, version)
  const state = there.status.state
  if (EDITABLE.includes(state)) return { is: 'there', version: there }
  if (RELEASED.includes(state)) {
    const message = `${version} went out to users (${there.status.raw}) before it was withdrawn.`
    return { is: 'diverged', version: there, message }
  }
  try {
    const after = await store.cancelReview(there.id, key('cancel'))
    if (EDITABLE.includes(after.status.state)) return { is: 'there', version: after }
  } catch (error) {
    // It was asked before, and holds on for a while.
    const isAsked = isProviderError(error) && REFUSED.includes(error.code)
    if (!isAsked || !IN_REVIEW.includes(state)) throw error
  }
  return { is: 'pending', reason: 'The store has not let go of it yet' }
}

/** Releases what was approved. */
export async function bringToUsers(store: AppStore, version: string, key: Key): Promise<Brought> {
  const there = await demandVersion(store, version)
  const { state, raw } = there.status
  if (RELEASED.includes(state)) return { is: 'there', version: there }
  if (state !== 'pendingRelease') {
    const message = `${version} was to be released, and the store says ${raw}.`
    return { is: 'diverged', version: there, message }
  }
  return { is: 'there', version: await store.release(there.id, key('release')) }
}

/** What a rollout is to be, and how it stood when that was asked for. */
interface RolloutWish {
  version: string
  to: RolloutChange
  saw: { state: string; percentage: number } | null
  /** Where it stops a rollout that may just have gone on. */
  overtook?: Instant
}

/**
 * Changes a rollout. What stops it is done however it stands; what lets it grow is not where
 * somebody stopped it, or brought it further, after it was asked for.
 */
export async function bringRollout(
  store: AppStore,
  { version, to, saw, overtook }: RolloutWish,
  key: Key
): Promise<Brought> {
  const there = await demandVersion(store, version)
  const seen = seenVersion(there, there.status.observedAt)
  const isStop = stops({ to })
  const isThere = seen.rollout !== null && isReached(to, seen.rollout)
  // A list that lags may show it stopped as it was before it went on: it is stopped all the same.
  if (isThere && (!isStop || overtook === undefined)) return { is: 'there', version: there }
  const now = storeFacts(
    { seen, known: seen, submittedAt: null, approvedAt: null, releasedAt: null },
    wishOf(null)
  ).rollout
  if (!isStop) {
    const isFurther = to.action === 'set' && now.percentage > to.percentage
    const isElse = saw !== null && now.state !== saw.state
    if (isFurther || isElse) {
      const stands = `${now.state ?? 'not begun'} at ${now.percentage} %`
      const asked = to.action === 'set' ? `${to.percentage} %` : `to ${to.action}`
      const message = `The rollout of ${version} is ${stands} in the store, and was asked ${asked} when it was ${saw?.state ?? 'unknown'} at ${saw?.percentage ?? 0} %.`
      return { is: 'diverged', version: there, message }
    }
  }
  const wanted = to.action === 'set' ? { fraction: to.percentage / 100 } : { action: to.action }
  try {
    return { is: 'there', version: await store.setRollout(there.id, wanted, key('rollout')) }
  } catch (error) {
    // A store that really has it stopped may say that there is nothing to stop.
    const isRefused = isProviderError(error) && REFUSED.includes(error.code)
    if (isThere && isRefused) return { is: 'there', version: there }
    if (!isRefused || !isStop || now.state !== 'completed') throw error
    const message = `The rollout of ${version} is over (${there.status.raw}): the store lets nothing of it be stopped any more.`
    return { is: 'diverged', version: there, message }
  }
}

async function demandVersion(store: AppStore, version: string): Promise<StoreVersion> {
  const found = await findVersion(store, version)
  if (found) return found
  const message = `The store has no version ${version}`
  throw new ProviderError('notFound', message, { outcome: 'notApplied', reason: 'version' })
}
