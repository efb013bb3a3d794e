import { newId } from '#foundation/core/ids'
import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import { pageUrl } from '#releases/page_addresses'
import type { ReleaseWarning } from '#releases/ports'
import { otherInStore } from '#stores/pairs/other_of_pair'
import { pressOtherKind } from './work_kinds.js'
import { pressedOf } from './queries/pressed.js'
import { whyNotStopped } from './stop_release.js'

/**
 * Stops the other release of a pair, too, if that is requested, allowed and possible; else returns
 * a warning that it goes on.
 */
export async function pressPair(
  scope: Scope,
  release: Release,
  { reason, isOfBoth }: { reason: string | null; isOfBoth: boolean }
): Promise<ReleaseWarning[]> {
  const found = await otherInStore(scope, release)
  if (!found) return []
  const { other, name, isSeen } = found
  const goesOn = (why: string) => [
    { code: 'pair_goes_on', message: `${name}, which goes out with it, is not stopped. ${why}` },
  ]
  const { appId, id: releaseId } = other
  const refusal = await whyNotStopped(scope, other)
  if (refusal)
    return goesOn(isSeen ? refusal.message : 'Its store can stop nothing of it any more.')
  if ((await pressedOf(scope, other)) === null) {
    if (!isSeen) return goesOn('The key does not hold its app.')
    if (!isOfBoth) {
      const page = pageUrl({ appId, releaseId: other.publicId })
      const at = page === null ? '' : ` (${page})`
      return goesOn(`Press its red button${at}, or the one for both (\`pair: true\`).`)
    }
    const payload = { appId, releaseId, reason, askedBy: scope.actor }
    const key = { subject: releaseId, idempotencyKey: newId('press') }
    await scope.jobs.command(pressOtherKind, { ...key, payload, isUrgent: true })
  }
  return [{ code: STOPPED, message: `${name}, which goes out with it, is being stopped, too.` }]
}

const STOPPED = 'pair_stopped'

/** Returns whether the other release of a pair is being stopped. */
export const isOtherStopped = (paired: readonly ReleaseWarning[]) =>
  paired.some(({ code }) => code === STOPPED)
