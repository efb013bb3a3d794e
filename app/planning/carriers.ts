import type { Scope } from '#foundation/core/scope'
import { KickOffRelease, type Kickoff } from '#releases/actions/kick_off_release'
import type Release from '#releases/models/release'
import type { Phase } from './calendar/freezes.js'

/**
 * The actions that automations call, the very ones that requests do. Submitting to a store and
 * releasing from it come with the stores; until then an automation says that it cannot.
 */
export const CARRIERS: Partial<
  Record<Phase, (scope: Scope, release: Release) => Promise<Kickoff>>
> = {
  kickoff: (scope, release) => new KickOffRelease(scope).handle(release),
}
