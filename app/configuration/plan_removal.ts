import type { ReleaseInBrief } from '#releases/queries/releases_of_app'
import { CADENCE_KEY, DESTINATIONS_KEY, toDocument, toJson } from './document.js'
import type { AppConfiguration } from './model.js'
import type { PlannedChange } from './plan.js'

/** Maximum number of releases a plan names. The others are only counted. */
export const MAX_NAMED_RELEASES = 1000

const REMOVAL_EFFECTS: Record<string, string> = {
  name: 'The app is deleted for good, with everything it owns; no event is sent for it',
  platform: 'Is deleted with the app',
  appGroup: 'Is deleted with the app; other apps of the group stay',
  icon: 'The stored image is deleted',
  integrations: 'Is deleted with the app; the provider stays connected to the organization',
  buildDistro: 'The buckets are deleted with their builds',
  appUsers: 'They stay users of the organization',
  stepGroups: 'The workflow is deleted, with the items on its steps',
  [DESTINATIONS_KEY]: 'The destinations are deleted; nothing changes in the stores',
  [CADENCE_KEY]: 'No more releases are drafted',
}

/**
 * Lists what deleting an app deletes: its configuration, and each of its releases. The deletion of
 * a release sends no event.
 */
export function planRemoval(
  current: AppConfiguration,
  releases: readonly ReleaseInBrief[]
): PlannedChange[] {
  const sections = [...toDocument(current)].map(([key, value]): PlannedChange => ({
    op: 'remove',
    path: key,
    from: toJson(value),
    to: null,
    effect: REMOVAL_EFFECTS[key] ?? 'Is deleted with the app',
  }))
  const named = releases
    .slice(0, MAX_NAMED_RELEASES)
    .map(({ publicId, version, status, phase }): PlannedChange => ({
      op: 'remove',
      path: `releases[${publicId}]`,
      from: { version, status, phase },
      to: null,
      effect: 'The release is deleted with its steps, items and timeline; no event is sent for it',
      releaseId: publicId,
      events: [],
    }))
  const more = releases.length - named.length
  if (more === 0) return [...sections, ...named]
  const effect = `${more} older releases are deleted too`
  return [...sections, ...named, { op: 'remove', path: 'releases', from: more, to: null, effect }]
}
