import type { AppStoreReleaseSettings } from '#apps/settings'
import type { Scope } from '#foundation/core/scope'
import type { LocalizedMetadata, UpdatePriority } from '#plugin-kit/capabilities/stores'
import { readReleaseById, type ReleaseRow } from '#releases/queries/read_release'
import { stepRows } from '#releases/queries/step_rows'
import type { Localization } from '#releases/texts/store_texts'
import { pairOf } from '../pairs/find_pair.js'
import type { Staging } from '../reconciler/record.js'
import type { SubmissionTexts } from '../work/make_call.js'
import { releaseNamed } from './store_holders.js'
import { firstShare } from '../extensions.js'
import { reviewFilesOf } from './review_files.js'
import { storeBuildsById } from './store_builds.js'
import { storeSettings } from './store_settings.js'
import type { PlanRow } from './store_state.js'
import { storesOf, targetsOfStep, type StoreTarget } from './store_targets.js'

interface PlannedStore {
  target: StoreTarget
  plan: PlanRow | null
}

/** Returns the build of a release for a store, and how it goes to users there. */
export async function submissionOf(
  scope: Scope,
  release: Pick<ReleaseRow, 'id' | 'createType' | 'targetReleaseAt' | 'inAppUpdatePriority'>,
  { target, plan }: PlannedStore
): Promise<Staging> {
  const buildId = plan?.buildId ?? null
  const [build] = await storeBuildsById(scope, buildId === null ? [] : [buildId])
  // The submission has checked before that the build exists.
  if (!build) throw new Error(`There is no build ${buildId} to be submitted`)
  const settings = await settingsOf(scope, release, { target, plan })
  const priority = release.inAppUpdatePriority ?? settings?.inAppUpdatePriority ?? null
  return {
    buildNumber: build.buildNumber,
    buildRef: (build.seen ?? build.beta)?.storeRef ?? null,
    ...(await stagingOf(scope, release, { target, plan })),
    // A release of a pair waits for the other one.
    release: (await pairOf(scope, release))
      ? 'manual'
      : methodOf(settings?.releaseMethod, release.targetReleaseAt),
    ...(priority === null ? {} : { inAppUpdatePriority: priority as UpdatePriority }),
  }
}

/** Returns the current texts of a version for a store, and the files for its reviewers. */
export async function textsOf(
  scope: Scope,
  { appId, integrationId }: Pick<StoreTarget, 'appId' | 'integrationId'>,
  version: string
): Promise<SubmissionTexts> {
  const found = await releaseNamed(scope, appId, version)
  const targets = await storesOf(scope, appId)
  const target = targets.find((each) => each.integrationId === integrationId)
  if (!found || !target) return { texts: [], files: [] }
  const { release } = await readReleaseById(scope, appId, found.releaseId)
  const steps = await stepRows(scope, release.id)
  const written = steps.filter(
    (step) => step.type === 'metadata' && targetsOfStep(targets, step, steps).includes(target)
  )
  return {
    texts: written.flatMap(({ notes }) => (notes.localizations ?? []).map(textOf)),
    files: target.storeType === 'apple' ? await reviewFilesOf(scope, release) : [],
  }
}

const isHotfix = ({ createType }: Pick<ReleaseRow, 'createType'>) => createType === 'hotfix'

/**
 * Returns the store settings for a release as of its creation; null for hotfixes, which have none.
 */
const settingsOf = async (
  scope: Scope,
  release: Pick<ReleaseRow, 'createType'>,
  { target, plan }: PlannedStore
): Promise<AppStoreReleaseSettings | null> =>
  plan?.settings ?? (isHotfix(release) ? null : await storeSettings(scope, target))

/**
 * Returns whether the rollout is gradual, and its first share. A rollout policy decides both, also
 * for hotfixes; without a policy, the store settings do.
 * @param share returns the first share of the ladder; by default that of the current policies
 */
export async function stagingOf(
  scope: Scope,
  release: Pick<ReleaseRow, 'createType'>,
  { target, plan }: PlannedStore,
  share = firstShare
): Promise<Pick<Staging, 'phased' | 'fraction'>> {
  const fraction = await share(scope, target, { isHotfix: isHotfix(release) })
  if (fraction === null) {
    const settings = await settingsOf(scope, release, { target, plan })
    return { phased: settings?.phasedReleaseEnabled ?? false }
  }
  if (fraction === 1) return { phased: false }
  return target.storeType === 'google' ? { phased: true, fraction } : { phased: true }
}

/** Returns the release method; a scheduled release without a date waits for a person. */
function methodOf(method: string | undefined, at: string | null): Staging['release'] {
  if (method === 'automatic') return 'auto'
  return method === 'scheduled' && at !== null ? { at } : 'manual'
}

/** Renames Google's `fullDescription` to the common `description`. */
function textOf({ fullDescription, ...text }: Localization): LocalizedMetadata {
  return fullDescription === undefined ? text : { ...text, description: fullDescription }
}
