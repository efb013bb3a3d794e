import { isDeepStrictEqual } from 'node:util'
import StepConfig from '#apps/models/step_config'
import { InputErrors, type PartiallyValid } from '#foundation/core/problems/input_errors'
import { refuse, refuseField } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { releaseById } from '#releases/queries/find_release'
import { requireOpen } from '#releases/preconditions/require_open'
import type ChecklistItem from '../models/checklist_item.js'
import { rulesOf } from '../approvals/approvals.js'
import type { ItemOwner } from '../entities.js'
import { resolvePlacement, type Placement, type PlacementInput } from '../definitions/placement.js'
import { PositionList } from '../definitions/position_list.js'
import { findItem } from '../queries/find_item.js'
import { OwnerDirectory } from '../queries/owner_directory.js'
import { memberChanges, reportTemplates, reportedItem } from '../definitions/item_entries.js'
import { copiedMembers, type CopiedMembers } from '../tables.js'
import type { ItemChanges } from '../validators/item_inputs.js'
import { releaseTypesOf } from './create_items.js'
import { requireApprovalFields } from '../approvals/require_approval_fields.js'
import { requireStepIn } from '../definitions/require_step.js'
import { applyToOpenReleases } from '../release_items/apply_to_open_releases.js'

/** The members that define an item, and its place. */
const definitionOf = (item: ChecklistItem) => ({
  ...copiedMembers(item),
  stepConfigId: item.stepConfigId,
  stepType: item.stepType,
})

/**
 * Edits an item of the app. The edit applies to upcoming releases, and to active releases where the
 * item is untouched. An edit that changes nothing writes nothing.
 */
export class UpdateItem {
  constructor(private readonly scope: Scope) {}

  /** @throws not_found, conflict, invalid_input, release_completed, release_skipped */
  async handle(appId: string, itemId: string, changes: ItemChanges): Promise<ChecklistItem> {
    const { scope } = this
    const item = await findItem(scope, appId, itemId)
    requireEditable(item)
    const errors = new InputErrors()
    const { owners, placement } = await this.#examine(item, changes, errors)
    errors.throwIfAny()
    if (item.releaseId) {
      requireOpen(await releaseById(scope, appId, item.releaseId))
    }
    const before = definitionOf(item)
    const changed = new Set<string>()
    if (await this.#apply(item, changes, owners)) changed.add(item.id)
    for (const id of await this.#move(item, changes, placement!, changed)) changed.add(id)
    if (changed.has(item.id)) {
      if (!item.releaseId) {
        const reported = {
          ...reportedItem(item),
          changes: memberChanges(before, definitionOf(item)),
        }
        reportTemplates(scope, appId, 'updated', [reported])
      }
      item.updatedAt = scope.now
      await item.useTransaction(scope.transaction).save()
    }
    const about = new Set([item.id])
    await applyToOpenReleases(scope, appId, changed, about, item.releaseId ?? undefined)
    return item
  }

  /** Adds errors of the changes that their schema cannot express. @throws not_found */
  async check(
    appId: string,
    itemId: string,
    changes: PartiallyValid<ItemChanges>,
    errors: InputErrors
  ): Promise<void> {
    await this.#examine(await findItem(this.scope, appId, itemId), changes, errors)
  }

  async #examine(item: ChecklistItem, changes: PartiallyValid<ItemChanges>, errors: InputErrors) {
    const { scope } = this
    await errors.collect(() => requireApprovalFields(item.kind, changes))
    const { owners: named, placement: wanted } = changes
    const owners = named && (await OwnerDirectory.of(scope, named)).resolve(named, errors)
    if (!errors.isWellFormed('/placement')) return { owners }
    const placement = await errors.collect(() => this.#placement(item, wanted))
    const { releaseId } = item
    if (placement && releaseId && !isDeepStrictEqual(placement, placeOf(item))) {
      await errors.collect(() => requireStepIn(scope, releaseId, placement))
    }
    return { owners, placement }
  }

  /** Returns the step that the item belongs on after the change. @throws invalid_input */
  async #placement(item: ChecklistItem, wanted: PlacementInput | undefined): Promise<Placement> {
    const current = placeOf(item)
    if (wanted?.stepConfigId ?? wanted?.stepType) {
      return resolvePlacement(await this.#steps(item.appId), item.kind, wanted!, '/placement')
    }
    for (const name of ['stepConfigId', 'stepType'] as const) {
      if (wanted?.[name] !== null || current[name] === null) continue
      const message = 'An item belongs to a step: name another step.'
      throw refuseField(`/placement/${name}`, 'required', message)
    }
    return current
  }

  /** Assigns the members that differ. @returns whether there are any */
  async #apply(
    item: ChecklistItem,
    changes: ItemChanges,
    resolved: ItemOwner[] | undefined
  ): Promise<boolean> {
    const { owners, releaseTypes, placement, position, ...members } = changes
    const rules = rulesOf(item.settings)
    const {
      requiredApprovals = rules.requiredApprovals,
      fourEyes = rules.fourEyes,
      ...plain
    } = members
    const wantedRules = { requiredApprovals, fourEyes }
    // The other members are stored as given. This only compiles if each of them names a column.
    const columns: Partial<Pick<CopiedMembers, keyof typeof plain>> = plain
    const wanted: Partial<CopiedMembers> = {
      ...columns,
      releaseTypes: releaseTypes && releaseTypesOf(releaseTypes),
      owners: owners && resolved && keptOwners(item.owners, resolved),
      settings: isDeepStrictEqual(wantedRules, rules) ? undefined : wantedRules,
    }
    const differing = Object.entries(wanted).filter(
      ([name, value]) => value !== undefined && !isDeepStrictEqual(item.$attributes[name], value)
    )
    item.merge(Object.fromEntries(differing))
    return differing.length > 0
  }

  /** Moves the item to another step or position. @returns ids of the items it pushed back */
  async #move(
    item: ChecklistItem,
    { placement: wanted, position: atTop }: ItemChanges,
    placement: Placement,
    changed: Set<string>
  ): Promise<string[]> {
    const { scope } = this
    const position = wanted?.position ?? atTop
    const stays = isDeepStrictEqual(placement, placeOf(item))
    if (stays && (position === undefined || position === item.position)) return []

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

/** @throws conflict for a demanded approval, which only the service edits */
function requireEditable({ demand, title }: ChecklistItem) {
  if (!demand) return
  throw refuse('conflict', {
    detail: `"${title}" follows from the changes of the build and cannot be edited. Change changeApprovals in the app's configuration, or the build.`,
  })
}

const placeOf = ({ stepConfigId, stepType }: ChecklistItem): Placement => ({
  stepConfigId,
  stepType,
})

/** Returns the stored owners if the new ones are the same, so that a changed name is no change. */
function keptOwners(before: ItemOwner[], named: ItemOwner[]): ItemOwner[] {
  const ids = (owners: readonly ItemOwner[]) => owners.map(({ type, id }) => [type, id])
  return isDeepStrictEqual(ids(named), ids(before)) ? before : named
}
