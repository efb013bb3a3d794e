import { RETRIES } from '#foundation/jobs/retry'
import { onObservation, type CallContext, type Job, type Work } from '#foundation/jobs/handlers'
import { MINUTE } from '#foundation/core/durations'
import type { Scope } from '#foundation/core/scope'
import { askProvider } from '#integrations/ask_provider'
import { integrationsOfKind } from '#integrations/queries/app_integrations'
import type { IntegrationData } from '#integrations/settings'
import type { CapabilityMap } from '#plugin-kit/capabilities/map'
import { isOpen } from '#releases/lifecycle/open_releases'
import { releaseStillThere } from '#releases/queries/find_release'
import { readReleaseStillThere } from '#releases/queries/read_release'
import { storeSeen, recordWatched, seenOf } from '../progress.js'
import { WATCHED, type Seen, type Watched } from '../vocabulary.js'
import { WATCH_KINDS } from '../work_kinds.js'

type KindOf<What extends Watched> = (typeof WATCHED)[What]['kind']

/** Reads the state of a version from one provider. */
type Ask<What extends Watched> = (
  provider: CapabilityMap[KindOf<What>],
  about: {
    version: string
    type: string
    data: IntegrationData
    /** The last observation of the release; null before the first. */
    before: Seen[What] | null
  }
) => Promise<Seen[What]>

/**
 * Makes the polling job for one kind of observation: reads it from all of the app's providers of
 * that kind.
 */
export function observe<What extends Watched>(what: What, actor: string, ask: Ask<What>): Work {
  const kind: KindOf<What> = WATCHED[what].kind
  type Look = Seen[What] | null

  /** Reads the observation; null if the release need not be polled any more. */
  async function look(
    { subject, payload: { appId } }: Job<{ appId: string }>,
    { scope, signal }: CallContext
  ): Promise<Look> {
    const there = await readReleaseStillThere(scope, appId, subject)
    if (!there) return null
    const { release } = there
    const providers = await integrationsOfKind(scope, appId, kind)
    if (!isOpen(release) || providers.length === 0) return null
    const { version } = release
    const before = await seenOf(scope, subject, what)
    const seen: unknown[] = []
    for (const integration of providers) {
      const { type, data } = integration
      const found = await askProvider(scope, { integration, kind, signal }, (provider) =>
        ask(provider as CapabilityMap[KindOf<What>], { version, type, data, before })
      )
      seen.push(...found)
    }
    return seen as Seen[What]
  }

  async function take(scope: Scope, { subject, payload }: Job<{ appId: string }>, seen: Look) {
    const release = await releaseStillThere(scope, payload.appId, subject)
    if (!release) return 'over'
    if (seen === null || !isOpen(release)) {
      await recordWatched(scope, release, what, false)
      return 'over'
    }
    if (!(await storeSeen(scope, subject, what, seen))) return 'unchanged'
    scope.touch(release)
    return 'changed'
  }

  return onObservation(WATCH_KINDS[what], {
    actor,
    lease: 5 * MINUTE,
    every: { least: MINUTE, most: 15 * MINUTE },
    retry: RETRIES.ofPoll,
    lock: (scope, { payload }) => scope.lock('apps', payload.appId),
    poll: look,
    store: take,
  })
}
