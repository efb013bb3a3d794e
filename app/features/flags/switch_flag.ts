import { later } from '#foundation/core/clock'
import { newId } from '#foundation/core/ids'
import { Problem, refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { unitOfWork } from '#foundation/core/services'
import { isProviderError } from '#integrations/ask_provider'
import type { Flag } from '#plugin-kit/capabilities/monitoring'
import type { ReleaseRow } from '#releases/queries/read_release'
import { askFlags, findFlag, TIMEOUT, type FlagSource } from './ask_flags.js'
import { switchKind } from './switch_kind.js'
import { recordSwitch } from './report_switch.js'

/**
 * Enables or disables a flag, outside of any transaction, and records this in the timeline of the
 * release. If the request has an entity tag, the flag must still match it. A flag that already has
 * the requested state does not change.
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
  const subject = newId('switch')
  const payload = {
    appId: release.appId,
    releaseId: release.id,
    askedBy: scope.actor,
    integrationId: source.id,
    connectionId: source.connectionId,
    environmentId: place.environmentId,
    to: enabled,
    flag: { id: seen.id, key: seen.key, name: seen.name },
  }
  // If this process dies, the job reads the result from the provider.
  await unitOfWork.inTransaction(scope, (writing) =>
    writing.jobs.command(switchKind, {
      subject,
      at: later(writing.now, 2 * TIMEOUT),
      payload,
    })
  )
  const switched = await askFlags(scope, source, (flags) =>
    flags.setEnabled(place.environmentId, seen.key, enabled, {
      idempotencyKey: subject,
      etag: seen.etag,
      comment,
    })
  ).catch(async (error: unknown) => {
    if (!isUnknown(error)) {
      await unitOfWork.inTransaction(scope, ({ jobs }) => jobs.cancel(switchKind, subject))
    }
    throw lostRace(error) ? changed(seen) : error
  })
  await unitOfWork.inTransaction(scope, async (writing) => {
    await writing.lock('apps', release.appId)
    // If the result was already recorded, there is nothing to undo.
    if (await writing.jobs.cancel(switchKind, subject)) {
      await recordSwitch(writing, payload, switched)
    }
  })
  return switched
}

const causeOf = (error: unknown) => (error instanceof Problem ? error.extras.cause : error)

/** Returns whether the change may have been applied despite the error. */
function isUnknown(error: unknown): boolean {
  const cause = causeOf(error)
  return isProviderError(cause)
    ? cause.detail.outcome !== 'notApplied'
    : !(error instanceof Problem)
}

function lostRace(error: unknown): boolean {
  const cause = causeOf(error)
  return isProviderError(cause) && ['preconditionFailed', 'conflict'].includes(cause.code)
}

const changed = ({ key }: Flag) =>
  refuse('flag_changed', {
    detail: `The flag ${key} has changed since it was read. Read it again.`,
  })
