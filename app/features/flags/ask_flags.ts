import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { askProvider } from '#integrations/ask_provider'
import { pagesOf } from '#integrations/every_page'
import { integrationsOfKind } from '#integrations/queries/app_integrations'
import type { Experimentation, Flag } from '#plugin-kit/capabilities/monitoring'
import type { SeenAt } from '../tables.js'
import type { FlagPlace } from './flag_entity.js'

/** Timeout of a call during a request, in milliseconds. */
export const TIMEOUT = 25_000
/** Maximum number of flags read from one environment. */
export const MAX_FLAGS = 2000
const MAX_PAGES = 100

/** Returns the integration and environment of an app's flags; null without an integration. */
export async function flagSource(scope: Scope, appId: string) {
  const [integration] = await integrationsOfKind(scope, appId, 'experimentation')
  if (!integration) return null
  const { id, connectionId, data } = integration
  const stringOf = (name: string) =>
    typeof data[name] === 'string' ? (data[name] as string) : null
  const place: FlagPlace = {
    projectId: stringOf('projectId'),
    environmentId: stringOf('environmentId') ?? 'production',
    versionAttributeName: stringOf('versionAttributeName'),
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

/**
 * Calls the experimentation service during a request.
 * @throws provider_error
 */
export function askFlags<Result>(
  scope: Scope,
  integration: FlagSource,
  ask: (flags: Experimentation) => Promise<Result>
): Promise<Result> {
  const signal = AbortSignal.timeout(TIMEOUT)
  return askProvider(scope, { integration, kind: 'experimentation', signal }, ask)
}

/** Returns the flags of an environment. */
export async function flagsOf(
  experimentation: Experimentation,
  { environmentId, versionAttributeName }: FlagPlace,
  version: string
): Promise<Flag[]> {
  const flags: Flag[] = []
  const filter = versionAttributeName ? { versionAttribute: versionAttributeName, version } : {}
  const read = (cursor?: string) => experimentation.listFlags(environmentId, filter, cursor)
  for await (const items of pagesOf(read, MAX_PAGES)) {
    flags.push(...items)
    if (flags.length >= MAX_FLAGS) break
  }
  return flags.slice(0, MAX_FLAGS)
}

/**
 * Returns a flag by its key or its id.
 * @throws not_found
 */
export async function findFlag(
  experimentation: Experimentation,
  { environmentId }: FlagPlace,
  name: string
): Promise<Flag> {
  const byKey = await experimentation.getFlag(environmentId, name)
  if (byKey) return byKey
  const read = (cursor?: string) => experimentation.listFlags(environmentId, {}, cursor)
  for await (const items of pagesOf(read, MAX_PAGES)) {
    const found = items.find(({ id }) => id === name)
    if (found) return found
  }
  throw refuse('not_found', { detail: `The environment has no flag ${name}.` })
}
