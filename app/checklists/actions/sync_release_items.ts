import type { Scope } from '#foundation/core/scope'
import { itemReleaseType } from '#releases/engine/release_type'
import type Release from '#releases/models/release'
import type { ReleaseStepType, ReleaseType } from '#releases/vocabulary'

/** What a release copies of an item, as columns of `release_items`. */
const COPIED = [
  'step_id',
  'kind',
  'title',
  'description',
  'release_types',
  'owners',
  'required',
  'notify_on_completion',
  'position',
  'settings',
] as const
type Copy = Record<(typeof COPIED)[number], string | number | boolean | null>

interface HeldItem extends Copy {
  item_id: string
  status: string
  comment: string | null
  votes: string
}

/** Ids per statement, well under what either database allows. */
const IDS_PER_STATEMENT = 1000

/**
 * Brings the items of a release in line with the app's: the live templates for its type and
 * its own one-offs, each on its step; an item without a step in the release is not in it.
 * Touched items (a status, a comment or a vote) of an active release stay as they are, and
 * completed and skipped releases are never changed.
 *
 * @param only the items to look at; all of them by default.
 * @returns whether anything changed.
 */
export async function syncReleaseItems(
  scope: Scope,
  release: Release,
  only?: ReadonlySet<string>
): Promise<boolean> {
  if (release.status === 'completed' || release.status === 'skipped') return false
  const wanted = await wantedItems(scope, release, only)
  const held = await heldItems(scope, release, only)

  const gone: string[] = []
  const stored: Record<string, unknown>[] = []
  for (const row of held) {
    const copy = wanted.get(row.item_id)
    wanted.delete(row.item_id)
    if (release.status === 'active' && isTouched(row)) continue
    if (copy && COPIED.every((name) => isSame(copy[name], row[name]))) continue
    gone.push(row.item_id)
    if (copy) stored.push({ ...row, ...copy, updated_at: scope.now })
  }
  for (const [itemId, copy] of wanted) {
    stored.push({
      ...copy,
      ...UNTOUCHED,
      release_id: release.id,
      item_id: itemId,
      updated_at: scope.now,
    })
  }

  for (let start = 0; start < gone.length; start += IDS_PER_STATEMENT) {
    await scope
      .table('release_items')
      .where('release_id', release.id)
      .whereIn('item_id', gone.slice(start, start + IDS_PER_STATEMENT))
      .delete()
  }
  await scope.insert('release_items', stored)
  return gone.length > 0 || stored.length > 0
}

const UNTOUCHED = {
  status: 'notStarted',
  status_updated_at: null,
  status_updated_by: null,
  comment: null,
  votes: '[]',
}

function isTouched(row: HeldItem): boolean {
  return row.status !== 'notStarted' || row.comment !== null || row.votes !== '[]'
}

/** SQLite keeps booleans as 0 and 1. */
function isSame(a: string | number | boolean | null, b: string | number | boolean | null) {
  return typeof a === 'boolean' ? a === Boolean(b) : a === b
}

/** The items the release should hold, by id, as they would be copied. */
async function wantedItems(scope: Scope, release: Release, only?: ReadonlySet<string>) {
  const steps: { id: string; step_config_id: string; type: ReleaseStepType }[] = await scope
    .table('release_steps')
    .where('release_id', release.id)
    .orderBy(['group_index', 'position', 'id'])
    .select('id', 'step_config_id', 'type')
  const byConfig = new Map(steps.map((step) => [step.step_config_id, step.id]))
  // The last one set wins, so the first step of a type stands.
  const byType = new Map([...steps].reverse().map((step) => [step.type, step.id]))
  const type = itemReleaseType(release.releaseType, release.settings.assumeHotfixesArePointReleases)

  const query = scope
    .table('checklist_items')
    .where('app_id', release.appId)
    .whereNull('deleted_at')
    .where((q) => q.whereNull('release_id').orWhere('release_id', release.id))
  if (only && only.size <= IDS_PER_STATEMENT) query.whereIn('id', [...only])
  const wanted = new Map<string, Copy>()
  for (const item of await query) {
    if (only && !only.has(item.id)) continue
    const isOneOff = item.release_id !== null
    const types = JSON.parse(item.release_types) as ReleaseType[]
    if (!isOneOff && !types.includes(type)) continue
    const stepId = item.step_config_id
      ? byConfig.get(item.step_config_id)
      : byType.get(item.step_type)
    if (stepId === undefined) continue
    wanted.set(item.id, {
      step_id: stepId,
      kind: item.kind,
      title: item.title,
      description: item.description,
      release_types: item.release_types,
      owners: item.owners,
      required: Boolean(item.required),
      notify_on_completion: Boolean(item.notify_on_completion),
      position: item.position,
      settings: item.settings,
    })
  }
  return wanted
}

async function heldItems(
  scope: Scope,
  release: Release,
  only?: ReadonlySet<string>
): Promise<HeldItem[]> {
  const query = scope.table('release_items').where('release_id', release.id)
  if (only && only.size <= IDS_PER_STATEMENT) query.whereIn('item_id', [...only])
  const rows: HeldItem[] = await query
  return only ? rows.filter((row) => only.has(row.item_id)) : rows
}
