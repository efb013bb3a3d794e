import type { CallContext, Job } from '#foundation/jobs/handlers'
import { Problem } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { askProvider, isProviderError } from '#integrations/ask_provider'
import { everyPage as readPages } from '#integrations/every_page'
import { isPassing } from '#integrations/outcome_of_call'
import type { CapabilityMap } from '#plugin-kit/capabilities/map'
import type { Page } from '#plugin-kit/context'
import { storesAndBeta, type StoreTarget } from '../queries/store_targets.js'
import type { AskedOfStore } from '../vocabulary.js'

/** The store of an app, and the connection to call it. */
export interface StorePlace {
  appId: string
  integrationId: string
  connectionId: string
}

/** The most pages of a list that one poll reads. */
const MAX_PAGES = 10

/** Calls the store that a job is about. @throws what `askProvider` throws */
export function askStore<Kind extends 'appStore' | 'betaTesting', Answer>(
  { payload: { integrationId: id, connectionId } }: Pick<Job<StorePlace>, 'payload'>,
  { scope, signal }: CallContext,
  kind: Kind,
  ask: (store: CapabilityMap[Kind]) => Promise<Answer>,
  isForPerson?: boolean
): Promise<Answer> {
  return askProvider(scope, { integration: { id, connectionId }, kind, signal, isForPerson }, ask)
}

/** Returns the items of a list, up to the most pages of one poll. */
export const everyPage = <Item>(read: (cursor?: string) => Promise<Page<Item>>): Promise<Item[]> =>
  readPages(read, MAX_PAGES)

/** Returns the store that a job is about; null if the app no longer uses it. */
export async function targetOf(
  scope: Scope,
  { appId, integrationId }: Pick<StorePlace, 'appId' | 'integrationId'>
): Promise<StoreTarget | null> {
  const targets = await storesAndBeta(scope, appId)
  return targets.find((target) => target.integrationId === integrationId) ?? null
}

/** The refusal of a person's request by a store, and the remedy. */
export type Refusal = Pick<AskedOfStore, 'reason' | 'action'>

/** Converts an error to a refusal; null if it may pass, or its outcome is unknown. */
export function refusalOf(error: unknown): Refusal | null {
  const cause = error instanceof Problem ? error.extras.cause : error
  if (!isProviderError(cause) || cause.detail.outcome !== 'notApplied') return null
  if (isPassing(cause.code)) return null
  const { action = null } = cause.detail
  const reason = action === null ? cause.message : cause.message.replace(action, '').trimEnd()
  return { reason: reason.slice(0, 1000), action: action && action.slice(0, 1000) }
}
