import { appSummary } from '#apps/queries/app_summary'
import { titleOfApp } from '#apps/vocabulary'
import type { Scope } from '#foundation/core/scope'
import { zoneOf } from '#planning/plans/plans'
import { explain } from '#releases/queries/explain'
import { readReleaseById } from '#releases/queries/read_release'
import type { Facts } from '../compose.js'
import type { Message } from '../messages.js'

/** Returns the present content of a message, and whom it calls. */
export async function messageFacts(
  scope: Scope,
  { appId, releaseId, lines }: Message
): Promise<Facts & { pilot: string | null }> {
  const app = titleOfApp(await appSummary(scope, appId))
  const common = { app, lines, zone: await zoneOf(scope, appId) }
  if (releaseId === null) {
    return { ...common, version: null, waiting: [], warnings: [], next: null, pilot: null }
  }
  const { release, pilot } = await readReleaseById(scope, appId, releaseId)
  const { release: conditions, warnings, next } = await explain(scope, release, [])
  return {
    ...common,
    version: release.version,
    waiting: conditions.map(({ message, who }) => ({ message, who: named(who) })),
    warnings: warnings.map(({ message, who }) => ({ message, who: named(who) })),
    next: next[0] ?? null,
    pilot: pilot?.email ?? null,
  }
}

/** People and groups; a user action only where nobody is known to have it. */
function named(who: readonly { type: string; name: string }[]): string[] {
  const people = who.filter(({ type }) => type !== 'userAction')
  return [...new Set((people.length > 0 ? people : who).map(({ name }) => name))]
}
