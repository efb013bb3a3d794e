import { ok } from '#foundation/api/operation/response'
import type { Call } from '#foundation/api/operation/declaration'
import { applyOrRehearse, type DryRunQuery } from '#foundation/api/operation/dry_run'
import { InputErrors, type PartiallyValid } from '#foundation/core/problems/input_errors'
import type { Scope } from '#foundation/core/scope'
import { readReferencedRelease } from '#releases/queries/find_release'
import { checkAutomation } from '../automations/check_automation.js'
import { SetAutomation } from '../actions/set_automation.js'
import { SetFollowUp } from '../actions/set_follow_up.js'
import { SetCadence } from '../actions/set_cadence.js'
import { SetPause } from '../actions/set_pause.js'
import { UpdateFreezes } from '../actions/update_freezes.js'
import { releaseSchedule } from '../queries/release_schedule.js'
import {
  automationEntities,
  automationEntity,
  cadenceEntity,
  followUpEntity,
  freezeEntities,
  pauseEntity,
} from '../queries/shown.js'
import type {
  OfReleaseQuery,
  SetAutomationInput,
  SetCadenceInput,
  SetPauseInput,
  UpdateFreezesInput,
  WindowQuery,
} from '../validators/planning_input.js'
import { isFollowUp, PHASE_OF } from '../vocabulary.js'

export class PlanningController {
  async showCadence({ scope, params }: Call) {
    return ok(await cadenceEntity(scope, params.appId))
  }

  setCadence({ scope, params: { appId }, body, query }: Call<SetCadenceInput, DryRunQuery>) {
    return applyOrRehearse(scope, query, async (within) => {
      const drafts = await new SetCadence(within).handle(appId, body)
      return async () => {
        const shown = await cadenceEntity(within, appId)
        return Object.values(drafts).flat().length > 0 ? { ...shown, drafts } : shown
      }
    })
  }

  async foresee({ scope, params: { appId }, body, query }: Call<SetCadenceInput, WindowQuery>) {
    const { result } = await scope.rehearse(async (within) => {
      const drafts = await new SetCadence(within).handle(appId, body)
      return async () => ({ releases: await releaseSchedule(within, appId, query), drafts })
    })
    return ok(result)
  }

  checkCadence(call: Call<PartiallyValid<SetCadenceInput>, unknown>, errors: InputErrors) {
    return new SetCadence(call.scope).check(call.params.appId, call.body, errors)
  }

  async schedule({ scope, params, query }: Call<undefined, WindowQuery>) {
    return ok(await releaseSchedule(scope, params.appId, query))
  }

  async listFreezes({ scope, params, query }: Call<undefined, WindowQuery>) {
    return ok(await freezeEntities(scope, params.appId, query))
  }

  updateFreezes({ scope, params: { appId }, body, query }: Call<UpdateFreezesInput, DryRunQuery>) {
    return applyOrRehearse(scope, query, async (within) => {
      await new UpdateFreezes(within).handle(appId, body)
      return () => freezeEntities(within, appId)
    })
  }

  async checkFreezes(
    call: Call<PartiallyValid<UpdateFreezesInput>, DryRunQuery>,
    errors: InputErrors
  ) {
    new UpdateFreezes(call.scope).check(call.body, errors)
  }

  async listAutomations({ scope, params: { appId }, query }: Call<undefined, OfReleaseQuery>) {
    return ok(await automationEntities(scope, appId, await namedRelease(scope, appId, query)))
  }

  async setAutomation({ scope, params: { appId }, body }: Call<SetAutomationInput>) {
    const { type } = body
    const errors = new InputErrors()
    checkAutomation(body, errors)
    errors.throwIfAny()
    if (isFollowUp(type)) {
      const release = await new SetFollowUp(scope).handle(appId, type, body)
      return async () => ok(await followUpEntity(scope, appId, type, release))
    }
    const release = await new SetAutomation(scope).handle(appId, { ...body, type })
    return async () => ok(await automationEntity(scope, appId, PHASE_OF[type], release))
  }

  async checkAutomation({ body }: Call<PartiallyValid<SetAutomationInput>>, errors: InputErrors) {
    checkAutomation(body, errors)
  }

  async showPause({ scope, params: { appId }, query }: Call<undefined, OfReleaseQuery>) {
    return ok(await pauseEntity(scope, appId, await namedRelease(scope, appId, query)))
  }

  async setPause({ scope, params: { appId }, body }: Call<SetPauseInput>) {
    const release = await new SetPause(scope).handle(appId, body)
    return async () => ok(await pauseEntity(scope, appId, release))
  }

  async checkPause({ scope, body }: Call<PartiallyValid<SetPauseInput>>, errors: InputErrors) {
    new SetPause(scope).check(body, errors)
  }
}

async function namedRelease(scope: Scope, appId: string, { releaseId }: OfReleaseQuery) {
  if (releaseId === undefined) return null
  return (await readReferencedRelease(scope, appId, releaseId)).release
}
