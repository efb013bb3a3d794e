import { works } from '#foundation/jobs/handlers'
import type { ChangedRows } from '#foundation/core/database/changed_rows'
import type { Scope } from '#foundation/core/scope'
import { integrationsOfApp } from '#integrations/queries/app_integrations'

/** A call to a provider, as a plan shows it. */
export interface ReportedCall {
  /** The kind of integration that is called, or another recipient. */
  asks: string
  /**
   * Keys and types of the app's integrations that are called. Absent when it has none of that kind.
   */
  integrations?: string[]
  /** The kind of call: `release.branch`. */
  what: string
}

/** A planned call as it is stored. */
interface StoredCommand {
  kind: string
  subject: string
  payload: string
}

/** Returns the calls that jobs plan. */
export function commandsOf(rows: ChangedRows): StoredCommand[] {
  return rows
    .after('jobs')
    .filter(({ nature, finished_at: finished }) => isCommand(nature) && finished === null)
    .map(({ kind, subject, payload }) => ({
      kind: String(kind),
      subject: String(subject),
      payload: String(payload),
    }))
}

const isCommand = (nature: unknown) => nature === 'command' || nature === 'urgent'

/** Returns the providers that a change calls, in the words of the app's configuration. */
export async function calledBy(
  scope: Scope,
  rows: ChangedRows,
  appId: string | undefined
): Promise<ReportedCall[]> {
  const reported = new Map<string, ReportedCall>()
  for (const { kind, payload } of commandsOf(rows)) {
    const asks = works.get(kind)?.asks ?? null
    if (asks === null) continue
    const { integrationId } = JSON.parse(payload) as { integrationId?: unknown }
    const call = await callOf(scope, appId, asks, kind, integrationId)
    reported.set(JSON.stringify(call), call)
  }
  return [...reported.values()]
}

/** @param integrationId the integration that is called; absent for any */
async function callOf(
  scope: Scope,
  appId: string | undefined,
  asks: string,
  what: string,
  integrationId?: unknown
): Promise<ReportedCall> {
  return { ...(await askedOf(scope, appId, asks, integrationId)), what }
}

/** Returns the app's integrations of a kind, in the words of its configuration. */
export async function askedOf(
  scope: Scope,
  appId: string | undefined,
  asks: string,
  integrationId?: unknown
): Promise<Pick<ReportedCall, 'asks' | 'integrations'>> {
  const all = appId === undefined ? [] : await integrationsOfApp(scope, appId)
  const requested = all.filter(({ id, kind }) =>
    typeof integrationId === 'string' ? id === integrationId : kind === asks
  )
  const integrations = requested.map(({ key, type }) => `${key} (${type})`)
  return { asks, ...(integrations.length > 0 && { integrations }) }
}
