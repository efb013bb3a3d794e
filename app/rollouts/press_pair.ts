import { newId } from '#foundation/core/ids'
import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import { pageUrl } from '#releases/page_addresses'
import { storesPort, type ReleaseWarning } from '#releases/ports'
import { otherOfPair } from '#stores/pairs/other_of_pair'
import { pressOtherKind } from './kinds.js'
import { pressedOf } from './queries/pressed.js'

/**
 * Has the other release of a pair stopped, too, where that is asked for and the asker may; without
 * that it says that the other one goes on.
 */
export async function pressPair(
  scope: Scope,
  release: Release,
  { reason, isOfBoth }: { reason: string | null; isOfBoth: boolean }
): Promise<ReleaseWarning[]> {
  const found = await otherOfPair(scope, release)
  if (!found) return []
  const { other, name, isSeen } = found
  if ((await storesPort.provided.inStores(scope, other)).length === 0) return []
  const isPressed = (await pressedOf(scope, other)) !== null
  if (!isPressed && (!isOfBoth || !isSeen)) {
    const page = pageUrl({ appId: other.appId, releaseId: other.publicId })
    const how = isSeen
      ? `Press its red button${page === null ? '' : ` (${page})`}, or repeat with pair=true.`
      : 'The key does not hold its app.'
    return [
      { code: 'pair_goes_on', message: `${name}, which goes out with it, is not stopped. ${how}` },
    ]
  }
  if (!isPressed) {
    const { appId, id: releaseId } = other
    const payload = { appId, releaseId, reason, askedBy: scope.actor }
    const key = { subject: releaseId, idempotencyKey: newId('press') }
    await scope.agenda.wish(pressOtherKind, { ...key, payload, isUrgent: true })
  }
  return [
    { code: 'pair_stopped', message: `${name}, which goes out with it, is being stopped, too.` },
  ]
}
