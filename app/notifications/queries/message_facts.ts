import { appSummary } from '#apps/queries/app_summary'
import { titleOfApp } from '#apps/vocabulary'
import type { Scope } from '#foundation/core/scope'
import { zoneOf } from '#planning/plans/plans'
import { pageUrl, type Shown } from '#releases/page_addresses'
import { explained } from '#releases/queries/explain'
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
    const link = linkTo('app', { appId })
    return { ...common, version: null, waiting: [], warnings: [], next: null, pilot: null, link }
  }
  const { release, pilot } = await readReleaseById(scope, appId, releaseId)
  const { why, facts } = await explained(scope, release)
  const { release: conditions, warnings, next } = why
  const configId = commonStep(lines)
  const step = facts.steps.find(({ stepConfigId }) => stepConfigId === configId)
  const shown = { appId, releaseId: release.publicId }
  return {
    ...common,
    version: release.version,
    waiting: conditions.map(({ message, who }) => ({ message, who: named(who) })),
    warnings: warnings.map(({ message, who }) => ({ message, who: named(who) })),
    next: next[0] ?? null,
    pilot: pilot?.email ?? null,
    link: step ? linkTo('step', { ...shown, stepId: step.id }) : linkTo('release', shown),
  }
}

function linkTo(what: string, shown: Shown) {
  const url = pageUrl(shown)
  return url === null ? null : { label: `Open the ${what}`, url }
}

/** The step that all lines are about; undefined where there is none. */
function commonStep(lines: Message['lines']): string | undefined {
  const [first, ...others] = new Set(lines.map(({ stepConfigId }) => stepConfigId))
  return others.length === 0 ? first : undefined
}

/** People and groups; a user action only where nobody is known to have it. */
function named(who: readonly { type: string; name: string }[]): string[] {
  const people = who.filter(({ type }) => type !== 'userAction')
  return [...new Set((people.length > 0 ? people : who).map(({ name }) => name))]
}
