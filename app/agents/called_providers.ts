import { works } from '#foundation/agenda/handlers'
import type { ChangedRows } from '#foundation/core/database/changed_rows'
import type { Scope } from '#foundation/core/scope'
import { installed } from '#integrations/queries/app_integrations'

/** A call of a provider that a plan tells of. */
export interface ToldCall {
  /** The kind of integrations that is asked, or whom else. */
  asks: string
  /** The app's integrations, by key and type; absent if it has none of that kind. */
  integrations?: string[]
  /** The kind of work: `release.branch`. */
  what: string
}

/** A call that is planned, as it is stored. */
interface StoredWish {
  kind: string
  subject: string
  payload: string
}

/** The calls that rows of the agenda plan. */
export function wishesOf(rows: ChangedRows): StoredWish[] {
  return rows
    .after('agenda_entries')
    .filter(({ nature, finished_at: finished }) => isWish(nature) && finished === null)
    .map(({ kind, subject, payload }) => ({
      kind: String(kind),
      subject: String(subject),
      payload: String(payload),
    }))
}

const isWish = (nature: unknown) => nature === 'wish' || nature === 'urgent'

/** Whom a change has called, in the words of the app's configuration. */
export async function calledBy(
  scope: Scope,
  rows: ChangedRows,
  appId: string | undefined
): Promise<ToldCall[]> {
  const told = new Map<string, ToldCall>()
  for (const { kind, payload } of wishesOf(rows)) {
    const asks = works.get(kind)?.asks ?? null
    if (asks === null) continue
    const { integrationId } = JSON.parse(payload) as { integrationId?: unknown }
    const call = await callOf(scope, appId, asks, kind, integrationId)
    told.set(JSON.stringify(call), call)
  }
  return [...told.values()]
}

/** @param integrationId the one that is asked; any else */
async function callOf(
  scope: Scope,
  appId: string | undefined,
  asks: string,
  what: string,
  integrationId?: unknown
): Promise<ToldCall> {
  return { ...(await askedOf(scope, appId, asks, integrationId)), what }
}

/** The integrations of a kind that an app has, in the words of its configuration. */
export async function askedOf(
  scope: Scope,
  appId: string | undefined,
  asks: string,
  integrationId?: unknown
): Promise<Pick<ToldCall, 'asks' | 'integrations'>> {
  const all = appId === undefined ? [] : await installed(scope, appId)
  const asked = all.filter(({ id, kind }) =>
    typeof integrationId === 'string' ? id === integrationId : kind === asks
  )
  const integrations = asked.map(({ key, type }) => `${key} (${type})`)
  return { asks, ...(integrations.length > 0 && { integrations }) }
}
