import { appSummary } from '#apps/queries/app_summary'
import type { Actor } from '#foundation/core/principal'
import type { Scope } from '#foundation/core/scope'
import type Release from '../models/release.js'
import { releasePath } from '../names/public_release_id.js'
import { releaseEntity } from '../queries/release_entities.js'
import type { TimelineOnlyType } from '../vocabulary.js'

/** The content of a release event beyond its type. */
type ReleaseEventInput = ReleaseEventDraft &
  ({ type: TimelineType; payload: null } | { type: string; payload: Payload })

/** Types that may be recorded in the timeline alone; `release.released` is for Google's stores. */
type TimelineType = TimelineOnlyType | 'release.released'

type Members = Record<string, unknown>

/** Members of the webhook payload beside app and release; null keeps it to the timeline. */
type Payload = Members | (() => Promise<Members>)

interface ReleaseEventDraft {
  title: string
  /** The person who did it, if that is not the requester. */
  actor?: Actor
  stepConfigId?: string
  /** For the timeline. */
  data?: Record<string, unknown>
  /** Path of what the event is of; the release itself where none is said. */
  resource?: (release: Release) => string
}

/**
 * Records an event of a release: in its timeline, and unless `payload` is null as a
 * webhook event with the app and the release as the transaction leaves them.
 */
export function recordReleaseEvent(scope: Scope, release: Release, input: ReleaseEventInput): void {
  const { payload, resource = releasePath } = input
  scope.events.record({
    type: input.type,
    title: input.title,
    actor: input.actor,
    entityKey: `release:${release.id}`,
    appId: release.appId,
    releaseId: release.id,
    stepConfigId: input.stepConfigId,
    data: input.data,
    webhook:
      payload === null
        ? undefined
        : {
            resource: () => resource(release),
            members: async () => ({
              app: await appSummary(scope, release.appId),
              release: await shownRelease(scope, release),
              ...(typeof payload === 'function' ? await payload() : payload),
            }),
          },
  })
}

/** A release as events show it, by what its transaction leaves. */
export function shownRelease(scope: Scope, release: Release) {
  // The model is the only one of its release, so it is what was written.
  return scope.once(`shown ${release.id}`, () => releaseEntity(scope, release))
}
