import type { Scope } from '#foundation/core/scope'
import { demandOpen } from '#releases/demand_open'
import { findRelease } from '#releases/queries/find_release'
import { demandApprovalFields } from '../demand_approval_fields.js'
import { demandItemAction } from '../demand_item_action.js'
import type { ChecklistItemEntity } from '../entities.js'
import { findReleaseItem } from '../queries/find_release_items.js'
import type { StatusInput } from '../validators/item_inputs.js'
import { SetApprovalStatus } from './set_approval_status.js'
import { demandLegalStatus, setItemStatuses } from '../release_items/set_item_statuses.js'

/** Which item of which release, by the ids that clients use. */
export interface ReleaseItemIds {
  appId: string
  releaseId: string
  checklistItemId: string
}

/** Sets the status of an item of a release, or comments on it: by whoever may by its kind. */
export class SetItemStatus {
  constructor(private readonly scope: Scope) {}

  /**
   * @throws not_found, action_missing, invalid_input, release_completed, release_skipped, and
   * for approvals four_eyes, admin_required, conflict
   */
  async handle(place: ReleaseItemIds, input: StatusInput): Promise<ChecklistItemEntity> {
    const { release, current } = await this.#find(place)
    const { status, comment } = input
    demandLegalStatus(current.item, status)
    demandApprovalFields(current.item.kind, input)
    demandOpen(release)
    if (current.item.kind === 'approval') {
      return new SetApprovalStatus(this.scope).handle(release, current, input)
    }
    const [item] = await setItemStatuses(this.scope, release, [{ current, status, comment }])
    return item
  }

  /** Null clears it. @throws not_found, action_missing, release_completed, release_skipped */
  async comment(place: ReleaseItemIds, comment: string | null): Promise<ChecklistItemEntity> {
    const { release, current } = await this.#find(place)
    demandOpen(release)
    const [item] = await setItemStatuses(this.scope, release, [{ current, comment }])
    return item
  }

  /** The release and the item, which the asker may change. */
  async #find({ appId, releaseId, checklistItemId }: ReleaseItemIds) {
    const release = await findRelease(this.scope, appId, releaseId)
    const current = await findReleaseItem(this.scope, release, checklistItemId)
    demandItemAction(this.scope, current.item, release.pilotId)
    return { release, current }
  }
}
