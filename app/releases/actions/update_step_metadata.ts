import { storeKindOfApp } from '#apps/queries/app_summary'
import { InputErrors, type PartiallyValid } from '#foundation/core/problems/input_errors'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import type { ListingFacts } from '../engine/facts.js'
import type Release from '../models/release.js'
import { findCurrentRun } from '../queries/find_current_run.js'
import { recordReleaseEvent } from '../timeline/record_release_event.js'
import { contentHash, mergeTexts } from '../texts/store_texts.js'
import type { UpdateStepMetadataInput } from '../validators/step_input.js'
import { stateOf } from '../preconditions/state_of.js'
import { requireOpen } from '../preconditions/require_open.js'
import { areTextsSubmitted } from '../engine/readiness.js'
import { loadFacts } from '../queries/load_facts.js'

/** Changes the store texts of a metadata run, and withdraws the approval of the old ones. */
export class UpdateStepMetadata {
  constructor(private readonly scope: Scope) {}

  async handle(release: Release, stepRunId: string, input: UpdateStepMetadataInput): Promise<void> {
    const { scope } = this
    const errors = new InputErrors()
    const { step, run, before, texts } = await this.check(release, stepRunId, input, errors)
    errors.throwIfAny()
    if (contentHash(before) === contentHash(texts)) return

    const wasApproved = (run.facts as ListingFacts).approved
    run.facts = { edited: true, approved: false }
    run.notes = {
      ...run.notes,
      localizations: texts,
      editedBy: scope.actor,
      approvedHash: null,
    }
    await run.useTransaction(scope.transaction).save()
    recordReleaseEvent(scope, release, {
      type: 'metadata.updated',
      title: `The store texts of ${release.version} changed`,
      stepConfigId: step.stepConfigId,
      data: { kind: 'store', stepRunId: run.id, locales: texts.map((text) => text.locale) },
      payload: null,
    })
    if (wasApproved) {
      recordReleaseEvent(scope, release, {
        type: 'step.approvalFell',
        title: `The approval of ${step.name} lapsed: the texts changed`,
        stepConfigId: step.stepConfigId,
        data: { stepRunId: run.id, reason: 'contentChanged' },
        payload: null,
      })
    }
    scope.touch(release)
  }

  /**
   * Adds errors of texts that the store would refuse.
   * @returns the run, with its texts before and after the change
   * @throws not_found, step_type_mismatch, step_run_superseded, release_completed,
   * release_skipped, release_submitted
   */
  async check(
    release: Release,
    stepRunId: string,
    input: PartiallyValid<UpdateStepMetadataInput>,
    errors: InputErrors
  ) {
    const { scope } = this
    const { step, run } = await findCurrentRun(scope, release, stepRunId, ['metadata'])
    requireOpen(release)
    if (areTextsSubmitted((await loadFacts(scope, release)).facts)) {
      throw refuse('release_submitted', {
        detail: 'The texts were submitted; they cannot change until the submission is rejected.',
        ...stateOf(release),
      })
    }
    const before = run.notes.localizations ?? []
    const store = await storeKindOfApp(scope, release.appId)
    const { texts, problems } = mergeTexts(store, before, input.localizations ?? [])
    errors.add(...problems)
    return { step, run, before, texts }
  }
}
