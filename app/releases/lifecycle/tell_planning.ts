import type { Scope } from '#foundation/core/scope'
import type Release from '../models/release.js'
import { planningPort, type Ended, type RequestedAction } from '../ports.js'

/** Tells planning how something ended that took its time. */
export async function tellPlanning(
  scope: Scope,
  release: Release,
  ended: RequestedAction & Ended
): Promise<void> {
  await planningPort.provided.ended(scope, release, ended)
}
