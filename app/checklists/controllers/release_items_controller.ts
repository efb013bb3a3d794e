import { ok } from '#foundation/api/operation/answer'
import type { Call } from '#foundation/api/operation/declaration'
import { findRelease } from '#releases/queries/find_release'
import { demandOpen } from '#releases/actions/demand_open'
import { demandItemAction } from '../access.js'
import { demandApprovalFields } from '../actions/demand_approval_fields.js'
import { SetApprovalStatus } from '../actions/set_approval_status.js'
import { demandLegalStatus, heldItem, setItemStatuses } from '../actions/set_item_statuses.js'
import { releaseItems } from '../queries/release_items.js'
import type { ReleaseItemsQuery, StatusInput } from '../validators/item_inputs.js'

/** Items as a release holds them. */
export class ReleaseItemsController {
  async index({ scope, params, query }: Call<undefined, ReleaseItemsQuery>) {
    const release = await findRelease(scope, params.appId, params.releaseId)
    const placed = await releaseItems(scope, release, query)
    return ok(placed.map(({ item }) => item))
  }

  async setStatus(call: Call<StatusInput>) {
    const { scope, body } = call
    const { release, item } = await this.#find(call)
    demandLegalStatus(item.item, body.status)
    demandApprovalFields(item.item.kind, body)
    demandOpen(release)
    if (item.item.kind === 'approval') {
      return ok(await new SetApprovalStatus(scope).handle(release, item, body))
    }
    const { status, comment } = body
    const [entity] = await setItemStatuses(scope, release, [{ item, status, comment }])
    return ok(entity)
  }

  async setComment(call: Call<{ comment: string | null }>) {
    const { scope, body } = call
    const { release, item } = await this.#find(call)
    demandOpen(release)
    const [entity] = await setItemStatuses(scope, release, [{ item, comment: body.comment }])
    return ok(entity)
  }

  /** The release and the item of the path, which the asker may change. */
  async #find({ scope, params }: Call<unknown>) {
    const release = await findRelease(scope, params.appId, params.releaseId)
    const item = await heldItem(scope, release, params.checklistItemId)
    demandItemAction(scope, item.item, release.pilotId)
    return { release, item }
  }
}
