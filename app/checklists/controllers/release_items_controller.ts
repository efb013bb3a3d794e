import { ok } from '#foundation/api/operation/response'
import type { Call } from '#foundation/api/operation/declaration'
import type { InputErrors, PartiallyValid } from '#foundation/core/problems/input_errors'
import type { Scope } from '#foundation/core/scope'
import { readRelease } from '#releases/queries/read_release'
import { SetItemStatus, type ReleaseItemIds } from '../actions/set_item_status.js'
import type { ChecklistItemEntity } from '../entities.js'
import { requireItemAction } from '../release_items/require_item_action.js'
import { findReleaseItem, findReleaseItems } from '../queries/find_release_items.js'
import type { ReleaseItemsQuery, StatusInput } from '../validators/item_inputs.js'

/** Items as a release holds them. */
export class ReleaseItemsController {
  async index({ scope, params, query }: Call<undefined, ReleaseItemsQuery>) {
    const { release } = await readRelease(scope, params.appId, params.releaseId)
    const items = await findReleaseItems(scope, release, query)
    return ok(items.map(({ item }) => item))
  }

  async setStatus({ scope, params, body }: Call<StatusInput>) {
    const item = await new SetItemStatus(scope).handle(placeOf(params), body)
    return async () => ok(await asDerived(scope, params, item))
  }

  checkStatus({ scope, params, body }: Call<PartiallyValid<StatusInput>>, errors: InputErrors) {
    return new SetItemStatus(scope).check(placeOf(params), body, errors)
  }

  /** @throws not_found, action_missing with the one action that the item's kind needs */
  async explainRefusal(scope: Scope, params: Record<string, string>) {
    const { release } = await readRelease(scope, params.appId, params.releaseId)
    const { item } = await findReleaseItem(scope, release, params.checklistItemId)
    requireItemAction(scope, item, release.pilotId)
  }

  async setComment({ scope, params, body }: Call<{ comment: string | null }>) {
    return ok(await new SetItemStatus(scope).comment(placeOf(params), body.comment))
  }
}

/** Reads an approval again, since its votes may have fallen after the write. Others are returned. */
async function asDerived(scope: Scope, params: Record<string, string>, item: ChecklistItemEntity) {
  if (item.kind !== 'approval') return item
  const { release } = await readRelease(scope, params.appId, params.releaseId)
  return (await findReleaseItem(scope, release, params.checklistItemId)).item
}

function placeOf({ appId, releaseId, checklistItemId }: Record<string, string>): ReleaseItemIds {
  return { appId, releaseId, checklistItemId }
}
