import type { AppStoreReleaseSettings } from '#apps/settings'
import type { Scope } from '#foundation/core/scope'
import type { LocalizedMetadata } from '#plugin-kit/capabilities/stores'
import { ProviderError } from '#plugin-kit/provider_error'
import type { ReleaseRow } from '#releases/queries/read_release'
import { stepRows } from '#releases/queries/step_rows'
import type { Localization } from '#releases/store_texts'
import type { Submission } from '../work/bring_version.js'
import { firstShare } from '../parts.js'
import { reviewFilesOf } from './review_files.js'
import { storeBuildsById } from './store_builds.js'
import { storeSettings } from './store_settings.js'
import type { PlanRow } from './store_state.js'
import { storesOf, targetsOfStep, type StoreTarget } from './store_targets.js'

/** What a release submits to a store: its build, its texts and how it goes to users. */
export async function submissionOf(
  scope: Scope,
  release: ReleaseRow,
  plan: PlanRow
): Promise<Submission> {
  const targets = await storesOf(scope, release.appId)
  const target = targets.find(({ integrationId }) => integrationId === plan.integrationId)
  const [build] = await storeBuildsById(scope, plan.buildId === null ? [] : [plan.buildId])
  if (!build || !target) {
    const message = 'The build that was to be submitted is not there any more'
    throw new ProviderError('preconditionFailed', message, { outcome: 'notApplied' })
  }
  const isHotfix = release.createType === 'hotfix'
  const settings = plan.settings ?? (isHotfix ? null : await storeSettings(scope, target))
  const steps = await stepRows(scope, release.id)
  const written = steps.filter(
    (step) => step.type === 'metadata' && targetsOfStep(targets, step, steps).includes(target)
  )
  return {
    version: release.version,
    buildNumber: build.buildNumber,
    buildRef: (build.seen ?? build.beta)?.storeRef ?? null,
    ...(await stagingOf(scope, target, settings)),
    release: methodOf(settings?.releaseMethod, release.targetReleaseAt),
    texts: written.flatMap(({ notes }) => (notes.localizations ?? []).map(textOf)),
    files: target.storeType === 'apple' ? await reviewFilesOf(scope, release) : [],
  }
}

/**
 * Whether users get it by and by, and where that begins. On Google Play a policy drives the
 * percentage, and so says where it starts; hotfixes have no settings, and go to all.
 */
async function stagingOf(
  scope: Scope,
  target: StoreTarget,
  settings: AppStoreReleaseSettings | null
): Promise<Pick<Submission, 'phased' | 'fraction'>> {
  if (settings === null) return { phased: false }
  const phased = settings.phasedReleaseEnabled
  if (target.storeType !== 'google') return { phased }
  const share = await firstShare(scope, target)
  if (share === null) return { phased }
  return share < 1 ? { phased: true, fraction: share } : { phased: false }
}

/** Without a date that it could wait for it waits for a person. */
function methodOf(method: string | undefined, at: string | null): Submission['release'] {
  if (method === 'automatic') return 'auto'
  return method === 'scheduled' && at !== null ? { at } : 'manual'
}

/** A full description is Google's word for what others call a description. */
function textOf({ fullDescription, ...text }: Localization): LocalizedMetadata {
  return fullDescription === undefined ? text : { ...text, description: fullDescription }
}
