import { InputErrors, type PartiallyValid } from '#foundation/core/problems/input_errors'
import type { Scope } from '#foundation/core/scope'
import { requireOpen } from '#releases/preconditions/require_open'
import { findRelease } from '#releases/queries/find_release'
import { requireApprovalFields } from '../approvals/require_approval_fields.js'
import { requireItemAction } from '../release_items/require_item_action.js'
import type { ChecklistItemEntity } from '../entities.js'
import { findReleaseItem } from '../queries/find_release_items.js'
import type { StatusInput } from '../validators/item_inputs.js'
import { ITEM_ACTION } from '#releases/vocabulary'
import { requirePerson } from '#organizations/queries/on_behalf_of'
import { SetApprovalStatus } from './set_approval_status.js'
import { requireLegalStatus, setItemStatuses } from '../release_items/set_item_statuses.js'

/** An item of a release, by the ids that clients use. */
export interface ReleaseItemIds {
  appId: string
  releaseId: string
  checklistItemId: string
}

/** Sets the status or the comment of a release item. The item's kind determines the right needed. */
export class SetItemStatus {
  constructor(private readonly scope: Scope) {}

  /**
   * @throws not_found, action_missing, invalid_input, release_completed, release_skipped, and
   * for approvals four_eyes, admin_required, conflict
   */
  async handle(place: ReleaseItemIds, input: StatusInput): Promise<ChecklistItemEntity> {
    const { release, current } = await this.#find(place)
    const { status, comment } = input
    const errors = new InputErrors()
    await this.#examine(current.item, input, errors)
    errors.throwIfAny()
    requireOpen(release)
    if (current.item.kind === 'approval') {
      return new SetApprovalStatus(this.scope).handle(release, current, input)
    }
    const [item] = await setItemStatuses(this.scope, release, [{ current, status, comment }])
    return item
  }

  /** Adds errors of a status that its schema cannot express. @throws not_found, action_missing */
  async check(
    place: ReleaseItemIds,
    input: PartiallyValid<StatusInput>,
    errors: InputErrors
  ): Promise<void> {
    const { current } = await this.#find(place)
    await this.#examine(current.item, input, errors)
  }

  async #examine(
    item: ChecklistItemEntity,
    input: PartiallyValid<StatusInput>,
    errors: InputErrors
  ) {
    const { status, userEmail, breakGlass } = input
    if (status) await errors.collect(() => requireLegalStatus(item, status))
    await errors.collect(() => requireApprovalFields(item.kind, input))
    if (item.kind !== 'approval') return
    if (breakGlass && status && status !== 'approved') {
      const message = 'Break glass is only for approving.'
      errors.add({ pointer: '/breakGlass', code: 'approved_only', message })
    }
    // A requester who may not act for others gets that error instead.
    if (userEmail && this.scope.can(ITEM_ACTION.approval)) {
      await errors.collect(() => requirePerson(this.scope, userEmail))
    }
  }

  /**
   * Sets the comment; null clears it.
   * @throws not_found, action_missing, release_completed, release_skipped
   */
  async comment(place: ReleaseItemIds, comment: string | null): Promise<ChecklistItemEntity> {
    const { release, current } = await this.#find(place)
    requireOpen(release)
    const [item] = await setItemStatuses(this.scope, release, [{ current, comment }])
    return item
  }

  /** Finds the release and the item. @throws not_found, action_missing */
  async #find({ appId, releaseId, checklistItemId }: ReleaseItemIds) {
    const release = await findRelease(this.scope, appId, releaseId)
    const current = await findReleaseItem(this.scope, release, checklistItemId)
    requireItemAction(this.scope, current.item, release.pilotId)
    return { release, current }
  }
}
