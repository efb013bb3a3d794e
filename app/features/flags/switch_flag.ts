import { newId } from '#foundation/core/ids'
import { Problem, refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { unitOfWork } from '#foundation/core/services'
import { isProviderError } from '#integrations/ask_provider'
import type { Flag } from '#plugin-kit/capabilities/monitoring'
import { releaseStillThere } from '#releases/queries/find_release'
import type { ReleaseRow } from '#releases/queries/read_release'
import { recordReleaseEvent } from '#releases/record_release_event'
import { askFlags, findFlag, type FlagSource } from './ask_flags.js'

/**
 * Switches a flag, outside of any transaction, and tells the timeline of the release. It is
 * switched only as what it was seen as: by who asks, where the tag of that is named, else just now.
 * One that is as it is to be is left alone.
 * @throws not_found, flag_changed, provider_error
 */
export async function switchFlag(
  scope: Scope,
  release: ReleaseRow,
  source: FlagSource,
  name: string,
  { enabled, etag }: { enabled: boolean; etag?: string | null }
): Promise<Flag> {
  const { place } = source
  const seen = await askFlags(scope, source, (flags) => findFlag(flags, place, name))
  if (etag && seen.etag !== undefined && seen.etag !== etag) throw changed(seen)
  if (seen.enabled === enabled) return seen
  const comment = `Release ${release.version}, by ${scope.actor.name}`.slice(0, 500)
  const switched = await askFlags(scope, source, (flags) =>
    flags.setEnabled(place.environmentId, seen.key, enabled, {
      idempotencyKey: newId('switch'),
      etag: seen.etag,
      comment,
    })
  ).catch((error: unknown) => {
    throw lostRace(error) ? changed(seen) : error
  })
  await unitOfWork.inTransaction(scope, async (writing) => {
    const there = await releaseStillThere(writing, release.appId, release.id)
    if (!there) return
    recordReleaseEvent(writing, there, {
      type: 'featureFlag.switched',
      title: `The flag ${seen.key} was switched ${enabled ? 'on' : 'off'}`,
      data: {
        flag: { id: seen.id, key: seen.key, name: seen.name },
        environmentId: place.environmentId,
        from: seen.enabled,
        to: switched.enabled,
      },
      payload: null,
    })
  })
  return switched
}

function lostRace(error: unknown): boolean {
  const cause = error instanceof Problem ? error.extras.cause : error
  return isProviderError(cause) && ['preconditionFailed', 'conflict'].includes(cause.code)
}

const changed = ({ key }: Flag) =>
  refuse('flag_changed', {
    detail: `Somebody changed the flag ${key} meanwhile: look at it again.`,
  })
