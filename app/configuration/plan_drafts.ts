import type { DraftChanges } from '#planning/actions/move_drafts'
import { formatPath, formatPointer } from './checks/path.js'
import type { ConfigurationWarning } from './checks/problems.js'
import { CADENCE_KEY } from './document.js'
import type { PlannedChange } from './plan.js'
import type { YamlNode } from './yaml/tree.js'

/** The effects of a changed cadence on drafts, for plans and responses. */
const EFFECTS: Record<keyof DraftChanges, string> = {
  moved: 'The draft follows the cadence',
  removed: 'The cadence has no date for the draft: it is removed',
  kept: 'The draft was edited by hand, or its train has left: it stays',
}

/** Lists the effects of a changed cadence on each draft. */
export function planOfDrafts(drafts: DraftChanges): PlannedChange[] {
  return (['moved', 'removed', 'kept'] as const).flatMap((what) =>
    drafts[what].map(({ releaseId, targetKickoffAt, previousTargetKickoffAt }) => ({
      op: what === 'removed' ? ('remove' as const) : ('change' as const),
      path: `releases[${releaseId}]`,
      from: { targetKickoffAt: previousTargetKickoffAt ?? targetKickoffAt },
      to: what === 'removed' ? null : { targetKickoffAt },
      effect: EFFECTS[what],
      releaseId,
    }))
  )
}

/** Maximum number of versions named. */
const MAX_VERSIONS = 20

/** Returns the same effects for an applied file, as warnings at its cadence. */
export function warningsOfDrafts(drafts: DraftChanges, root: YamlNode): ConfigurationWarning[] {
  const entry =
    root.kind === 'map' ? root.entries.find(({ key }) => key === CADENCE_KEY) : undefined
  const { line, column } = entry ?? root
  const at = {
    path: formatPath([CADENCE_KEY]),
    pointer: formatPointer([CADENCE_KEY]),
    line,
    column,
  }
  return (['moved', 'removed', 'kept'] as const).flatMap((what) => {
    const all = drafts[what].map(({ version }) => version)
    if (all.length === 0) return []
    const more = all.length > MAX_VERSIONS ? ` and ${all.length - MAX_VERSIONS} more` : ''
    const message = `${EFFECTS[what]}: ${all.slice(0, MAX_VERSIONS).join(', ')}${more}.`
    return [{ ...at, code: 'drafts' as const, message }]
  })
}
