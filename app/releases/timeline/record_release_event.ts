import { appSummary } from '#apps/queries/app_summary'
import type { Actor } from '#foundation/core/principal'
import type { Scope } from '#foundation/core/scope'
import type Release from '../models/release.js'
import { releasePath } from '../names/public_release_id.js'
import { releaseEntity } from '../queries/release_entities.js'
import type { TimelineOnlyType } from '../vocabulary.js'

/** A release event. Only some types may be recorded without a webhook payload. */
type ReleaseEventInput = ReleaseEventDraft &
  ({ type: TimelineType; payload: null } | { type: string; payload: Payload })

/** Types that may be recorded only in the timeline, such as `release.released` for Google Play. */
type TimelineType = TimelineOnlyType | 'release.released'

type Members = Record<string, unknown>

/** Members of the webhook payload in addition to app and release. */
type Payload = Members | (() => Promise<Members>)

interface ReleaseEventDraft {
  title: string
  /** The person who did it, if that is not the requester. */
  actor?: Actor
  stepConfigId?: string
  /** Data of the timeline entry. */
  data?: Record<string, unknown>
  /** Returns the path of the resource that the event is about; by default the release. */
  resource?: (release: Release) => string
}

/**
 * Records an event of a release in its timeline. Unless `payload` is null, it is also a webhook
 * event, which contains the app and the release as they are at the end of the transaction.
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

/** Returns a release as events show it, read once at the end of the transaction. */
export function shownRelease(scope: Scope, release: Release) {
  // There is only one model per release, so this one has all changes.
  return scope.once(`shown ${release.id}`, () => releaseEntity(scope, release))
}
