import { ok } from '#foundation/api/operation/answer'
import type { Call } from '#foundation/api/operation/declaration'
import { readRelease } from '#releases/queries/read_release'
import { SetItemStatus, type HeldItemPlace } from '../actions/set_item_status.js'
import { heldItems } from '../queries/held_items.js'
import type { ReleaseItemsQuery, StatusInput } from '../validators/item_inputs.js'

/** Items as a release holds them. */
export class ReleaseItemsController {
  async index({ scope, params, query }: Call<undefined, ReleaseItemsQuery>) {
    const { release } = await readRelease(scope, params.appId, params.releaseId)
    const held = await heldItems(scope, release, query)
    return ok(held.map(({ item }) => item))
  }

  async setStatus({ scope, params, body }: Call<StatusInput>) {
    return ok(await new SetItemStatus(scope).handle(placeOf(params), body))
  }

  async setComment({ scope, params, body }: Call<{ comment: string | null }>) {
    return ok(await new SetItemStatus(scope).comment(placeOf(params), body.comment))
  }
}

function placeOf({ appId, releaseId, checklistItemId }: Record<string, string>): HeldItemPlace {
  return { appId, releaseId, checklistItemId }
}
