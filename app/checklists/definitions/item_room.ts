import { as, select } from '#foundation/core/database/statement'
import { integer } from '#foundation/core/database/table'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import { MAX_RELEASE_ITEMS, MAX_TEMPLATES } from '#workflow/bounds'

const count = { held: as(integer(), 'cast(count(*) as integer)') }

const TEMPLATES = select(
  count,
  `from checklist_items c where c.organization_id = :org and c.app_id = :appId
    and c.release_id is null and c.deleted_at is null`
)
const ITEMS = select(
  count,
  'from release_items i where i.organization_id = :org and i.release_id = :releaseId'
)

/** The owner of a new item: every matching release of its app, or one release. */
type Owner = Pick<Release, 'id' | 'version'> | null

/** Checks the limits for new items: of templates in an app, and of one-offs in its releases. */
export class ItemRoom {
  readonly #held = new Map<string | null, number>()

  constructor(
    private readonly scope: Scope,
    private readonly appId: string
  ) {}

  /** Counts one new item. @throws too_many_items */
  async take(owner: Owner): Promise<void> {
    const key = owner?.id ?? null
    const held = this.#held.get(key) ?? (await this.#count(owner))
    if (owner) requireReleaseRoom(owner, held + 1)
    else if (held >= MAX_TEMPLATES) {
      const detail = `The app has ${held} item templates; it can have at most ${MAX_TEMPLATES}.`
      throw refuse('too_many_items', { detail, members: { limit: MAX_TEMPLATES } })
    }
    this.#held.set(key, held + 1)
  }

  #count(owner: Owner): Promise<number> {
    if (owner) return itemsHeld(this.scope, owner.id)
    return counted(this.scope.rows(TEMPLATES, { appId: this.appId }))
  }
}

/** Returns the number of items of a release. */
export function itemsHeld(scope: Scope, releaseId: string): Promise<number> {
  return counted(scope.rows(ITEMS, { releaseId }))
}

/** @throws too_many_items if a release would hold more items than it may */
export function requireReleaseRoom({ version }: Pick<Release, 'version'>, items: number): void {
  if (items <= MAX_RELEASE_ITEMS) return
  throw refuse('too_many_items', {
    detail: `The release ${version} would have ${items} items; a release can have at most ${MAX_RELEASE_ITEMS}.`,
    members: { limit: MAX_RELEASE_ITEMS },
  })
}

async function counted(rows: Promise<{ held: number }[]>): Promise<number> {
  const [{ held }] = await rows
  return held
}
