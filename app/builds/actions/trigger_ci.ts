import type { Static } from '@sinclair/typebox'
import { newId } from '#foundation/core/ids'
import { InputErrors, type PartiallyValid } from '#foundation/core/problems/input_errors'
import type { Scope } from '#foundation/core/scope'
import { requireOpen } from '#releases/preconditions/require_open'
import type Release from '#releases/models/release'
import { findCurrentRun } from '#releases/queries/find_current_run'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import { normalVersion } from '#workflow/version'
import { requireCi } from '../app_ci.js'
import { CANDIDATE_STEPS } from '../candidate_runs.js'
import type { TriggeredBuildEntity } from '../entities.js'
import { plainBranch } from '../plain_branch.js'
import { UNKNOWN_COMMIT } from '../vocabulary.js'
import type { TriggerCiInput } from '../validators/candidate_build_input.js'
import { triggerKind } from '../work_kinds.js'
import { RecordCiBuild } from './record_ci_build.js'

/** Requests a run of a workflow in the app's CI for a release. */
export class TriggerCi {
  constructor(private readonly scope: Scope) {}

  /**
   * Records the build as pending. A worker then requests it from the CI system.
   * @throws not_found, step_type_mismatch, step_run_superseded, release_completed, release_skipped,
   * integration_missing, invalid_input
   */
  async handle(
    release: Release,
    stepRunId: string,
    input: TriggerCiInput
  ): Promise<Static<typeof TriggeredBuildEntity>> {
    const { scope } = this
    const errors = new InputErrors()
    const { step, ci, branch, workflowId } = await this.check(release, stepRunId, input, errors)
    errors.throwIfAny()
    const { appId } = release
    const workflowData = { workflowId, workflowName: workflowId }
    const build = await new RecordCiBuild(scope).handle({
      appId,
      installationId: ci.id,
      integrationId: ci.type,
      // A placeholder until the CI system reports its own identifier.
      buildIdentifier: newId('trigger'),
      isRequested: true,
      branch,
      baseBranch: null,
      commitHash: UNKNOWN_COMMIT,
      workflowData,
      status: 'pending',
      release: { releaseId: release.id, version: normalVersion(release.parts) },
      files: [],
    })
    await scope.jobs.command(triggerKind, {
      subject: build.id,
      payload: {
        appId,
        integrationId: ci.id,
        connectionId: ci.connectionId,
        workflowId,
        branch,
        arguments: Object.entries(input.arguments ?? {}).map(([name, value]) => ({ name, value })),
      },
    })
    recordReleaseEvent(scope, release, {
      type: 'build.triggered',
      title: `${step.name}: a build of ${branch} was triggered`,
      stepConfigId: step.stepConfigId,
      data: { ciBuildId: build.id, stepRunId, workflowId, branch },
      payload: null,
    })
    const { id } = build
    const triggeredAt = scope.now
    return { id, buildIdentifier: null, status: 'pending', url: null, triggeredAt, workflowData }
  }

  /**
   * Determines the workflow and the branch to run. Reports a fault for each that is neither given
   * nor known.
   * @throws not_found, step_type_mismatch, step_run_superseded, release_completed,
   * release_skipped, integration_missing
   */
  async check(
    release: Release,
    stepRunId: string,
    { branch, workflowId }: PartiallyValid<TriggerCiInput>,
    errors: InputErrors
  ) {
    const { step } = await findCurrentRun(this.scope, release, stepRunId, CANDIDATE_STEPS)
    requireOpen(release)
    const ci = await requireCi(this.scope, release.appId)
    const valueOrFault = (name: string, value: string | null, message: string) => {
      if (value !== null) return value
      const pointer = `/${name}`
      if (errors.isWellFormed(pointer)) errors.add({ pointer, code: 'required', message })
      return ''
    }
    return {
      step,
      ci,
      branch: valueOrFault(
        'branch',
        branch === undefined ? release.releaseBranch : plainBranch(branch),
        'The release has no branch yet; name the one to build.'
      ),
      workflowId: valueOrFault(
        'workflowId',
        workflowId ?? ci.workflowId,
        'The CI integration names no workflow; name the one to run.'
      ),
    }
  }
}
