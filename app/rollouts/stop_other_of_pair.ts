import { newId } from '#foundation/core/ids'
import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import { pageUrl } from '#releases/page_addresses'
import type { ReleaseWarning } from '#releases/ports'
import { otherInStore } from '#stores/pairs/other_of_pair'
import { pressOtherKind } from './work_kinds.js'
import { pressedOf } from './queries/pressed.js'
import { whyNotStopped } from './stop_release.js'

/** A warning, and what people can do about it. */
export interface PairWarning extends ReleaseWarning {
  remedy?: string
}

/**
 * Stops the other release of a pair as well, if that is requested, allowed and possible. Returns a
 * warning that says whether it is stopped.
 */
export async function stopOtherOfPair(
  scope: Scope,
  release: Release,
  { reason, isForBoth }: { reason: string | null; isForBoth: boolean }
): Promise<PairWarning[]> {
  const pair = await otherInStore(scope, release)
  if (!pair) return []
  const { other, name, isVisible } = pair
  const lead = `${name}, which goes out with it, is not stopped.`
  const notStopped = (why: string) => [{ code: 'pair_goes_on', message: `${lead} ${why}` }]
  const { appId, id: releaseId } = other
  const refusal = await whyNotStopped(scope, other)
  if (refusal)
    return notStopped(isVisible ? refusal.message : 'Its store can no longer stop any of it.')
  if ((await pressedOf(scope, other)) === null) {
    if (!isVisible) return notStopped('The key does not include its app.')
    if (!isForBoth) {
      const page = pageUrl({ appId, releaseId: other.publicId })
      const link = page === null ? '' : ` (${page})`
      const remedy = `Press its red button${link}, or the one for both (\`pair: true\`).`
      return [{ code: 'pair_goes_on', message: lead, remedy }]
    }
    const payload = { appId, releaseId, reason, askedBy: scope.actor }
    const key = { subject: releaseId, idempotencyKey: newId('press') }
    await scope.jobs.command(pressOtherKind, { ...key, payload, isUrgent: true })
  }
  return [{ code: STOPPED, message: `${name}, which goes out with it, is being stopped, too.` }]
}

const STOPPED = 'pair_stopped'

/** Returns whether the other release of a pair is being stopped. */
export const isOtherStopped = (warnings: readonly ReleaseWarning[]) =>
  warnings.some(({ code }) => code === STOPPED)
