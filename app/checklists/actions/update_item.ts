import { isDeepStrictEqual } from 'node:util'
import StepConfig from '#apps/models/step_config'
import type { Scope } from '#foundation/core/scope'
import { releaseById } from '#releases/queries/find_release'
import { demandOpen } from '#releases/demand_open'
import type ChecklistItem from '../models/checklist_item.js'
import { rulesOf } from '../approvals.js'
import { resolvePlacement } from '../placement.js'
import { PositionList } from '../position_list.js'
import { findItem } from '../queries/find_item.js'
import { OwnerDirectory } from '../queries/owner_directory.js'
import type { CopiedMembers } from '../tables.js'
import type { ItemChanges } from '../validators/item_inputs.js'
import { releaseTypesOf } from './create_items.js'
import { demandApprovalFields } from '../demand_approval_fields.js'
import { demandStepIn } from '../demand_step.js'
import { applyToOpenReleases } from '../release_items/apply_to_open_releases.js'

/**
 * Edits an item of the app. The edit reaches upcoming releases and the untouched parts of
 * active ones. An edit that changes nothing writes nothing.
 */
export class UpdateItem {
  constructor(private readonly scope: Scope) {}

  /** @throws not_found, invalid_input, release_completed, release_skipped */
  async handle(appId: string, itemId: string, changes: ItemChanges): Promise<ChecklistItem> {
    const { scope } = this
    const item = await findItem(scope, appId, itemId)
    demandApprovalFields(item.kind, changes)
    if (item.releaseId) {
      demandOpen(await releaseById(scope, appId, item.releaseId))
    }
    const changed = new Set<string>()
    if (await this.#apply(item, changes)) changed.add(item.id)
    for (const id of await this.#move(item, changes, changed)) changed.add(id)
    if (changed.has(item.id)) {
      item.updatedAt = scope.now
      await item.useTransaction(scope.transaction).save()
    }
    await applyToOpenReleases(scope, appId, changed, item.releaseId ?? undefined)
    return item
  }

  /** Sets what differs. @returns whether anything did. */
  async #apply(item: ChecklistItem, changes: ItemChanges): Promise<boolean> {
    const { owners, releaseTypes, placement, position, ...members } = changes
    const rules = rulesOf(item.settings)
    const {
      requiredApprovals = rules.requiredApprovals,
      fourEyes = rules.fourEyes,
      ...plain
    } = members
    const wantedRules = { requiredApprovals, fourEyes }
    // The rest is stored as it is given: each names a column, or this does not compile.
    const columns: Partial<Pick<CopiedMembers, keyof typeof plain>> = plain
    const wanted: Partial<CopiedMembers> = {
      ...columns,
      releaseTypes: releaseTypes && releaseTypesOf(releaseTypes),
      owners: owners && (await OwnerDirectory.of(this.scope, owners)).resolve(owners),
      settings: isDeepStrictEqual(wantedRules, rules) ? undefined : wantedRules,
    }
    const differing = Object.entries(wanted).filter(
      ([name, value]) => value !== undefined && !isDeepStrictEqual(item.$attributes[name], value)
    )
    item.merge(Object.fromEntries(differing))
    return differing.length > 0
  }

  /** Moves the item to another step or position. @returns the items that made room for it. */
  async #move(
    item: ChecklistItem,
    { placement: wanted, position: atTop }: ItemChanges,
    changed: Set<string>
  ): Promise<string[]> {
    const { scope } = this
    const current = { stepConfigId: item.stepConfigId, stepType: item.stepType }
    const position = wanted?.position ?? atTop
    const namesStep = Boolean(wanted?.stepConfigId ?? wanted?.stepType)
    const placement = namesStep
      ? resolvePlacement(await this.#steps(item.appId), item.kind, wanted!, '/placement')
      : current
    const stays = isDeepStrictEqual(placement, current)
    if (stays && (position === undefined || position === item.position)) return []
    if (!stays && item.releaseId) await demandStepIn(scope, item.releaseId, placement)

    const { appId, releaseId } = item
    const list = await PositionList.load(scope, { appId, releaseId, ...placement })
    item.merge({ ...placement, position: list.place(item.id, position) })
    changed.add(item.id)
    return list.save(scope)
  }

  #steps(appId: string) {
    return this.scope.query(StepConfig).where('appId', appId).exec()
  }
}
