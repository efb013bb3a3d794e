import { destinationsOf } from '#apps/store_destinations'
import type { Scope } from '#foundation/core/scope'
import type { RolloutsConfiguration } from '#rollouts/configured_rollouts'
import { inWords, submittedBefore } from '#rollouts/queries/submitted_before'
import { formatPath, formatPointer } from '../checks/path.js'
import type { ConfigurationWarning } from '../checks/problems.js'
import { DESTINATIONS_KEY } from '../document.js'
import type { YamlNode } from '../yaml/tree.js'

/** Maximum number of warnings. */
const MAX_WARNINGS = 20

/** Returns a warning for each release that keeps the rollout settings of its submission. */
export async function submittedReleaseWarnings(
  scope: Scope,
  appId: string,
  { rollout, destinationRollouts }: RolloutsConfiguration,
  root: YamlNode
): Promise<ConfigurationWarning[]> {
  const [, ...otherDestinations] = await destinationsOf(scope, appId)
  const nameOf = (id: string) => otherDestinations.find((each) => each.id === id)?.name
  const unchanged = await submittedBefore(scope, appId, (id) =>
    id === null
      ? rollout
      : (destinationRollouts.find(({ destination }) => destination === nameOf(id))?.policy ?? null)
  )
  return unchanged.slice(0, MAX_WARNINGS).flatMap((each) => {
    const { destinationId } = each.target
    const keys = destinationId === null ? [] : [DESTINATIONS_KEY, nameOf(destinationId)!]
    const path = [...keys, 'appStoreReleaseSettings', 'rollout']
    const entry = root.kind === 'map' ? root.entries.find(({ key }) => key === path[0]) : undefined
    if (!entry) return []
    const { line, column } = entry
    const at = { path: formatPath(path), pointer: formatPointer(path), line, column }
    return [{ ...at, code: 'submitted_before', message: inWords(each) }]
  })
}
