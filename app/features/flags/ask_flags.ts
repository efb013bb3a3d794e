import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { askProvider } from '#integrations/ask_provider'
import { integrationsOfKind } from '#integrations/queries/app_integrations'
import type { Experimentation, Flag } from '#plugin-kit/capabilities/monitoring'
import type { SeenAt } from '../tables.js'
import type { FlagPlace } from './flag_entity.js'

/** Timeout of a call that somebody waits for, in milliseconds. */
export const PATIENCE = 25_000
/** So many flags are read of one environment. */
export const MOST_FLAGS = 2000
const MOST_PAGES = 100

/**
 * Returns where the flags of an app are; null without an integration, or one without an
 * environment.
 */
export async function flagSource(scope: Scope, appId: string) {
  const [integration] = await integrationsOfKind(scope, appId, 'experimentation')
  if (!integration) return null
  const { id, connectionId, data } = integration
  const textOf = (name: string) => (typeof data[name] === 'string' ? (data[name] as string) : null)
  const place: FlagPlace = {
    projectId: textOf('projectId'),
    environmentId: textOf('environmentId') ?? 'production',
    versionAttributeName: textOf('versionAttributeName'),
  }
  return { id, connectionId, place }
}

export type FlagSource = NonNullable<Awaited<ReturnType<typeof flagSource>>>

/** Returns the key under which observed flags are stored. */
export const seenAt = ({ id: integrationId, connectionId, place }: FlagSource): SeenAt => ({
  integrationId,
  connectionId,
  environmentId: place.environmentId,
  projectId: place.projectId,
  versionAttributeName: place.versionAttributeName,
})

/** Asks the experimentation service for somebody who waits. @throws provider_error */
export function askFlags<Answer>(
  scope: Scope,
  integration: FlagSource,
  ask: (flags: Experimentation) => Promise<Answer>
): Promise<Answer> {
  const signal = AbortSignal.timeout(PATIENCE)
  return askProvider(scope, { integration, kind: 'experimentation', signal }, ask)
}

/** The flags of an environment. */
export async function flagsOf(
  experimentation: Experimentation,
  { environmentId, versionAttributeName }: FlagPlace,
  version: string
): Promise<Flag[]> {
  const flags: Flag[] = []
  const filter = versionAttributeName ? { versionAttribute: versionAttributeName, version } : {}
  let cursor: string | undefined
  for (let page = 0; page < MOST_PAGES && flags.length < MOST_FLAGS; page++) {
    const { items, next } = await experimentation.listFlags(environmentId, filter, cursor)
    flags.push(...items)
    if (next === undefined) break
    cursor = next
  }
  return flags.slice(0, MOST_FLAGS)
}

/** A flag by its key, or by its id. @throws not_found */
export async function findFlag(
  experimentation: Experimentation,
  { environmentId }: FlagPlace,
  name: string
): Promise<Flag> {
  const byKey = await experimentation.getFlag(environmentId, name)
  if (byKey) return byKey
  let cursor: string | undefined
  for (let page = 0; page < MOST_PAGES; page++) {
    const { items, next } = await experimentation.listFlags(environmentId, {}, cursor)
    const found = items.find(({ id }) => id === name)
    if (found) return found
    if (next === undefined) break
    cursor = next
  }
  throw refuse('not_found', { detail: `The environment has no flag ${name}.` })
}
