import { appSummary } from '#apps/queries/app_summary'
import { titleOfApp } from '#apps/vocabulary'
import type { Scope } from '#foundation/core/scope'
import { zoneOf } from '#planning/plans/plans'
import { pageUrl, type Shown } from '#releases/page_addresses'
import { explained } from '#releases/queries/explain'
import { readReleaseById } from '#releases/queries/read_release'
import type { Facts } from '../compose.js'
import { typeOfLine, type Message } from '../messages.js'
import { RETROSPECTIVE, UNTOLD } from '../vocabulary.js'

type Content = Facts & { pilot: string | null }

/** Returns the current content of a message, and the pilot whom it mentions. */
export async function messageFacts(scope: Scope, message: Message): Promise<Content> {
  const { appId, releaseId } = message
  if (releaseId !== null) return (await releaseFacts(scope, { ...message, releaseId })).content
  const link = linkTo('app', { appId })
  const nothing = { version: null, waiting: [], warnings: [], next: null, pilot: null }
  return { ...(await commonFacts(scope, message)), ...nothing, link }
}

async function commonFacts(scope: Scope, { appId, lines }: Pick<Message, 'appId' | 'lines'>) {
  const app = titleOfApp(await appSummary(scope, appId))
  return { app, lines, zone: await zoneOf(scope, appId) }
}

type About = Pick<Message, 'appId' | 'channel' | 'lines'> & { releaseId: string }

/** Returns what `messageFacts` returns for a message about a release, with the underlying data. */
export async function releaseFacts(scope: Scope, { appId, releaseId, channel, lines }: About) {
  const { release, pilot } = await readReleaseById(scope, appId, releaseId)
  const { why, facts } = await explained(scope, release)
  const { release: conditions, warnings, next } = why
  const configId = commonStep(lines)
  const step = facts.steps.find(({ stepConfigId }) => stepConfigId === configId)
  const shown = { appId, releaseId: release.publicId }
  const content: Content = {
    ...(await commonFacts(scope, { appId, lines })),
    version: release.version,
    waiting: conditions.map(({ message, who }) => ({ message, who: named(who) })),
    // Readers of the message see that it reaches its channel.
    warnings: warnings
      .filter(({ code, subject }) => code !== UNTOLD || subject.id !== channel)
      .map(({ message, who }) => ({ message, who: named(who) })),
    next: next[0] ?? null,
    pilot: pilot?.email ?? null,
    link: linkToRelease(shown, lines, step?.id),
  }
  return { content, release, pilot, why, facts }
}

/** A release with all facts for a message about it. */
export type ReleaseFacts = Awaited<ReturnType<typeof releaseFacts>>

/** A message about one step opens the step, a retrospective its own page. */
function linkToRelease(shown: Shown, lines: Message['lines'], stepId: string | undefined) {
  if (stepId !== undefined) return linkTo('step', { ...shown, stepId })
  if (isRetrospective(lines)) return linkTo('retrospective', { ...shown, isRetrospective: true })
  return linkTo('release', shown)
}

function linkTo(what: string, shown: Shown) {
  const url = pageUrl(shown)
  return url === null ? null : { label: `Open the ${what}`, url }
}

const isRetrospective = (lines: Message['lines']) =>
  lines.length > 0 && lines.every((line) => typeOfLine(line) === RETROSPECTIVE)

/** Returns the step that all lines are about; undefined if there is none. */
function commonStep(lines: Message['lines']): string | undefined {
  const [first, ...others] = new Set(lines.map(({ stepConfigId }) => stepConfigId))
  return others.length === 0 ? first : undefined
}

/** Names people and groups; user actions only if there are neither. */
function named(who: readonly { type: string; name: string }[]): string[] {
  const people = who.filter(({ type }) => type !== 'userAction')
  return [...new Set((people.length > 0 ? people : who).map(({ name }) => name))]
}
