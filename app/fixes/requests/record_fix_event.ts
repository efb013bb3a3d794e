import { appSummary } from '#apps/queries/app_summary'
import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import { stepRows } from '#releases/queries/step_rows'
import type { FixRequestRow } from './fix_approvals.js'
import { reportedFixRequest } from '../queries/fix_requests.js'

interface Happened {
  /** `approval.given` is for the timeline alone. */
  type:
    | 'fixRequest.created'
    | 'fixRequest.approved'
    | 'fixRequest.rejected'
    | 'fixRequest.merged'
    | 'approval.given'
  title: string
  data?: Record<string, unknown>
}

/** Records what happened to a fix request, in the timeline of its release and for webhooks. */
export function recordFixEvent(
  scope: Scope,
  release: Release,
  request: FixRequestRow,
  { type, title, data }: Happened
): void {
  const { appId } = release
  scope.events.record({
    type,
    title,
    entityKey: `fixRequest:${request.id}`,
    appId,
    releaseId: release.id,
    data: { fixRequestId: request.id, title: request.title, ...data },
    webhook:
      type === 'approval.given'
        ? undefined
        : {
            resource: () => `/app/${appId}/release/${release.publicId}/fixRequest/${request.id}`,
            members: async () => ({
              app: await appSummary(scope, appId),
              release: {
                id: release.publicId,
                version: release.version,
                releaseName: release.releaseName,
                status: release.status,
              },
              ...(await stepRunOf(scope, release, request.stepRunId)),
              fixRequest: await reportedFixRequest(scope, request),
            }),
          },
  })
}

/** Returns the step run that a request was made at, if it is still the current one of its step. */
async function stepRunOf(scope: Scope, release: Release, stepRunId: string | null) {
  if (stepRunId === null) return {}
  const step = (await stepRows(scope, release.id)).find(({ runId }) => runId === stepRunId)
  if (!step) return {}
  return { stepRun: { id: stepRunId, stepId: step.id, stepConfigId: step.stepConfigId } }
}
