import type { Scope } from '#foundation/core/scope'
import { pressedOf } from './queries/pressed.js'

/**
 * Deletes a press after which somebody let the release go on: the next press counts as a new one.
 */
export async function endPress(
  scope: Scope,
  release: { id: string; appId: string }
): Promise<void> {
  if (await pressedOf(scope, release)) return
  await scope.table('red_buttons').where('release_id', release.id).delete()
}
