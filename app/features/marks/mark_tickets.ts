import { Type, type Static } from '@sinclair/typebox'
import { AFFILIATION_TYPES } from '#apps/settings'
import { onWish, type Outcome } from '#foundation/agenda/handlers'
import { wishKind } from '#foundation/core/agenda/kinds'
import type { Scope } from '#foundation/core/scope'
import { askProvider } from '#integrations/ask_provider'
import { outcomeOfCall } from '#integrations/outcome_of_call'
import { feature } from '#plugin-kit/capabilities/map'
import type { IssueTracking } from '#plugin-kit/capabilities/work'
import type { Ended } from '#releases/parts'
import { releaseStillThere } from '#releases/queries/find_release'
import { tellParts } from '#releases/tell_parts'
import { Asker } from '#releases/version_control/asker'
import { ticketMarks } from '../tables.js'
import { lookNow } from '../work/watch.js'
import { unmarkedTickets } from './unmarked_tickets.js'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Tickets are to say which release they belong to; the subject is the release's internal id. */
export const markKind = wishKind(
  'features.markTickets',
  Type.Object({
    appId: Type.String(),
    integrationId: Type.String(),
    connectionId: Type.String(),
    askedBy: Asker,
    projects: Type.Array(Type.String()),
    keys: Type.Array(Type.String()),
    names: Type.Array(
      Type.Object({
        type: Type.Union(AFFILIATION_TYPES.map((type) => Type.Literal(type))),
        text: Type.String(),
      })
    ),
  })
)
type Wanted = Static<(typeof markKind)['payload']>

/** Has the next tickets of a release that do not say so told by a worker which one they are of. */
export async function wishMarks(
  scope: Scope,
  release: { id: string; appId: string }
): Promise<{ is: 'underWay' } | { is: 'blocked'; reason: string }> {
  const unmarked = await unmarkedTickets(scope, release)
  if (!unmarked) return { is: 'blocked', reason: 'Every ticket says so already.' }
  const { integration, projects, keys, names } = unmarked
  const { id: integrationId, connectionId } = integration
  const { appId, id: subject } = release
  await scope.agenda.wish(markKind, {
    subject,
    entityKey: `tickets of ${subject}`,
    payload: { appId, integrationId, connectionId, askedBy: scope.actor, projects, keys, names },
  })
  return { is: 'underWay' }
}

/** Tells tickets their release; told again, they are as they were. */
export const markTickets = onWish(markKind, {
  actor: 'issue tracker',
  onBehalfOf: ({ payload }) => payload.askedBy,
  lease: 4 * MINUTE,
  retry: { steps: [10 * SECOND, MINUTE, 10 * MINUTE, HOUR, 6 * HOUR] },
  isRepeatable: true,
  lock: (scope, { payload }) => scope.lock('apps', payload.appId),
  call({ payload, idempotencyKey }, { scope, signal }): Promise<Outcome<null>> {
    const integration = { id: payload.integrationId, connectionId: payload.connectionId }
    const asked = { integration, kind: 'issueTracking', signal } as const
    return outcomeOfCall(async () => {
      await askProvider(scope, asked, (issues) => mark(issues, payload, idempotencyKey))
      return null
    })
  },
  async answer(scope, { subject, payload }) {
    await lookNow(scope, payload.appId, 'issueTracking')
    await end(scope, subject, payload, { result: 'done', what: told(payload) })
  },
  async afterLast(scope, { subject, payload }, reason) {
    await end(scope, subject, payload, { result: 'failed', reason: `${told(payload)}: ${reason}` })
  },
})

async function mark(issues: IssueTracking, { projects, keys, names }: Wanted, key: string) {
  for (const { type, text } of names) {
    if (type === 'label') {
      await feature(issues, 'addLabels')(keys, [text], { idempotencyKey: `${key} label ${text}` })
      continue
    }
    for (const project of new Set(keys.map((each) => projectOf(each, projects)))) {
      const idempotencyKey = `${key} version ${project} ${text}`
      await issues.ensureVersion?.(project, text, { idempotencyKey })
    }
    await feature(issues, 'setVersion')(keys, text, { idempotencyKey: `${key} set ${text}` })
  }
}

/** The project of a ticket by its key; where keys name none there is one project. */
function projectOf(key: string, [only = '']: readonly string[]): string {
  const dash = key.lastIndexOf('-')
  return dash > 0 ? key.slice(0, dash) : only
}

/** Most tickets that are named. */
const MOST_NAMED = 20

function told({ keys, names }: Wanted): string {
  const named = keys.slice(0, MOST_NAMED).join(', ')
  const more = keys.length > MOST_NAMED ? ` and ${keys.length - MOST_NAMED} more` : ''
  return `${names.map(({ text }) => text).join(', ')} for ${named}${more}`.slice(0, 400)
}

/** A ticket that was told once is not told again: people may have taken it away on purpose. */
async function end(
  scope: Scope,
  releaseId: string,
  { appId, integrationId, keys, askedBy }: Wanted,
  ended: Ended
): Promise<void> {
  const release = await releaseStillThere(scope, appId, releaseId)
  if (!release) return
  const markedAt = scope.now
  await scope.insert(
    ticketMarks,
    keys.map((key) => ({ appId, releaseId, integrationId, key: key.toUpperCase(), markedAt }))
  )
  await tellParts(scope, release, { action: 'markTickets', askedBy, ...ended })
}
