import { ok } from '#foundation/operation/answer'
import type { Call } from '#foundation/operation/declaration'
import { findRelease } from '#releases/queries/find_release'
import { demandItemAction } from '../access.js'
import { demandOpen } from '../actions/demand_open.js'
import {
  demandLegalStatus,
  heldItem,
  setItemStatuses,
  type StatusChange,
} from '../actions/set_item_statuses.js'
import { releaseItems } from '../queries/release_items.js'
import type { ReleaseItemsQuery } from '../validators/item_inputs.js'
import type { ItemStatus } from '../vocabulary.js'

/** Items as a release holds them. */
export class ReleaseItemsController {
  async index({ scope, params, query }: Call<undefined, ReleaseItemsQuery>) {
    const release = await findRelease(scope, params.appId, params.releaseId)
    const placed = await releaseItems(scope, release, query)
    return ok(placed.map(({ item }) => item))
  }

  async setStatus(call: Call<{ status: ItemStatus; comment?: string | null }>) {
    return this.#change(call, call.body)
  }

  async setComment(call: Call<{ comment: string | null }>) {
    return this.#change(call, { comment: call.body.comment })
  }

  async #change({ scope, params }: Call<unknown>, change: Omit<StatusChange, 'item'>) {
    const release = await findRelease(scope, params.appId, params.releaseId)
    const item = await heldItem(scope, release, params.checklistItemId)
    demandItemAction(scope, item.item, release.pilotId)
    if (change.status) demandLegalStatus(item.item, change.status)
    demandOpen(release)
    const [entity] = await setItemStatuses(scope, release, [{ item, ...change }])
    return ok(entity)
  }
}
