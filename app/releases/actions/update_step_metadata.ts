import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import type Release from '../models/release.js'
import type { CurrentRun } from '../queries/find_current_run.js'
import { recordReleaseEvent, storeKindOfApp } from '../record.js'
import { contentHash, mergeTexts, type Localization } from '../store_texts.js'
import type { UpdateStepMetadataInput } from '../validators/step_input.js'
import { demandOpen } from './demand_open.js'
import { settle } from './settle.js'

/** Changes the store texts of a metadata run; an approval of other texts falls. */
export class UpdateStepMetadata {
  constructor(private readonly scope: Scope) {}

  async handle(
    release: Release,
    { step, run }: CurrentRun,
    input: UpdateStepMetadataInput
  ): Promise<void> {
    const { scope } = this
    demandOpen(release)
    if (release.submittedAt !== null) {
      throw refuse('release_submitted', {
        detail: 'The texts were submitted; they cannot change until the submission is rejected.',
        currentStatus: release.phase,
        allowedActions: [],
      })
    }
    const before = (run.facts.localizations ?? []) as Localization[]
    const store = await storeKindOfApp(scope, release.appId)
    const { texts, problems } = mergeTexts(store, before, input.localizations)
    if (problems.length > 0) {
      throw refuse('invalid_input', { detail: problems[0].message, errors: problems })
    }
    if (contentHash(before) === contentHash(texts)) return

    const falls = run.facts.approved === true
    run.facts = {
      ...run.facts,
      localizations: texts,
      edited: true,
      editedBy: scope.actor,
      approved: false,
      approvedHash: null,
    }
    await run.useTransaction(scope.transaction).save()
    recordReleaseEvent(scope, release, {
      type: 'metadata.updated',
      title: `The store texts of ${release.version} changed`,
      stepConfigId: step.step_config_id,
      data: { kind: 'store', stepRunId: run.id, locales: texts.map((text) => text.locale) },
      payload: null,
    })
    if (falls) {
      recordReleaseEvent(scope, release, {
        type: 'step.approvalFell',
        title: `The approval of ${step.name} fell: the texts changed`,
        stepConfigId: step.step_config_id,
        data: { stepRunId: run.id, reason: 'contentChanged' },
        payload: null,
      })
    }
    await settle(scope, release)
  }
}
