import StepConfig from '#apps/models/step_config'
import { newId } from '#foundation/core/ids'
import { InputErrors, type PartiallyValid } from '#foundation/core/problems/input_errors'
import { Problem } from '#foundation/core/problems/problem'
import type { NewRow, Scope } from '#foundation/core/scope'
import { yieldToOthers } from '#foundation/core/yielding'
import type Release from '#releases/models/release'
import { RELEASE_TYPES, type ReleaseType } from '#workflow/vocabulary'
import { requireOpen } from '#releases/preconditions/require_open'
import ChecklistItem from '../models/checklist_item.js'
import { rulesOf } from '../approvals/approvals.js'
import { ItemRoom } from '../definitions/item_room.js'
import { impliedStepType, resolvePlacement } from '../definitions/placement.js'
import { PositionList, type ListKey } from '../definitions/position_list.js'
import { OwnerDirectory } from '../queries/owner_directory.js'
import { findReferencedRelease } from '#releases/queries/find_release'
import { checklistItems } from '../tables.js'
import type { ItemInput } from '../validators/item_inputs.js'
import type { ItemKind } from '#releases/vocabulary'
import { requireApprovalFields } from '../approvals/require_approval_fields.js'
import { requireStepIn } from '../definitions/require_step.js'
import { reportTemplates, reportedItem } from '../definitions/item_entries.js'
import { isDone, type Outcome } from '#foundation/core/problems/attempt'
import { applyToOpenReleases } from '../release_items/apply_to_open_releases.js'

/** A valid item that is to be created, and the list of positions that it belongs to. */
interface Draft {
  id: string
  list: PositionList
  releaseId: string | null
  row: Omit<NewRow<typeof checklistItems>, 'position'>
}

/** Returns the named release types without duplicates, in canonical order; by default all types. */
export function releaseTypesOf(named: readonly ReleaseType[] | undefined): ReleaseType[] {
  return RELEASE_TYPES.filter((type) => !named || named.includes(type))
}

/** Creates items of one kind, and copies them into the open releases they apply to. */
export class CreateItems {
  #lists = new Map<string, PositionList>()
  #releases = new Map<string, Promise<Release>>()
  #workflow: Promise<StepConfig[]> | undefined
  readonly #room: ItemRoom

  constructor(
    private readonly scope: Scope,
    private readonly appId: string,
    private readonly kind: ItemKind
  ) {
    this.#room = new ItemRoom(scope, appId)
  }

  /**
   * Creates one item.
   * @throws not_found, invalid_input, release_completed, release_skipped, too_many_items
   */
  async one(input: ItemInput): Promise<ChecklistItem> {
    const [outcome] = await this.all([input])
    if (isDone(outcome)) return outcome.value
    throw outcome.problem
  }

  /** Creates every valid item, and returns the problem of each other one. */
  async all(inputs: readonly ItemInput[]): Promise<Outcome<ChecklistItem>[]> {
    const steps = await this.#steps()
    const directory = await OwnerDirectory.of(
      this.scope,
      inputs.flatMap((input) => input.owners ?? [])
    )
    const drafts: (Draft | Problem)[] = []
    for (const input of inputs) {
      try {
        drafts.push(await this.#draft(input, steps, directory))
      } catch (problem) {
        if (!(problem instanceof Problem)) throw problem
        drafts.push(problem)
      }
      await yieldToOthers()
    }
    const items = await this.#store(
      drafts.flatMap((draft) => (draft instanceof Problem ? [] : draft))
    )
    return drafts.map((draft) =>
      draft instanceof Problem ? { problem: draft } : { value: items.get(draft.id)! }
    )
  }

  async #draft(
    input: ItemInput,
    steps: readonly StepConfig[],
    directory: OwnerDirectory
  ): Promise<Draft> {
    const { scope, appId, kind } = this
    const errors = new InputErrors()
    const examined = await this.#examine(input, steps, directory, errors)
    errors.throwIfAny()
    const { owners, release } = examined
    await this.#room.take(release)
    const placement = examined.placement!
    const id = newId('item')
    const list = await this.#list({ appId, releaseId: release?.id ?? null, ...placement })
    list.place(id, input.position)
    return {
      id,
      list,
      releaseId: release?.id ?? null,
      row: {
        id,
        appId,
        kind,
        title: input.title,
        description: input.description ?? null,
        releaseTypes: releaseTypesOf(input.releaseTypes),
        owners,
        required: input.required ?? true,
        notifyOnCompletion: input.notifyOnCompletion ?? true,
        ...placement,
        releaseId: release?.id ?? null,
        settings: kind === 'approval' ? rulesOf(input) : {},
        demand: null,
        createdBy: scope.actor.id,
        createdAt: scope.now,
        updatedAt: scope.now,
        deletedAt: null,
      },
    }
  }

  /**
   * Adds errors of an item that its schema cannot express.
   * @throws not_found, release_completed, release_skipped
   */
  async check(input: PartiallyValid<ItemInput>, errors: InputErrors): Promise<void> {
    const steps = await this.#steps()
    const directory = await OwnerDirectory.of(this.scope, input.owners ?? [])
    await this.#examine(input, steps, directory, errors)
  }

  async #examine(
    input: PartiallyValid<ItemInput>,
    steps: readonly StepConfig[],
    directory: OwnerDirectory,
    errors: InputErrors
  ) {
    const { scope, kind } = this
    await errors.collect(() => requireApprovalFields(kind, input))
    const isPlaced = errors.isWellFormed('/stepType') && errors.isWellFormed('/stepConfigId')
    const placement = isPlaced
      ? await errors.collect(() =>
          resolvePlacement(steps, kind, impliedStepType(kind) ? {} : input)
        )
      : undefined
    const owners = directory.resolve(input.owners ?? [], errors)
    const release = input.releaseId ? await this.#releaseOrErrors(input.releaseId, errors) : null
    if (release && placement)
      await errors.collect(() => requireStepIn(scope, release.id, placement))
    return { placement, owners, release }
  }

  /** Finds the release. If it is missing, other errors of the request are reported instead. */
  async #releaseOrErrors(releaseId: string, errors: InputErrors): Promise<Release> {
    try {
      return await this.#release(releaseId)
    } catch (error) {
      errors.throwIfAny()
      throw error
    }
  }

  #steps(): Promise<StepConfig[]> {
    return (this.#workflow ??= this.scope.query(StepConfig).where('appId', this.appId).exec())
  }

  async #store(drafts: readonly Draft[]): Promise<Map<string, ChecklistItem>> {
    const { scope, appId } = this
    const created = new Set(drafts.map((draft) => draft.id))
    await scope.insert(
      checklistItems,
      // Positions are read only now, because later items may have pushed earlier ones.
      drafts.map(({ id, row, list }) => ({ ...row, position: list.positionOf(id) }))
    )
    reportTemplates(
      scope,
      appId,
      'added',
      drafts.filter(({ releaseId }) => releaseId === null).map(({ row }) => reportedItem(row))
    )
    const changed = new Set(created)
    for (const list of this.#lists.values()) {
      for (const id of await list.save(scope)) changed.add(id)
    }
    const releaseIds = new Set(drafts.map((draft) => draft.releaseId))
    const [only] = releaseIds
    const onlyRelease = (releaseIds.size === 1 && only) || undefined
    await applyToOpenReleases(scope, appId, changed, created, onlyRelease)
    const items = await scope
      .query(ChecklistItem)
      .whereIn('id', [...created])
      .exec()
    return new Map(items.map((item) => [item.id, item]))
  }

  #release(releaseId: string): Promise<Release> {
    let found = this.#releases.get(releaseId)
    if (!found) {
      found = findReferencedRelease(this.scope, this.appId, releaseId).then((release) => {
        requireOpen(release)
        return release
      })
      this.#releases.set(releaseId, found)
    }
    return found
  }

  async #list(key: ListKey): Promise<PositionList> {
    const name = JSON.stringify([key.stepConfigId, key.stepType, key.releaseId])
    const list = this.#lists.get(name) ?? (await PositionList.load(this.scope, key))
    this.#lists.set(name, list)
    return list
  }
}
